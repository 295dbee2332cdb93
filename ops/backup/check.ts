import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { checksumOf, digestOf, readFrozen } from '#platform/db/index.ts';
import { LOWEST_ID } from '#platform/ids.ts';
import { migrations, SCHEMA_BEFORE } from '#schema';
import { counted, uploadsCounted } from '../../src/process/counted.ts';
import { print, printable } from '../../src/process/printable.ts';
import { Refusal } from '../../src/process/refusal.ts';
import { inRoomOf } from '../../src/process/room.ts';
import { type Contents, isArchive, unpackDatabase } from './archive.ts';
import type { PageOfUploads, Upload } from './pack.ts';
import { differenceIn, digestOfSchema } from './schema.ts';

const CHANGED = 'nothing was changed';

/**
 * Proves that a backup could be restored, and touches nothing but a temporary folder: it is read as a whole.
 * @throws Refusal with what is wrong
 */
export async function checkBackup(file: string, pageOfUploads: PageOfUploads): Promise<void> {
  if (!existsSync(file)) throw new Refusal(`There is no file ${file}.`);
  if (!isArchive(file)) {
    checkFile(file);
    tell(file, [...describe(file), 'It holds the database alone: the uploads are not checked.']);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'parley-check-'));
  try {
    const database = join(folder, 'parley.db');
    const contents = await inRoomOf(folder, () => unpackDatabase(file, database));
    checkFile(database, file);
    const uploads = await compareUploads(file, database, contents, pageOfUploads);
    const { manifest } = contents;
    const made = manifest ? [printable(`Made at ${manifest.made_at} by Parley ${manifest.version}.`)] : [];
    tell(file, [...made, ...describe(database), uploads]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Last of all: before, anything can be wrong. */
function tell(file: string, found: readonly string[]): void {
  for (const line of [...found, `${file} can be restored.`]) print(line);
}

/** Each file that the database names must be there, in its size. @returns what was found */
async function compareUploads(
  file: string,
  database: string,
  { manifest, files }: Contents,
  pageOfUploads: PageOfUploads,
): Promise<string> {
  if (manifest && !manifest.uploads) return 'The uploads are in a store of their own, and not in it.';
  const deleted = new Set(manifest?.deleted);
  const lacking: string[] = [];
  let bytes = 0;
  const look = (name: string, size?: number) => {
    const found = files.get(name);
    bytes += found ?? 0;
    if (found === undefined ? !deleted.has(name) : size !== undefined && found !== size) lacking.push(name);
  };
  const reader = readFrozen(database);
  try {
    for (let after: string | undefined = LOWEST_ID; after !== undefined; ) {
      const rows: readonly Upload[] = await pageOfUploads(reader, { after, limit: 500 });
      for (const row of rows) {
        look(row.file, row.size);
        if (row.thumbnail_file !== null) look(row.thumbnail_file);
      }
      after = rows.at(-1)?.id;
    }
  } finally {
    reader.close();
  }
  if (lacking.length > 0)
    throw new Refusal(
      `${file} lacks ${uploadsCounted(lacking.length)} that its database names, or has in another size, as ` +
        `${lacking[0]}. It restores all the rest. Look whether they are in DATA_DIR/files, and make another backup.`,
    );
  const gone = deleted.size > 0 ? `; ${deleted.size} were deleted while it was made` : '';
  return `${uploadsCounted(files.size)}, ${counted(bytes, 'byte')}, all that the database names${gone}.`;
}

function describe(file: string): string[] {
  const db = openBackup(file);
  const some = (called: string, table: string, where: string) => {
    const { n } = db.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${where}`).get() as { n: number };
    return `${n} ${called}${n === 1 ? '' : 's'}`;
  };
  try {
    const applied = appliedTo(db);
    const newest = applied.at(-1);
    const isOlder = isOfPredecessor(applied) || applied.length < migrations.length;
    const older = isOlder ? ' It is migrated when it is restored.' : '';
    return [
      `The database is sound, of version ${newest?.version} (${newest?.name}).${older}`,
      `It has ${some('account', 'users', 'active = 1')}, ${some('team', 'teams', 'active = 1')} and ${some('message', 'messages', 'deleted_at IS NULL')}.`,
    ];
  } finally {
    db.close();
  }
}

interface Applied {
  readonly version: number;
  readonly name: string;
  readonly checksum: string | null;
}

/** @param called what it is a part of @throws Refusal when it is damaged, not a database of Parley, or of a newer version */
export function checkFile(file: string, called = file): void {
  if (!existsSync(file)) throw new Refusal(`There is no file ${file}.`);
  const db = openBackup(file);
  try {
    checkDatabase(db, called);
  } finally {
    db.close();
  }
}

/** Without a log beside it the file alone is the database: it is read where nothing can be written. */
export function openBackup(file: string): DatabaseSync {
  const url = pathToFileURL(resolve(file));
  if (!['-wal', '-journal'].some((suffix) => existsSync(file + suffix)))
    url.searchParams.set('immutable', '1');
  return new DatabaseSync(url, { readOnly: true });
}

function checkDatabase(db: DatabaseSync, called: string): void {
  const applied = readSound(db, called);
  if (applied?.[0] === undefined)
    throw new Refusal(`${called} is damaged or not a database of Parley; ${CHANGED}. Take another backup.`);
  const differs = isOfPredecessor(applied) ? differenceBefore(db) : differenceFrom(db, called, applied);
  if (differs !== undefined)
    throw new Refusal(
      `${called} has another schema than Parley of its version, as in ${printable(differs)}: somebody changed it; ${CHANGED}. Take another backup.`,
    );
  const [broken] = db.prepare('PRAGMA foreign_key_check').all() as { table: string; parent: string }[];
  if (broken)
    throw new Refusal(
      `In ${called} a row of ${broken.table} refers to a row of ${broken.parent} that is not there; ${CHANGED}. Take another backup.`,
    );
}

/** Whether a server that starts brings it to the first migration. */
const isOfPredecessor = (applied: readonly Applied[]) =>
  migrations[0]?.predecessor?.digest.sqlite === digestOf(applied);

const differenceBefore = (db: DatabaseSync) =>
  digestOfSchema(db) === SCHEMA_BEFORE ? undefined : 'its tables, indexes or triggers';

/** @throws Refusal for other migrations than ours @returns the name of something that they did not make */
function differenceFrom(db: DatabaseSync, called: string, applied: readonly Applied[]): string | undefined {
  const other = applied.find(({ version, checksum }) => {
    const own = migrations[version - 1];
    return own && checksum !== checksumOf(own, 'sqlite');
  });
  if (other)
    throw new Refusal(
      `${called} was made with a migration ${printable(other.name)} that this program does not have: use the program that made it; ${CHANGED}.`,
    );
  if (applied.some(({ version }) => version > migrations.length))
    throw new Refusal(`${called} was made by a newer version of Parley: use that one; ${CHANGED}.`);
  if (applied.some(({ version }, index) => version !== index + 1)) return 'schema_migrations';
  return differenceIn(db, migrations.slice(0, applied.length));
}

const appliedTo = (db: DatabaseSync) =>
  db.prepare('SELECT * FROM schema_migrations ORDER BY version').all() as unknown as Applied[];

/** SQLITE_ERROR, as of a table that is not there, SQLITE_CORRUPT, SQLITE_NOTADB. */
const UNUSABLE = [1, 11, 26];

/** @returns its migrations; undefined when the file is damaged or not a database of Parley */
function readSound(db: DatabaseSync, called: string): Applied[] | undefined {
  try {
    const [result] = db.prepare('PRAGMA integrity_check').all() as { integrity_check: string }[];
    if (result?.integrity_check !== 'ok') return undefined;
    return appliedTo(db);
  } catch (error) {
    const { errcode = 0, message } = error as Error & { errcode?: number };
    if (UNUSABLE.includes(errcode & 0xff)) return undefined;
    throw new Refusal(
      `${called} cannot be read: ${message}; ${CHANGED}. Copy it, with the -wal beside it, to a folder that you may write.`,
    );
  }
}
