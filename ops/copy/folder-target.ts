import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, link, mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FileStoreUnavailable, flush } from '../../src/platform/files/index.ts';
import type { Target } from './target.ts';

/** The suffix of files being written. No object has such a name. */
const ARRIVING = '.arriving-';

/** A copy in a folder, on another disk or on the network. */
export class FolderTarget implements Target {
  readonly name: string;

  constructor(folder: string) {
    this.name = folder;
  }

  put(name: string, content: Uint8Array): Promise<void> {
    return this.#arrive(name, async (path) => {
      const handle = await open(path, 'wx', 0o600);
      try {
        await handle.writeFile(content);
        await handle.sync();
      } finally {
        await handle.close();
      }
    });
  }

  async putFile(name: string, path: string): Promise<boolean> {
    try {
      const source = await open(path, 'r');
      await this.#arrive(name, (arriving) =>
        pipeline(source.createReadStream(), createWriteStream(arriving, { mode: 0o600, flush: true })),
      );
      return true;
    } catch (error) {
      const { code, path: at } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' && at === path) return false;
      // Another server stored it first. Uploads of one name have one content.
      if (code === 'EEXIST') return true;
      throw error;
    }
  }

  async get(name: string): Promise<Readable | undefined> {
    try {
      const handle = await open(this.#path(name), 'r');
      return handle.createReadStream();
    } catch (error) {
      if (!isMissing(error)) throw error;
      await expectFolder(this.name);
      return undefined;
    }
  }

  async list(prefix: string): Promise<string[]> {
    const names: string[] = [];
    const entries = await entriesOf(this.#path(prefix));
    if (entries.length === 0) await expectFolder(this.name);
    for (const entry of entries) {
      const name = prefix + entry.name;
      if (entry.isDirectory()) for (const inner of await this.list(`${name}/`)) names.push(inner);
      else if (!entry.name.startsWith(ARRIVING)) names.push(name);
    }
    return names.sort();
  }

  /** Also removes folders that became empty. */
  async delete(name: string): Promise<void> {
    await rm(this.#path(name), { force: true });
    try {
      for (let folder = dirname(name); folder !== '.'; folder = dirname(folder))
        await rmdir(this.#path(folder));
    } catch {
      // The folder is not empty.
    }
  }

  async close(): Promise<void> {}

  #path(name: string): string {
    return join(this.name, name);
  }

  async #arrive(name: string, write: (path: string) => Promise<void>): Promise<void> {
    const path = this.#path(name);
    const folder = dirname(path);
    const arriving = join(folder, ARRIVING + randomUUID());
    // Never creates the target itself: an empty folder would hide a disk that is not mounted.
    await makeFolders(this.name, dirname(name));
    try {
      await write(arriving);
      await keep(arriving, path);
    } finally {
      await rm(arriving, { force: true });
    }
    await flush(folder);
  }
}

/** Links a file to its final name, unless that exists. */
async function keep(arriving: string, path: string): Promise<void> {
  try {
    await link(arriving, path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // Some file systems lack hard links. Names are random enough for a rename.
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP'].includes(code)) throw error;
    await rename(arriving, path);
  }
}

async function makeFolders(top: string, below: string): Promise<void> {
  let folder = top;
  for (const part of below.split('/')) {
    folder = join(folder, part);
    try {
      await mkdir(folder, { mode: 0o700 });
      await flush(dirname(folder));
    } catch (error) {
      if (isMissing(error)) await expectFolder(top);
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** Tells an unmounted folder, whose contents are not lost, from an empty one. */
async function expectFolder(top: string): Promise<void> {
  try {
    await access(top);
  } catch (error) {
    throw new FileStoreUnavailable(`${top} is not there: make it, or mount its disk`, { cause: error });
  }
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';
