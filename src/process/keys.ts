import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cipher, sign } from '#platform/crypto/index.ts';
import type { Database, Reader, Tx } from '#platform/db/index.ts';
import { statement } from '#schema';
import { type Config, ConfigError } from './config.ts';
import { makeDataFolder } from './data-folder.ts';
import { Refusal } from './refusal.ts';

export interface Keys {
  /** Encrypts client secrets. */
  readonly encryption: Buffer;
  /** Signs cookies, and addresses of pictures and of answers to clicks. */
  readonly cookie: Buffer;
}

/**
 * The keys from the settings, or else from the data folder, where they are made on the first start. No encryption key
 * is made beside a database that was made with one: it would look like the right one.
 * @throws ConfigError when the encryption key is missing, or is another one
 */
export async function loadKeys(config: Config, db: Database): Promise<Keys> {
  await refuseOtherKey(config, db);
  const keys = keysWithout(config);
  await checkEncryptionKey(db, keys.encryption);
  return keys;
}

/** Only reads. @throws ConfigError when the database was made with an encryption key, and the settings have not that one */
export async function refuseOtherKey(config: Config, db: Reader): Promise<void> {
  if (await findFormerCheck.first(db, {})) throw new ConfigError(INTERRUPTED);
  await refuseFormerKey(config, db);
  const check = await findCheck.first(db, {});
  if (check === undefined) return;
  const file = encryptionFile(config);
  const key = config.ENCRYPTION_KEY ?? keyAt(file);
  if (key === undefined)
    throw new ConfigError(
      `This database was made with an encryption key, and there is no ${file}. ${ADVICE}`,
    );
  if (!opens(key, check.value)) throw new ConfigError(OTHER_KEY);
}

/**
 * The same of a database that may have no tables yet, or another program's, which the migrations refuse.
 * @throws ConfigError before anything is changed: only a backup leads back to the program before
 */
export async function refuseOtherKeyFirst(config: Config, db: Database): Promise<void> {
  const find =
    db.dialect === 'sqlite'
      ? "SELECT name FROM sqlite_schema WHERE name = 'server_state'"
      : "SELECT to_regclass('server_state')::text AS name";
  const [table] = await db.all<{ name: string | null }>(find, []);
  if (table?.name) await refuseOtherKey(config, db);
}

export const encryptionFile = (config: Config) => join(config.DATA_DIR, 'encryption.key');
/** The key that takes the place of the present one, until it has its name. */
export const nextFile = (config: Config) => `${encryptionFile(config)}.next`;

const INTERRUPTED =
  'The encryption key is being replaced, or that was interrupted: run "parley keys rotate" again, with the same settings.';

/** A rotation has ended in the database, and the servers have the former key. */
async function refuseFormerKey(config: Config, db: Reader): Promise<void> {
  const check = await findCheck.first(db, {});
  const next = keyAt(nextFile(config));
  if (!check || !next || !opens(next, check.value)) return;
  if (!config.ENCRYPTION_KEY) throw new ConfigError(INTERRUPTED);
  if (!next.equals(config.ENCRYPTION_KEY))
    throw new ConfigError(
      `ENCRYPTION_KEY is the former key: set it to what is in ${nextFile(config)}, and delete that file.`,
    );
}

/** @returns undefined where there is no such file @throws ConfigError for one without a key */
export function keyAt(file: string): Buffer | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return keyIn(file, readFileSync(file, 'utf8'));
  } catch (error) {
    throw error instanceof ConfigError ? error : unreadable(file, error);
  }
}

/** The keys, created where missing, without a check against the database. */
function keysWithout(config: Config): Keys {
  return {
    encryption: config.ENCRYPTION_KEY ?? keyFile(config.DATA_DIR, 'encryption.key'),
    cookie: config.COOKIE_KEY ?? keyFile(config.DATA_DIR, 'cookie.key'),
  };
}

function keyFile(folder: string, name: string): Buffer {
  makeDataFolder(folder);
  const file = join(folder, name);
  return keyIn(file, readOrMake(file));
}

