import { randomUUID } from 'node:crypto';
import {
  createWriteStream,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { brokeOff, FileStoreUnavailable, isFileName } from '#platform/files/index.ts';
import { migrations } from '#schema';
import { type Config, readConfig } from '../../src/process/config.ts';
import { uploadsCounted } from '../../src/process/counted.ts';
import { makeDataFolder, tellOwner } from '../../src/process/data-folder.ts';
import { arrivingFile, databaseFile } from '../../src/process/database.ts';
import { filesFolder } from '../../src/process/files.ts';
import { print } from '../../src/process/printable.ts';
import { Refusal } from '../../src/process/refusal.ts';
import { readTime } from '../../src/process/time.ts';
import { fileName } from './catalogue.ts';
import { NotRestorable, type Plan, planRestore, writeDatabase } from './restoring.ts';
import { openTarget } from './start-copy.ts';
import type { Target } from './target.ts';

interface Options {
  readonly from?: string;
  readonly at?: string;
  readonly line?: string;
  readonly check?: boolean;
}

/** Restores the database and its uploads from a continuous copy, as they were at a moment. */
export async function restoreCopy(
  file: string | undefined,
  { from, at, line, check }: Options,
  noteRestore: () => Promise<void>,
): Promise<void> {
  if (!from || file !== undefined || check)
    throw new Refusal(
      'Name what to restore: a file, or --from with a folder or s3://bucket/prefix. --at and --line belong to --from, and ' +
        '--check to a file.',
    );
  const until = at === undefined ? Number.POSITIVE_INFINITY : readTime(at);
  const config = readConfig(process.env);
  if (config.DATABASE_URL !== undefined)
    throw new Refusal('This server uses PostgreSQL, and a copy is one of the embedded database.');
  makeDataFolder(config.DATA_DIR);
  refuseFilled(config);
  const target = await openTarget(from, config, '--from');
  try {
    await bring(target, await planRestore(target, until, line), config, noteRestore);
  } catch (error) {
    if (error instanceof NotRestorable) throw new Refusal(`${error.message}\nNothing was restored.`);
    if (brokeOff(error))
      throw new Refusal(
        `${target.name} broke off: ${(error as Error).message}. Nothing was restored: run it again.`,
      );
    if (!(error instanceof FileStoreUnavailable)) throw error;
    throw new Refusal(
      `${target.name} cannot be read: ${error.message}. Check --from, and the keys of a store.`,
    );
  } finally {
    await target.close();
  }
}

function refuseFilled(config: Config): void {
  const there = [databaseFile(config), `${databaseFile(config)}-wal`].find((file) => existsSync(file));
  if (there !== undefined)
    throw new Refusal(
      `${there} is there already: a copy is restored into a new data folder. Move this one away, or set DATA_DIR.`,
    );
}

/** Brings everything, and renames the database last: no server starts before. */
async function bring(
  target: Target,
  plan: Plan,
  config: Config,
  noteRestore: () => Promise<void>,
): Promise<void> {
  const marker = arrivingFile(config);
  removeLeftovers(marker);
  const arriving = `${marker}-${randomUUID()}`;
  writeFileSync(marker, arriving);
  try {
    const last = await writeDatabase(target, plan, arriving);
    const files = examine(arriving, plan, last);
    const uploads = await bringUploads(target, files, config);
    keepAs(arriving, databaseFile(config));
    await noteRestore();
    print(
      `Restored ${databaseFile(config)} from ${target.name}: the last commit is of ${new Date(last).toISOString()}.`,
    );
    const lines = [...plan.notes, uploads.note, ...missingKey(config), tellOwner(config.DATA_DIR)];
    for (const line of lines) if (line !== undefined) print(line);
    if (uploads.harm !== undefined) throw new Refusal(uploads.harm);
  } finally {
    for (const suffix of ['', '-wal', '-shm']) rmSync(arriving + suffix, { force: true });
    // Another restore may have started here meanwhile.
    if (existsSync(marker) && readFileSync(marker, 'utf8') === arriving) rmSync(marker, { force: true });
  }
}

/** Removes what a killed restore left behind. */
function removeLeftovers(marker: string): void {
  for (const name of readdirSync(dirname(marker)))
    if (name.startsWith(`${basename(marker)}-`)) rmSync(join(dirname(marker), name), { force: true });
}

const OTHER = 'Another restore into this folder was begun, and goes on. This one has ended.';

/** Names the database, unless another restore finished first. */
function keepAs(arriving: string, file: string): void {
  try {
    linkSync(arriving, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || existsSync(file))
      throw new Refusal(`${file} is there already. Nothing was restored.`);
    if (code === 'ENOENT') throw new Refusal(OTHER);
    // Not every file system supports hard links.
    renameSync(arriving, file);
  }
}

interface Upload {
  readonly name: string;
  /** In bytes; undefined for thumbnails, whose size the database does not store. */
  readonly size: number | undefined;
}

/** @returns its uploads @throws Refusal for a damaged database, or one of a newer version */
function examine(file: string, plan: Plan, last: number): Upload[] {
  if (!existsSync(file)) throw new Refusal(OTHER);
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file);
    const [result] = db.prepare('PRAGMA integrity_check').all() as { integrity_check: string }[];
    if (result?.integrity_check !== 'ok') throw new Error(result?.integrity_check);
    const [newest] = db.prepare('SELECT max(version) AS version FROM schema_migrations').all() as {
      version: number;
    }[];
    if ((newest?.version ?? 0) > migrations.length)
      throw new Refusal(
        'The copy was made by a newer version of Parley: use that one. Nothing was restored.',
      );
    const hasPictures = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'pictures'").get() !== undefined;
    const pictures = " UNION ALL SELECT file, size, NULL FROM pictures WHERE status = 'shown'";
    const rows = db
      .prepare(
        `SELECT file, size, thumbnail_file FROM attachments WHERE status = 'ready'${hasPictures ? pictures : ''}`,
      )
      .all() as {
      file: string;
      size: number;
      thumbnail_file: string | null;
    }[];
    return rows.flatMap(({ file: name, size, thumbnail_file }) => [
      { name, size },
      ...(thumbnail_file === null ? [] : [{ name: thumbnail_file, size: undefined }]),
    ]);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new NotRestorable(
      `The database as of ${new Date(last).toISOString()} (line ${plan.line}) is not sound: ${(error as Error).message}. Try another time with --at.`,
    );
  } finally {
    db?.close();
  }
}

