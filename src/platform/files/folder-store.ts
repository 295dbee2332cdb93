import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { checkFileName } from './file-name.ts';
import type { ByteRange, FileStore } from './file-store.ts';
import type { SpooledFile } from './spool.ts';
import { flush } from './whole-file.ts';

/** Files in a folder of this machine. The spool must be on the same file system. */
export class FolderStore implements FileStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The content is flushed already, so after a crash the name leads to the whole file or to none. */
  async put(name: string, file: SpooledFile): Promise<void> {
    const path = this.#path(name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rename(file.path, path);
    await flush(dirname(path));
    await flush(this.#folder);
  }

  async get(name: string, range?: ByteRange): Promise<Readable | undefined> {
    try {
      const handle = await open(this.#path(name), 'r');
      return handle.createReadStream(range && { start: range.first, end: range.last });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  delete(name: string): Promise<void> {
    return rm(this.#path(name), { force: true });
  }

  async close(): Promise<void> {}

  #path(name: string): string {
    return join(this.#folder, checkFileName(name));
  }
}
