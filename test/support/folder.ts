import { accessSync, constants, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const ENOUGH = 2 * 1024 ** 3;

/** A temporary folder for one test: in memory if there is room, so that tests do not wait for a disk. */
export function newFolder(): string {
  return mkdtempSync(join(hasRoom() ? MEMORY : tmpdir(), 'parley-test-'));
}

function hasRoom(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > ENOUGH;
  } catch {
    return false;
  }
}
