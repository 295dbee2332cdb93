import { accessSync, constants, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const GIB = 1024 ** 3;

/**
 * A temporary folder: in memory if there is room, so that tests do not wait for a disk.
 * @param room that must be free in memory, in GiB: much more than the folder will hold
 */
export function newFolder(room = 2): string {
  return mkdtempSync(join(hasRoom(room * GIB) ? MEMORY : tmpdir(), 'parley-test-'));
}

function hasRoom(bytes: number): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > bytes;
  } catch {
    return false;
  }
}
