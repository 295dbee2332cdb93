import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** What is written under another name until it is whole. */
const unfinished = (path: string) => join(dirname(path), `.${basename(path)}.part`);

/**
 * Gives a file its name once it is whole and on the disk: whatever ends the process before, nothing looks like it.
 * @param write writes it to the path that it is given, where nothing is
 */
export async function writeWhole(path: string, write: (path: string) => Promise<unknown>): Promise<void> {
  const part = unfinished(path);
  await rm(part, { force: true });
  try {
    await write(part);
    await flush(part);
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  await flush(dirname(path));
}

/** The same for what a stream gives. */
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
