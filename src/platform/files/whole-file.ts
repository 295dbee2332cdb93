import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * A hidden name beside a file, for what is written on the way to it. It is of this call alone: another process may be making
 * a file of the same name. Removes what processes that have ended left.
 */
export async function nameBeside(path: string, kind: string): Promise<string> {
  const start = `.${basename(path)}.`;
  for (const name of await readdir(dirname(path))) {
    const [, pid] = (name.startsWith(start) && OWN.exec(name.slice(start.length))) || [];
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(dirname(path), name), { force: true });
  }
  return join(dirname(path), `${start}${process.pid}-${randomBytes(4).toString('hex')}.${kind}`);
}

/** The number of the process first. */
const OWN = /^(\d+)-[0-9a-f]{8}\.(?:part|database)(?:-wal|-shm|-journal)?$/;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Of somebody else, but there.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Gives a file its name once it is whole and on the disk: whatever ends the process before, nothing looks like it.
 * @param write writes it to the path that it is given, where nothing is
 * @throws EEXIST when somebody else has made a file of that name meanwhile
 */
export async function writeWhole(path: string, write: (path: string) => Promise<unknown>): Promise<void> {
  const part = await nameBeside(path, 'part');
  try {
    await write(part);
    await flush(part);
    await name(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  await flush(dirname(path));
}

/** A link replaces nothing. */
async function name(part: string, path: string): Promise<void> {
  try {
    await link(part, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ENOENT') throw error;
    // Not every file system supports hard links.
    return rename(part, path);
  }
  await rm(part, { force: true });
}

/** Writes a stream as a whole file. */
export const keepWhole = (path: string, content: Readable): Promise<void> =>
  writeWhole(path, (part) => pipeline(content, createWriteStream(part, { mode: 0o600, flags: 'wx' })));

/** Of a folder: a rename is durable once it is flushed. */
export async function flush(path: string): Promise<void> {
  if (process.platform === 'win32') return; // which cannot flush folders, and does not need it
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
