import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
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
  /** The names of files that somebody in this process uses. */
  readonly #inUse = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @returns an unused path, for callers that write the file themselves and discard it when they are done */
  async reserve(): Promise<Pick<SpooledFile, 'path' | 'discard'>> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const name = randomUUID();
    const path = join(this.#folder, name);
    this.#inUse.add(name);
    const discard = async () => {
      await rm(path, { force: true });
      this.#inUse.delete(name);
    };
    return { path, discard };
  }

  /** Leaves nothing behind when `content` throws; rethrows its error. */
  async receive(content: AsyncIterable<Uint8Array>): Promise<SpooledFile> {
    const { path, discard } = await this.reserve();
    try {
      return { path, ...(await write(path, content)), discard };
    } catch (error) {
      await discard();
      throw error;
    }
  }

  /**
   * Removes leftovers of a crash. What this process uses stays, however long that takes. The file system says how old the
   * other files are: this machine's clock may have jumped, and it is not the clock of a folder that several machines share.
   * @param unchangedMs files that were written since then stay: another process may be receiving them
   */
  async removeLeftovers(unchangedMs: number): Promise<void> {
    const names = await readdir(this.#folder).catch(ifMissing<string[]>([]));
    const others = names.filter((name) => !this.#inUse.has(name));
    if (others.length === 0) return;
    const before = (await this.#now()) - unchangedMs;
    for (const name of others) {
      const path = join(this.#folder, name);
      const modified = await stat(path).then(({ mtimeMs }) => mtimeMs, ifMissing(before));
      if (modified < before) await rm(path, { force: true });
    }
  }

  /** The time that the file system gives to a file of this moment, in milliseconds since 1970. */
  async #now(): Promise<number> {
    const { path, discard } = await this.reserve();
    try {
      await writeFile(path, '', { flag: 'wx', mode: 0o600 });
      return (await stat(path)).mtimeMs;
    } finally {
      await discard();
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
