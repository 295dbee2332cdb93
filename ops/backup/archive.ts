import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  openSync,
  readSync,
  rmSync,
} from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { BadArchive, isFileName, type ZipEntry, ZipReader } from '#platform/files/index.ts';
import { Refusal } from '../../src/process/refusal.ts';
import { DATABASE, FILES, MANIFEST, type Manifest, readManifest } from './manifest.ts';

/** What an archive holds beside the database. */
export interface Contents {
  readonly manifest: Manifest | undefined;
  /** The uploads by their names, with their sizes in bytes. */
  readonly files: ReadonlyMap<string, number>;
}

/** Recognises an archive by its signature (PKWARE APPNOTE 6.3, §4.3.7). */
export function isArchive(file: string): boolean {
  if (!existsSync(file)) return false;
  const start = Buffer.alloc(4);
  const descriptor = openSync(file, 'r');
  readSync(descriptor, start, 0, 4, 0);
  closeSync(descriptor);
  return start.equals(Buffer.from([0x50, 0x4b, 3, 4]));
}

/** Unpacks the database of a backup. @throws Refusal when the archive is not a backup, or damaged anywhere */
export function unpackDatabase(file: string, to: string): Promise<Contents> {
  return reading(file, async (zip) => {
    const database = zip.entries.find(({ name }) => name === DATABASE);
    if (!database) throw new BadArchive(`there is no ${DATABASE} in it`);
    const manifest = await manifestOf(zip);
    const uploads = uploadsOf(zip);
    if (manifest && manifest.files !== uploads.length) throw new BadArchive('it lacks files of its list');
    for (const entry of zip.entries) if (entry !== database) for await (const _ of zip.content(entry));
    await unpack(zip, database, to);
    return { manifest, files: new Map(uploads.map((entry) => [nameOf(entry), entry.size])) };
  });
}

const LONGEST_MANIFEST = 64 * 1024 * 1024;

/** Undefined in an archive that a program made which wrote none. */
async function manifestOf(zip: ZipReader): Promise<Manifest | undefined> {
  const entry = zip.entries.find(({ name }) => name === MANIFEST);
  if (!entry) return undefined;
  if (entry.size > LONGEST_MANIFEST) throw new BadArchive(`${MANIFEST} is too large`);
  const manifest = readManifest((await buffer(Readable.from(zip.content(entry)))).toString());
  if (!manifest) throw new BadArchive(`${MANIFEST} is of another format: use the program that made it`);
  return manifest;
}

/** Restores the uploads that are missing. @returns how many */
export async function unpackUploads(file: string, folder: string): Promise<number> {
  return reading(file, async (zip) => {
    const entries = uploadsOf(zip);
    for (const entry of entries) {
      const path = join(folder, nameOf(entry));
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      if (!(await isThere(path, entry))) await unpack(zip, entry, path);
    }
    return entries.length;
  });
}

/** Whether the file is present and intact: what damaged the database may have damaged the files too. */
async function isThere(path: string, entry: ZipEntry): Promise<boolean> {
  if (!existsSync(path)) return false;
  let crc = 0;
  let size = 0;
  for await (const chunk of createReadStream(path)) {
    crc = crc32(chunk, crc);
    size += chunk.length;
  }
  return size === entry.size && crc === entry.crc;
}

async function reading<T>(file: string, work: (zip: ZipReader) => Promise<T>): Promise<T> {
  let zip: ZipReader | undefined;
  try {
    zip = await ZipReader.open(file);
    return await work(zip);
  } catch (error) {
    if (!(error instanceof BadArchive)) throw error;
    throw new Refusal(
      `${file} is damaged or not a backup of Parley (${error.message}); nothing was changed. Take another backup.`,
    );
  } finally {
    await zip?.close();
  }
}

const BESIDE = [DATABASE, MANIFEST, 'README.txt'];

/** Refuses unknown entries and names that lead out of the folder. */
function uploadsOf(zip: ZipReader): ZipEntry[] {
  const uploads = zip.entries.filter(({ name }) => !BESIDE.includes(name));
  for (const { name } of uploads) {
    if (!name.startsWith(FILES) || !isFileName(name.slice(FILES.length)))
      throw new BadArchive(`${JSON.stringify(name)} does not belong in it`);
  }
  return uploads;
}

const nameOf = ({ name }: ZipEntry) => name.slice(FILES.length);

/** Renames the file once it is complete and flushed. */
async function unpack(zip: ZipReader, entry: ZipEntry, path: string): Promise<void> {
  const arriving = `${path}.arriving`;
  try {
    await pipeline(
      Readable.from(zip.content(entry)),
      createWriteStream(arriving, { mode: 0o600, flush: true }),
    );
    await rename(arriving, path);
  } finally {
    rmSync(arriving, { force: true });
  }
}