/** @throws ConfigError for a content of a key's file that is no key */
export function keyIn(file: string, content: string): Buffer {
  const key = Buffer.from(content, 'base64');
  if (key.length === 32) return key;
  throw new ConfigError(`${file} does not hold a key of 32 bytes in base64: restore it from a backup.`);
}

function readOrMake(file: string): string {
  try {
    // "wx" fails if the file exists: when two servers start at the same time, both use the first one's key.
    writeFileSync(file, randomBytes(32).toString('base64'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC')
      throw new ConfigError(`There is no room for the key ${file}: ${message}. Make room, and start again.`);
    if (code !== 'EEXIST') throw unreadable(file, error);
  }
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw unreadable(file, error);
  }
}

const unreadable = (file: string, error: unknown) =>
  new ConfigError(
    `The key ${file} cannot be used: ${(error as Error).message}. Give it and DATA_DIR to the user who starts the ` +
      'server, or put the file back from a backup.',
  );

const ADVICE =
  'Put back encryption.key in DATA_DIR, or set ENCRYPTION_KEY; all servers on one database need the same key. If it is ' +
  'lost, "parley keys reset" gives up what only it can read.';

const OTHER_KEY = `The encryption key is not the one that this database was made with. ${ADVICE}`;

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
async function checkEncryptionKey(db: Database, key: Buffer): Promise<void> {
  if (await fits(db, key)) return;
  throw new ConfigError(OTHER_KEY);
}

async function fits(db: Database, key: Buffer): Promise<boolean> {
  const cipher = new Cipher(key);
  const check = await db.write(async (tx) => {
    await rememberKey.run(tx, { value: cipher.encrypt(KNOWN_TEXT) });
    return findCheck.first(tx, {});
  });
  return check !== undefined && opens(key, check.value);
}

/** Whether a check was made with this key. */
function opens(key: Buffer, check: string): boolean {
  try {
    return new Cipher(key).decrypt(check) === KNOWN_TEXT;
  } catch {
    // A wrong key and a changed text are the same here.
    return false;
  }
}

const forgetCheck = statement<object>()((q) =>
  q.deleteFrom('server_state').where('name', '=', 'encryption_check'),
);
/**
 * Goes on without a lost encryption key: with the one that is there, or with a new one. Where a rotation cannot go on, the
 * present key may fit, and only a half of what is encrypted can be read with it.
 * @param giveUp deals with what only the lost key can read, in the transaction that remembers the new one
 * @returns what `giveUp` returns; undefined where the key fits, and nothing is done
 */
export async function resetEncryption<T extends object>(
  db: Database,
  config: Config,
  giveUp: (tx: Tx, cipher: Cipher) => Promise<T>,
): Promise<T | undefined> {
  await refuseRotating(config, db);
  const { encryption } = keysWithout(config);
  const isHalf = (await findFormerCheck.first(db, {})) !== undefined;
  if ((await fits(db, encryption)) && !isHalf) return undefined;
  const cipher = new Cipher(encryption);
  return db.write(async (tx) => {
    await forgetCheck.run(tx, {});
    await deleteFormerCheck.run(tx, {});
    await rememberKey.run(tx, { value: cipher.encrypt(KNOWN_TEXT) });
    return giveUp(tx, cipher);
  });
}

/** Nothing is lost while a rotation can go on. @throws Refusal */
async function refuseRotating(config: Config, db: Database): Promise<void> {
  const former = config.ENCRYPTION_KEY ?? keyAt(encryptionFile(config));
  const standing = await rotationOf(db, former, keyAt(nextFile(config))).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    return 'none' as const;
  });
  if (standing !== 'none') throw new Refusal(INTERRUPTED);
}

const setCheck = statement<{ value: string }>()((q, p) =>
  q.updateTable('server_state').set({ value: p.value }).where('name', '=', 'encryption_check'),
);

const FORMER = 'former_encryption_check';

/** The check of the key before, while all that it encrypts is encrypted again: no server starts meanwhile. */
const findFormerCheck = statement<object>()((q) =>
  q.selectFrom('server_state').select('value').where('name', '=', FORMER),
);