/** The most names in a message; the rest are counted. */
const MOST_NAMED = 20;

/** @returns a note for the operator, and which uploads are missing or damaged */
async function bringUploads(
  target: Target,
  uploads: readonly Upload[],
  config: Config,
): Promise<{ note: string; harm?: string }> {
  if (config.S3_BUCKET !== undefined)
    return { note: `The uploads are in the bucket ${config.S3_BUCKET}, and not in the copy.` };
  const folder = filesFolder(config);
  const bad: string[] = [];
  for (const upload of uploads.filter(({ name }) => isFileName(name)))
    if (!(await bringUpload(target, upload, folder))) bad.push(upload.name);
  const note = `Put ${uploadsCounted(uploads.length - bad.length)} to ${folder}.`;
  if (bad.length === 0) return { note };
  const some = bad.slice(0, MOST_NAMED).join(', ') + (bad.length > MOST_NAMED ? ' …' : '');
  return {
    note,
    harm: `The database was restored, but of the copy ${uploadsCounted(bad.length)} ${bad.length === 1 ? 'is' : 'are'} missing or damaged, and answered as not found: ${some}.`,
  };
}

/** Keeps a complete file that is there already. @returns whether the folder has the file in its size */
async function bringUpload(target: Target, { name, size }: Upload, folder: string): Promise<boolean> {
  const path = join(folder, name);
  const isWhole = (file: string) =>
    size === undefined ? statSync(file).size > 0 : statSync(file).size === size;
  if (existsSync(path) && isWhole(path)) return true;
  const content = await target.get(fileName(name));
  if (!content) return false;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const arriving = `${path}.arriving`;
  await pipeline(content, createWriteStream(arriving, { mode: 0o600, flush: true }));
  // A damaged copy does not replace the file that is there.
  if (!isWhole(arriving)) {
    rmSync(arriving);
    return false;
  }
  renameSync(arriving, path);
  return true;
}

function missingKey(config: Config): string[] {
  if (config.ENCRYPTION_KEY !== undefined || existsSync(join(config.DATA_DIR, 'encryption.key'))) return [];
  return [
    `Warning: there is no encryption.key in ${config.DATA_DIR}. Put back the one that belongs to this database, or the ` +
      'server does not start on it; "parley keys reset" goes on without it.',
  ];
}
