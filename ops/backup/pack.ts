import { open, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { type Reader, readFrozen } from '#platform/db/index.ts';
import { type ArchiveFile, archive, type FileStore } from '#platform/files/index.ts';
import { type Clock, LOWEST_ID } from '#platform/ids.ts';
import { DATABASE, FILES, MANIFEST, type Manifest } from './manifest.ts';
import { readme } from './readme.ts';

const PAGE = 200;

/** An upload by the names of its files. */
export interface Upload {
  readonly id: string;
  readonly file: string;
  readonly thumbnail_file: string | null;
  /** Of the file, in bytes. */
  readonly size: number;
}

/** Some uploads of a database, in the order of their ids. */
export type PageOfUploads = (
  from: Reader,
  page: { after: string; limit: number },
) => Promise<readonly Upload[]>;

export interface PackDeps {
  readonly clock: Clock;
  readonly version: string;
  /** Undefined where uploads are kept elsewhere: then they are not part of it. */
  readonly files: FileStore | undefined;
  /** Copies one state of the database to a file of SQLite, and checks it. */
  readonly snapshotDatabase: (file: string, signal?: AbortSignal) => Promise<void>;
  readonly pageOfUploads: PageOfUploads;
  /** Whether nobody has deleted it. */
  readonly isKept: (id: string) => Promise<boolean>;
}

export interface Packing {
  /** An unused path for the copy of the database, which is gone from there once the archive is being made. */
  readonly copy: string;
  /** Runs before the last bytes. */
  readonly complete: (manifest: Manifest) => Promise<unknown>;
  /** Runs in any case. */
  readonly over?: () => Promise<void>;
  readonly signal?: AbortSignal;
}

export type Pack = (packing: Packing) => Promise<Readable>;

/** @returns what makes an archive of the database and the uploads, while it is read */
export function packer({ clock, version, files, snapshotDatabase, pageOfUploads, isKept }: PackDeps): Pack {
  return async function pack({ copy, complete, over, signal }) {
    const at = new Date(clock());
    const database = await copied(copy, signal);
    const manifest = {
      format: 1 as const,
      version,
      made_at: at.toISOString(),
      uploads: files !== undefined,
      files: 0,
      deleted: [] as string[],
      lost: [] as string[],
    };

    /** The uploads after the database: a file never changes, so what the copy names is still there, unless it was deleted. */
    async function* contents(): AsyncGenerator<ArchiveFile> {
      yield { name: 'README.txt', content: one(readme({ version, at, hasUploads: files !== undefined })) };
      yield { name: DATABASE, content: database.content() };
      if (files) yield* uploads(files);
      yield { name: MANIFEST, content: one(`${JSON.stringify(manifest, null, 2)}\n`) };
    }

    async function* uploads(store: FileStore): AsyncGenerator<ArchiveFile> {
      for (let after = LOWEST_ID; ; ) {
        const rows = await pageOfUploads(database.reader, { after, limit: PAGE });
        for (const { id, file, thumbnail_file } of rows) {
          yield* upload(store, id, file);
          if (thumbnail_file !== null) yield* upload(store, id, thumbnail_file);
        }
        const last = rows.at(-1);
        if (!last || rows.length < PAGE) return;
        after = last.id;
      }
    }

    /** Most formats are compressed already. */
    async function* upload(store: FileStore, id: string, name: string): AsyncGenerator<ArchiveFile> {
      const content = await store.get(name);
      if (!content) {
        manifest[(await isKept(id)) ? 'lost' : 'deleted'].push(name);
        return;
      }
      manifest.files++;
      // The reader of the archive gets the error; without a listener it would end the process before there is a reader.
      content.on('error', () => undefined);
      try {
        yield { name: `${FILES}${name}`, content, isPacked: true };
      } finally {
        content.destroy();
      }
    }

    const made = archive(contents(), at, {
      complete: () => complete(manifest),
      over: async () => {
        signal?.removeEventListener('abort', end);
        try {
          await database.close();
        } finally {
          await over?.();
        }
      },
    });
    const end = () => made.destroy(signal?.reason as Error);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
    return made;
  };

  /** Unlinked as soon as it is open, so that it vanishes on close even if the reader or the process dies. */
  async function copied(path: string, signal: AbortSignal | undefined) {
    try {
      await snapshotDatabase(path, signal);
      const handle = await open(path);
      try {
        const reader = readFrozen(path);
        // Opens the file: nothing has been read of it before.
        await pageOfUploads(reader, { after: LOWEST_ID, limit: 1 });
        return {
          reader,
          content: () => handle.createReadStream({ autoClose: false }),
          close: async () => {
            reader.close();
            await handle.close();
          },
        };
      } catch (error) {
        await handle.close();
        throw error;
      }
    } finally {
      await rm(path, { force: true });
    }
  }
}

async function* one(text: string): AsyncGenerator<string> {
  yield text;
}
