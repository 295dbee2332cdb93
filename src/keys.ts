import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cipher } from '#platform/crypto/index.ts';
import type { Database } from '#platform/db/index.ts';
import { type Config, ConfigError } from './config.ts';
import { statement } from './schema/index.ts';

export interface Keys {
  /** Encrypts client secrets. */
  readonly encryption: Buffer;
  /** Signs cookies and picture addresses. */
  readonly cookie: Buffer;
}

/** The keys from the settings, or else from the data folder, where they are made on the first start. */
export function loadKeys(config: Config): Keys {
  return {
    encryption: config.ENCRYPTION_KEY ?? keyFile(config.DATA_DIR, 'encryption.key'),
    cookie: config.COOKIE_KEY ?? keyFile(config.DATA_DIR, 'cookie.key'),
  };
}

/** Makes the data folder, which nobody else may look into. */
export function makeDataFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

function keyFile(folder: string, name: string): Buffer {
  makeDataFolder(folder);
  const file = join(folder, name);
  try {
    // "wx" fails when the file is there: of two servers that start at once, both use the first one's key.
    writeFileSync(file, randomBytes(32).toString('base64'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  chmodSync(file, 0o600);
  const key = Buffer.from(readFileSync(file, 'utf8'), 'base64');
  if (key.length === 32) return key;
  throw new ConfigError(`${file} does not hold a key of 32 bytes in base64: restore it from a backup.`);
}

const KNOWN_TEXT = 'parley';

const rememberKey = statement<{ value: string }>()((q, p) =>
  q
    .insertInto('server_state')
    .values({ name: 'encryption_check', value: p.value })
    .onConflict((conflict) => conflict.doNothing()),
);

const findCheck = statement<object>()((q) =>
  q.selectFrom('server_state').select('value').where('name', '=', 'encryption_check'),
);

/** Refuses to serve a database whose secrets this key cannot read. @throws ConfigError */
export async function checkEncryptionKey(db: Database, key: Buffer): Promise<void> {
  const cipher = new Cipher(key);
  const check = await db.write(async (tx) => {
    await rememberKey.all(tx, { value: cipher.encrypt(KNOWN_TEXT) });
    return findCheck.first(tx, {});
  });
  try {
    if (check && cipher.decrypt(check.value) === KNOWN_TEXT) return;
  } catch {
    // Answered below: a wrong key and a wrong text are the same to whoever starts the server.
  }
  throw new ConfigError(
    'The encryption key is not the one that this database was made with: set ENCRYPTION_KEY, or put back ' +
      'encryption.key in DATA_DIR. All servers on one database need the same key.',
  );
}
