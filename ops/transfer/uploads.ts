import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { type Database, together } from '#platform/db/index.ts';
import { brokeOff, type FileStore, FileStoreUnavailable, FolderStore, Spool } from '#platform/files/index.ts';
import { LOWEST_ID } from '#platform/ids.ts';
import type { Config } from '../../src/process/config.ts';
import { counted } from '../../src/process/counted.ts';
import { openFileStore, openSpool } from '../../src/process/files.ts';
import { print } from '../../src/process/printable.ts';
import { Refusal } from '../../src/process/refusal.ts';
import { withDatabase } from '../../src/process/with-database.ts';
import type { PageOfUploads } from '../backup/pack.ts';

/** Files that are copied at once: each is several requests to the store. */
const AT_ONCE = 8;
const PAGE = 200;
const TELL_EVERY = 1000;
/** The names of lost files that are told. */
const MOST_NAMED = 20;

/** The parts of the product that a move of uploads is handed. */
export interface UploadParts {
  readonly pageOfUploads: PageOfUploads;
  /** Whether an upload is whole, and nobody has deleted it. */
  readonly isReady: (db: Database, id: string) => Promise<boolean>;
  readonly recordStart: (db: Database) => Promise<void>;
}

interface Place {
  readonly name: string;
  readonly store: FileStore;
}

interface File {
  /** Of its upload. */
  readonly id: string;
  readonly name: string;
  /** In bytes; undefined of a small picture, which the database knows no size of. */
  readonly size: number | undefined;
}

/**
 * Copies the uploads between the bucket of the settings and a folder, and proves that both have the same. A file has a
 * name of its own and never changes, so servers may run.
 * @param options.filesFrom the folder to copy to the bucket @param options.filesTo the folder to copy the bucket to
 */
export async function moveFiles(
  options: { filesFrom?: string; filesTo?: string },
  parts: UploadParts,
): Promise<void> {
  const isOut = options.filesTo !== undefined;
  const path = resolve(options.filesTo ?? (options.filesFrom as string));
  refuseFolder(path, isOut);
  await withDatabase(async (db, config) => {
    if (config.S3_BUCKET === undefined)
      throw new Refusal(
        'The settings name no bucket: set S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY and S3_SECRET_KEY. Between two folders, copy the folder.',
      );
    const bucket = { name: `the bucket ${config.S3_BUCKET}`, store: await openFileStore(config) };
    const folder = { name: path, store: new FolderStore(path) };
    const [source, target] = isOut ? [bucket, folder] : [folder, bucket];
    const spool = isOut ? new Spool(join(path, 'incoming')) : openSpool(config);
    try {
      await parts.recordStart(db);
      const problems = await copyAll(db, { source, target, spool }, parts);
      for (const line of whatNext(config, path, isOut)) print(line);
      if (problems.length > 0) throw new Refusal(problems.join('\n'));
    } catch (error) {
      if (!(error instanceof FileStoreUnavailable)) throw error;
      throw new Refusal(`${bucket.name} fails: ${error.message}. What was copied stays: run it again.`);
    } finally {
      await bucket.store.close();
    }
  });
}

function refuseFolder(path: string, isTarget: boolean): void {
  const option = isTarget ? '--files-to' : '--files-from';
  if (existsSync(join(path, 'parley.db')) || existsSync(join(path, 'encryption.key')))
    throw new Refusal(
      `${option} ${path} is a data folder. Its uploads are in ${join(path, 'files')}: give that.`,
    );
  if (existsSync(path) && !statSync(path).isDirectory()) throw new Refusal(`${option} ${path} is no folder.`);
  if (!isTarget && !existsSync(path)) throw new Refusal(`${option}: there is no folder ${path}.`);
}

