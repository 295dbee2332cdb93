import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reader } from '#platform/db/index.ts';
import type { Config } from '../../src/process/config.ts';
import { ConfigError } from '../../src/process/config-error.ts';
import { isThere } from '../../src/process/data-folder.ts';
import { cookieKeyOf, keyIn, nextFile, refuseOtherKey, tellOtherCookieKey } from '../../src/process/keys.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

/** Whether the keys can be read, and are those of the database, or are made at the first start. */
export async function checkKeys(config: Config, db: Reader): Promise<Finding> {
  const files = checkKeyFiles(config);
  if (files.result === 'failed') return files;
  try {
    await refuseOtherKey(config, db);
    const told = await tellOtherCookieKey(db, cookieKeyOf(config));
    if (told !== undefined && files.result === 'ok') return warning('keys', told);
  } catch (error) {
    if (error instanceof ConfigError) return failed('keys', error.message);
    throw error;
  }
  return files;
}

/** Checks the files of the keys, without the database. */
export function checkKeyFiles(config: Config): Finding {
  const { DATA_DIR, ENCRYPTION_KEY, COOKIE_KEY } = config;
  const inFiles = { 'encryption.key': ENCRYPTION_KEY, 'cookie.key': COOKIE_KEY };
  for (const [name, set] of Object.entries(inFiles)) {
    const file = join(DATA_DIR, name);
    try {
      if (set === undefined && isThere(file)) keyIn(file, readFileSync(file, 'utf8'));
    } catch (error) {
      if (error instanceof ConfigError) return failed('keys', error.message);
      const { message } = error as Error;
      return failed(
        'keys',
        `${file} cannot be read: ${message}. Run the server and its commands as the user who owns it.`,
      );
    }
  }
  if (existsSync(nextFile(config)))
    return warning(
      'keys',
      ENCRYPTION_KEY === undefined
        ? `There is ${nextFile(config)}: a replacement of the key was interrupted. Run "parley keys rotate" again.`
        : `There is ${nextFile(config)}: set ENCRYPTION_KEY of all servers to what is in it, and delete it.`,
    );
  return ok('keys', 'They can be read, or are made at the first start. Keep a copy of encryption.key.');
}