const insertFormerCheck = statement<{ value: string }>()((q, p) =>
  q.insertInto('server_state').values({ name: FORMER, value: p.value }),
);

const deleteFormerCheck = statement<object>()((q) => q.deleteFrom('server_state').where('name', '=', FORMER));

/** How far the replacement of an encryption key is in the database. */
type Standing = 'none' | 'under way' | 'done';

/**
 * @param former the present key of the settings, which may be gone where it was replaced already
 * @throws Refusal where a key is not the one that the database knows
 */
export async function rotationOf(
  db: Database,
  former: Buffer | undefined,
  next: Buffer | undefined,
): Promise<Standing> {
  const check = (await findCheck.first(db, {}))?.value;
  const before = (await findFormerCheck.first(db, {}))?.value;
  if (check === undefined)
    throw new Refusal('No server has used this database yet: it has no encryption key to replace.');
  const fits = (key: Buffer | undefined, text: string) => key !== undefined && opens(key, text);
  if (before === undefined) {
    if (fits(former, check)) return 'none';
    if (fits(next, check)) return 'done';
    throw new Refusal(OTHER_KEY);
  }
  if (fits(next, check) && fits(former, before)) return 'under way';
  throw new Refusal(
    'The replacement of the encryption key was begun with other keys: put back encryption.key and encryption.key.next as ' +
      'they were in DATA_DIR, or ENCRYPTION_KEY, and run this again.',
  );
}

/** From now on no server starts, with either key. */
export async function beginRotation(tx: Tx, next: Buffer): Promise<void> {
  const check = await findCheck.first(tx, {});
  await insertFormerCheck.run(tx, { value: check?.value ?? '' });
  await setCheck.run(tx, { value: new Cipher(next).encrypt(KNOWN_TEXT) });
}

/** Servers with the next key may start. */
export const endRotation = (tx: Tx) => deleteFormerCheck.run(tx, {});

const COOKIE_CHECK = 'cookie_check';

const findCookieCheck = statement<object>()((q) =>
  q.selectFrom('server_state').select('value').where('name', '=', COOKIE_CHECK),
);

const setCookieCheck = statement<{ value: string }>()((q, p) =>
  q
    .insertInto('server_state')
    .values({ name: COOKIE_CHECK, value: p.value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: p.value })),
);

/** Tells keys apart, and nothing of them. */
const cookieCheck = (key: Buffer) => sign(key, 'parley cookie check');

/**
 * Compares the cookie key with that of the server that was started last. Nothing else notices another one: a session is signed
 * with it, so that the server does not know those of the others. The embedded database has one server.
 * @returns what is wrong, and what to do
 */
export async function tellOtherCookieKey(db: Reader, key: Buffer | undefined): Promise<string | undefined> {
  if (db.dialect !== 'postgres') return undefined;
  const last = (await findCookieCheck.first(db, {}))?.value;
  if (last === undefined || (key && cookieCheck(key) === last)) return undefined;
  const what = key
    ? 'The cookie key is another one than that of the server that was started last'
    : 'There is no cookie.key, and a start makes another one than the servers on this database have';
  return (
    `${what}: who signs in at one of them is signed out at the other. Give all servers the same COOKIE_KEY, or the same ` +
    'cookie.key in DATA_DIR, and restart those that had another one.'
  );
}

/**
 * Notes the cookie key of a server that starts. The last one counts, so that after a replacement on all servers, one after the
 * other, none is warned of any more.
 * @returns as {@link tellOtherCookieKey}, before that
 */
export async function noteCookieKey(db: Database, key: Buffer): Promise<string | undefined> {
  if (db.dialect !== 'postgres') return undefined;
  const told = await tellOtherCookieKey(db, key);
  await db.write((tx) => setCookieCheck.run(tx, { value: cookieCheck(key) }));
  return told;
}

/** The cookie key of the settings or of the data folder. @returns undefined where a start makes it */
export const cookieKeyOf = ({ COOKIE_KEY, DATA_DIR }: Config): Buffer | undefined =>
  COOKIE_KEY ?? keyAt(join(DATA_DIR, 'cookie.key'));