/** @returns what is wrong with files that could not be copied @throws Refusal when there is none of them */
async function copyAll(
  db: Database,
  on: { source: Place; target: Place; spool: Spool },
  { pageOfUploads, isReady }: UploadParts,
): Promise<string[]> {
  const { source, target } = on;
  const counts = { copied: 0, there: 0, alone: 0, bytes: 0 };
  const [lost, damaged]: [string[], string[]] = [[], []];
  let failed = false;
  const files = filesOf(db, pageOfUploads);

  async function work(): Promise<void> {
    for (;;) {
      const { value: file, done } = await files.next();
      if (done || failed) return;
      const { outcome, bytes } = await carry(file, on);
      if (outcome === 'damaged') damaged.push(file.name);
      else if (outcome !== 'lost') counts[outcome]++;
      else if (await isReady(db, file.id)) lost.push(file.name);
      counts.bytes += bytes;
      const looked = counts.copied + counts.there + counts.alone + lost.length + damaged.length;
      if (looked % TELL_EVERY === 0) print(`${counted(looked, 'file')} so far`);
    }
  }
  const fail = (error: unknown) => {
    failed = true;
    throw error;
  };
  await together(Array.from({ length: AT_ONCE }, () => work().catch(fail)));
  const { copied, there, alone, bytes } = counts;
  if (lost.length > 0 && copied + there + alone + damaged.length === 0)
    throw new Refusal(
      `${source.name} has none of the files that the database names (${lost.length}). Is it the right place?`,
    );
  print(
    `The same in ${source.name} and in ${target.name} by SHA-256: ${counted(copied + there, 'file')} (${counted(bytes, 'byte')}); copied now: ${copied}.`,
  );
  if (alone > 0) print(`In ${target.name} alone: ${counted(alone, 'file')}, stored there by a server.`);
  return [
    ...named(lost, 'that the database names in neither place'),
    ...named(
      damaged,
      `damaged in ${source.name}, or in ${target.name} alone, or different; nothing in ${target.name} was replaced by them`,
    ),
  ];
}

function named(names: readonly string[], what: string): string[] {
  if (names.length === 0) return [];
  const some = names.slice(0, MOST_NAMED).join(', ');
  return [`${counted(names.length, 'file')} ${what}: ${some}${names.length > MOST_NAMED ? ' …' : ''}.`];
}

async function* filesOf(db: Database, pageOfUploads: PageOfUploads): AsyncGenerator<File, undefined> {
  for (let after = LOWEST_ID; ; ) {
    const page = await pageOfUploads(db, { after, limit: PAGE });
    for (const { id, file, size, thumbnail_file } of page) {
      yield { id, name: file, size };
      if (thumbnail_file !== null) yield { id, name: thumbnail_file, size: undefined };
    }
    const last = page.at(-1);
    if (!last) return undefined;
    after = last.id;
  }
}

/** Copies a file that the target lacks, or has in part, and reads it back. What is whole there is not replaced. */
async function carry(
  { name, size }: File,
  { source, target, spool }: { source: Place; target: Place; spool: Spool },
): Promise<{ outcome: 'copied' | 'there' | 'alone' | 'lost' | 'damaged'; bytes: number }> {
  const before = await digestOf(target.store, name);
  const content = await source.store.get(name);
  if (!content) {
    if (!before) return { outcome: 'lost', bytes: 0 };
    return { outcome: isWhole(before, size) ? 'alone' : 'damaged', bytes: 0 };
  }
  const file = await readable(spool.receive(content));
  try {
    const given = { bytes: file.size, sha256: file.sha256 };
    if (before && same(before, given) && isWhole(given, size))
      return { outcome: 'there', bytes: given.bytes };
    if (!isWhole(given, size) || (before && isWhole(before, size))) return { outcome: 'damaged', bytes: 0 };
    await target.store.put(name, file);
    const there = await digestOf(target.store, name);
    if (there && same(there, given)) return { outcome: 'copied', bytes: given.bytes };
  } finally {
    await file.discard();
  }
  throw new Refusal(
    `${name} is not in ${target.name} as it was given to it. Check that store, and run it again.`,
  );
}

const isWhole = ({ bytes }: Digest, size: number | undefined) => size === undefined || bytes === size;

interface Digest {
  readonly bytes: number;
  readonly sha256: string;
}

const same = (a: Digest, b: Digest) => a.bytes === b.bytes && a.sha256 === b.sha256;

async function digestOf(store: FileStore, name: string): Promise<Digest | undefined> {
  const content = await store.get(name);
  return content && sum(content);
}

function sum(content: Readable): Promise<Digest> {
  const hash = createHash('sha256');
  const read = async () => {
    let bytes = 0;
    for await (const chunk of content as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      hash.update(chunk);
    }
    return { bytes, sha256: hash.digest('hex') };
  };
  return readable(read());
}

/** A store that breaks off in the middle of a file is one that fails. Errors of this machine stay what they are. */
async function readable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (!brokeOff(error)) throw error;
    throw new FileStoreUnavailable((error as Error).message, { cause: error });
  }
}

function whatNext(config: Config, folder: string, isOut: boolean): string[] {
  if (!isOut)
    return [
      `Start the servers with these settings. Run it once more where one has stored uploads in ${folder} meanwhile.`,
    ];
  const files = join(config.DATA_DIR, 'files');
  const move = resolve(files) === folder ? '' : `, make it ${files}`;
  return [
    `Stop the servers, run it once more for what they have stored meanwhile${move}, and start them without the settings that begin with S3_.`,
  ];
}
