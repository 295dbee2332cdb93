import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../../src/process/config.ts';
import { PRIVATE_FILES, tellReadOnly } from '../../src/process/data-folder.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

const MB = 1024 * 1024;
const LITTLE = 1024 * MB;
const TOO_LITTLE = 50 * MB;
const OTHERS = 0o007;
const NOT_OWNER = 0o077;

/** The room on the disk of DATA_DIR, and who may read it. */
export async function checkFolder(config: Config): Promise<Finding[]> {
  const { DATA_DIR } = config;
  const folder = resolve(DATA_DIR);
  const there = nearest(folder);
  if (!statSync(there).isDirectory())
    return [
      failed('folder', `DATA_DIR "${folder}" cannot be used: ${there} is a file. Choose another folder.`),
    ];
  const backups = config.BACKUP_DIR === undefined ? [] : [checkBackups(resolve(config.BACKUP_DIR), there)];
  return [checkRights(folder, there), checkRoom(there), ...backups];
}

/** Whether a server can make its backups there. A disk that is not mounted looks like a folder, or is none. */
function checkBackups(folder: string, data: string): Finding {
  const there = nearest(folder);
  try {
    if (!statSync(there).isDirectory()) throw new Error('it is a file');
    accessSync(there, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { message } = error as Error;
    return failed(
      'backups',
      `BACKUP_DIR "${folder}" cannot be used: ${message}. Choose a folder that this user may write.`,
    );
  }
  if (there !== folder)
    return warning(
      'backups',
      `BACKUP_DIR "${folder}" is not there: the first backup makes it, on the disk of ${there}. Where it should be on another one, mount that first.`,
    );
  const disk =
    statSync(folder).dev === statSync(data).dev
      ? ', on the disk of DATA_DIR. Where it should be on another one, that is not mounted'
      : '';
  return ok('backups', `BACKUP_DIR "${folder}" can be written${disk}.`);
}

/** The folder itself, or the first above it that is there. */
function nearest(folder: string): string {
  return existsSync(folder) || folder === dirname(folder) ? folder : nearest(dirname(folder));
}

function checkRights(folder: string, there: string): Finding {
  try {
    accessSync(there, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return failed(
      'folder',
      tellReadOnly(folder, error) ??
        `DATA_DIR "${folder}" cannot be used: this user may not read and write ${there}. Give it to them.`,
    );
  }
  if (there !== folder) return ok('folder', `DATA_DIR "${folder}" is made at the first start.`);
  const { uid, mode } = statSync(folder);
  if (process.getuid && uid !== process.getuid())
    return warning(
      'folder',
      `DATA_DIR "${folder}" belongs to another user (${uid}). Run the server and its commands as that one.`,
    );
  if ((mode & OTHERS) !== 0)
    return warning(
      'folder',
      `Other users of this machine can look into DATA_DIR "${folder}". Close it: chmod 700 ${folder}`,
    );
  const open = PRIVATE_FILES.map((name) => join(folder, name)).filter(
    (file) => existsSync(file) && (statSync(file).mode & NOT_OWNER) !== 0,
  );
  if (open.length > 0)
    return warning('folder', `Others can read ${open.join(', ')}. A start closes them, or chmod 600.`);
  return ok('folder', `DATA_DIR "${folder}" belongs to this user, and is closed to others.`);
}

function checkRoom(there: string): Finding {
  const { bavail, bsize } = statfsSync(there);
  const free = bavail * bsize;
  const text = `${Math.floor(free / MB)} MB are free at ${there}.`;
  if (free < TOO_LITTLE) return failed('disk', `${text} Make room: nothing can be stored soon.`);
  return free < LITTLE ? warning('disk', `${text} Make room.`) : ok('disk', text);
}
