import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ConfigError } from './config-error.ts';

const OTHERS = 0o007;
export const PRIVATE_FILES = [
  'parley.db',
  'parley.db-wal',
  'parley.db-shm',
  'encryption.key',
  'encryption.key.next',
  'cookie.key',
];

const ABSENT = ['ENOENT', 'ENOTDIR'];

/** Whether a file is there. @throws where nobody can tell, as in a folder that this user may not look into */
export function isThere(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch (error) {
    if (ABSENT.includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/** Makes the data folder, which only its owner may look into. @throws ConfigError where it cannot be written */
export function makeDataFolder(folder: string): void {
  try {
    makeEach(resolve(folder));
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    if (!statSync(folder).isDirectory()) throw new Error('it is a file');
  } catch (error) {
    throw new ConfigError(
      tellReadOnly(folder, error) ??
        `DATA_DIR "${folder}" cannot be used as the data folder: ${(error as Error).message}. Choose another folder, or give ` +
          'this one to the user who starts the server.',
    );
  }
}

/** Systems make a disk read-only when it fails, and its content can still be copied. @returns what to do, where it is so */
export function tellReadOnly(folder: string, error: unknown): string | undefined {
  if ((error as NodeJS.ErrnoException).code !== 'EROFS' || !existsSync(join(folder, 'parley.db')))
    return undefined;
  return (
    `DATA_DIR "${folder}" is on a disk that can only be read now, as one that fails: ${(error as Error).message}. Stop the ` +
    'server, and save what is there first: copy the folder to another disk, parley.db always with parley.db-wal, which has ' +
    'what was stored last. Set DATA_DIR to the copy to go on with it, or repair the disk and mount it for writing.'
  );
}

/** A file that another user made in the folder may be closed to its owner, whose server does not start then. @returns a warning */
export function tellOwner(folder: string): string | undefined {
  const own = process.getuid?.();
  const { uid, gid } = statSync(folder);
  if (own === undefined || own === uid) return undefined;
  return (
    `Warning: DATA_DIR "${folder}" belongs to user ${uid}, and what was made in it to user ${own}, who ran this. Give it to ` +
    `the user of the server before the start: chown -R ${uid}:${gid} ${resolve(folder)}`
  );
}

/** Creates the folders one by one: where a folder cannot be created, as in /proc, `recursive` retries forever. */
function makeEach(folder: string): void {
  if (existsSync(folder)) return;
  makeEach(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process that starts may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Restricts the content of the data folder to its owner, also where an older server or a copy left it readable.
 * @returns a warning if others can list the folder itself
 */
export function closeToOthers(folder: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  for (const name of PRIVATE_FILES) restrict(join(folder, name), 0o600);
  restrict(join(folder, 'files'), 0o700);
  const mode = statSync(folder).mode & 0o777;
  if ((mode & OTHERS) === 0) return undefined;
  return (
    `Other users of this machine can look into DATA_DIR "${folder}" (mode ${mode.toString(8)}). Its files are closed to ` +
    `them; close the folder too: chmod 700 ${folder}`
  );
}

function restrict(path: string, mode: number): void {
  if (!existsSync(path) || (statSync(path).mode & 0o777 & ~mode) === 0) return;
  try {
    chmodSync(path, mode);
  } catch {
    // Owned by another user, whose decision it is.
  }
}
