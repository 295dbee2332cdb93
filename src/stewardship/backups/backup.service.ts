import { open, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { attribute, Conflict, NotAllowed, type Origin, TooManyRequests, Unavailable } from '#api';
import type { Database } from '#platform/db/index.ts';
import { type ArchiveFile, archive, type FileStore, type Spool } from '#platform/files/index.ts';
import { type Clock, LOWEST_ID } from '#platform/ids.ts';
import type { Recorder } from '../audit/index.ts';
import { readme } from './readme.ts';

const PAGE = 200;
const RETRY_S = 60;

/** An upload by the names of its files. */
interface Upload {
  readonly id: string;
  readonly file: string;
  readonly thumbnail_file: string | null;
}

export type BackupService = ReturnType<typeof backupService>;

/** The embedded database and the uploads as one archive, for an administrator to take along. */
export function backupService(deps: {
  db: Database;
  clock: Clock;
  version: string;
  allowed: boolean;
  /** Undefined where uploads are kept elsewhere: then they are not part of it. */
  files: FileStore | undefined;
  /** Some uploads, in the order of their ids. */
  pageOfUploads: (page: { after: string; limit: number }) => Promise<readonly Upload[]>;
  spool: Spool;
  record: Recorder;
}) {
  const { db, clock, version, allowed, files, pageOfUploads, spool, record } = deps;
  const underWay = new Set<Readable>();
  let isBusy = false;
  let isStopping = false;

  /** Files that a full backup also needs and this archive leaves out. */
  const lacks = ['encryption.key', 'cookie.key', ...(files ? [] : ['uploads'])];

  function refuse(): void {
    if (!allowed) throw new NotAllowed('backup_off', 'The operator has switched this off (ADMIN_BACKUP)');
    if (db.dialect === 'postgres')
      throw new Conflict('postgres', 'This server uses PostgreSQL: back it up with pg_dump');
    if (isBusy) throw new TooManyRequests('backup', RETRY_S);
  }

  /** @returns a ZIP archive, made while it is read @throws NotAllowed, Conflict, TooManyRequests */
  async function make(origin: Origin): Promise<Readable> {
    refuse();
    isBusy = true;
    try {
      await db.write((tx) => {
        attribute(tx, origin);
        return record(tx, { action: 'backup.downloaded' });
      });
      return await pack();
    } catch (error) {
      isBusy = false;
      throw error;
    }
  }

  async function pack(): Promise<Readable> {
    const database = await copyDatabase();
    const made = archive(contents(database.createReadStream()), new Date(clock()), {
      complete: async () => undefined,
      over: async () => {
        underWay.delete(made);
        isBusy = false;
        await database.close();
      },
    });
    underWay.add(made);
    if (isStopping) stop();
    return made;
  }

  /** Unlinked as soon as it is open, so that it vanishes on close even if the client or the process dies. */
  async function copyDatabase() {
    const path = await spool.reserve();
    try {
      await db.backup(path);
      if (isStopping) throw new Unavailable();
      return await open(path);
    } finally {
      await rm(path, { force: true });
    }
  }

  /** The uploads after the database: a file never changes, so what the copy names is still there. */
  async function* contents(database: AsyncIterable<Uint8Array>): AsyncGenerator<ArchiveFile> {
    yield {
      name: 'README.txt',
      content: one(readme({ version, at: new Date(clock()), hasUploads: files !== undefined })),
    };
    yield { name: 'parley.db', content: database };
    if (files) yield* uploads(files);
  }

  async function* uploads(store: FileStore): AsyncGenerator<ArchiveFile> {
    for (let after = LOWEST_ID; ; ) {
      const rows = await pageOfUploads({ after, limit: PAGE });
      for (const { file, thumbnail_file } of rows) {
        yield* upload(store, file);
        if (thumbnail_file !== null) yield* upload(store, thumbnail_file);
      }
      const last = rows.at(-1);
      if (!last || rows.length < PAGE) return;
      after = last.id;
    }
  }

  /** Yields nothing for a file that was just removed. Most formats are compressed already. */
  async function* upload(store: FileStore, name: string): AsyncGenerator<ArchiveFile> {
    const content = await store.get(name);
    if (!content) return;
    // The reader of the archive gets the error; without a listener it would end the process before there is a reader.
    content.on('error', () => undefined);
    try {
      yield { name: `files/${name}`, content, isPacked: true };
    } finally {
      content.destroy();
    }
  }

  /** Ends the downloads that are under way: a server that stops cannot wait for a slow connection. */
  function stop(): void {
    isStopping = true;
    for (const made of underWay) made.destroy(new Error('the server is stopping'));
  }

  return { make, lacks, stop };
}

async function* one(text: string): AsyncGenerator<string> {
  yield text;
}
