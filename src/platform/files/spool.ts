import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A file that has arrived whole, and is flushed to this machine's disk. */
export interface SpooledFile {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** In hex. */
  readonly sha256: string;
  /** Removes it, unless a store has taken it over. */
  discard(): Promise<void>;
}

/** Temporary files for uploads that have not been accepted yet. */
export class Spool {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @returns an unused path, for callers that write the file themselves */
  async reserve(): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    return join(this.#folder, randomUUID());
  }

  /** Leaves nothing behind when `content` throws; rethrows its error. */
  async receive(content: AsyncIterable<Uint8Array>): Promise<SpooledFile> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const path = join(this.#folder, randomUUID());
    const discard = () => rm(path, { force: true });
    try {
      return { path, ...(await write(path, content)), discard };
    } catch (error) {
      await discard();
      throw error;
    }
  }

  /** Removes leftovers of a crash. @param before milliseconds since 1970; files written later stay */
  async removeLeftovers(before: number): Promise<void> {
    for (const name of await readdir(this.#folder).catch(ifMissing<string[]>([]))) {
      const path = join(this.#folder, name);
      const modified = await stat(path).then(({ mtimeMs }) => mtimeMs, ifMissing(before));
      if (modified < before) await rm(path, { force: true });
    }
  }
}

async function write(path: string, content: AsyncIterable<Uint8Array>) {
  const hash = createHash('sha256');
  let size = 0;
  const handle = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of content) {
      size += chunk.length;
      hash.update(chunk);
      await handle.writeFile(chunk);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { size, sha256: hash.digest('hex') };
}

/** Another process may have been quicker. */
function ifMissing<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === 'ENOENT') return instead;
    throw error;
  };
}
