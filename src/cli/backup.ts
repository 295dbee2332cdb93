import type { Database } from '#platform/db/index.ts';
import { keepWhole, nameBeside, writeWhole } from '#platform/files/index.ts';
import { joinPacker } from '../app/backups.ts';
import type { Config } from '../process/config.ts';
import { copyDatabase } from '../process/copy-database.ts';
import { counted, uploadsCounted } from '../process/counted.ts';
import { filesFolder, openFileStore } from '../process/files.ts';
import { expectNewFile } from '../process/new-file.ts';
import { print } from '../process/printable.ts';
import { Refusal } from '../process/refusal.ts';
import { version } from '../process/version.ts';
import type { Manifest } from '../stewardship/backups/index.ts';
import { record, recordCommand, withDatabase, writeAsOperator } from './with-database.ts';

/** Copies the database to a file of SQLite, or with the uploads to an archive, by the name of the file. */
export async function backup(file: string): Promise<void> {
  expectNewFile(file);
  const notes = await withDatabase(async (db, config) => {
    await recordCommand(db, 'backup');
    const made = /\.zip$/i.test(file)
      ? await archiveTo(file, db, config).catch(explain)
      : await databaseTo(file, db, config).catch(explain);
    await writeAsOperator(db, (tx) => record(tx, { action: 'backup.made' }));
    return made;
  });
  print(
    `Backed up to ${file}, and checked. Keep encryption.key from the data folder with it: without it no server starts on the backup.`,
  );
  for (const note of notes) print(note);
}

const NO_ROOM = ['ENOSPC', 'EDQUOT', 'EFBIG'];
/** SQLITE_FULL, and SQLITE_IOERR, by which SQLite tells of a quota or a limit. */
const SQLITE_NO_ROOM = [13, 10];

function explain(error: NodeJS.ErrnoException & { errcode?: number; dest?: string }): never {
  const { code = '', errcode, message, syscall, dest } = error;
  if (NO_ROOM.includes(code) || (errcode !== undefined && SQLITE_NO_ROOM.includes(errcode & 0xff)))
    throw new Refusal(
      `The backup failed: ${message}. There must be room for a copy of the database, and for the archive beside it.`,
    );
  if (code === 'EEXIST' && syscall === 'link')
    throw new Refusal(`${dest} was made by somebody else meanwhile, and stays; choose another name.`);
  if (code === 'ERR_SQLITE_ERROR') throw new Refusal(`The backup failed: ${message}.`);
  throw error;
}

async function databaseTo(file: string, db: Database, config: Config): Promise<string[]> {
  await writeWhole(file, (part) => copyDatabase(db, part));
  // The uploads come second: files are immutable, so every file that the copied database names is still there.
  if (config.S3_BUCKET === undefined)
    return [`Now copy the uploads too: ${filesFolder(config)}. Or name the file .zip, and they are in it.`];
  return [inBucket(config)];
}

async function archiveTo(file: string, db: Database, config: Config): Promise<string[]> {
  const copy = await nameBeside(file, 'database');
  const files = await openFileStore(config);
  try {
    const pack = joinPacker({ config, db, clock: Date.now, version, files });
    let manifest: Manifest | undefined;
    const complete = async (made: Manifest) => {
      manifest = made;
    };
    await keepWhole(file, await pack({ copy, complete }));
    if (config.S3_BUCKET !== undefined) return [inBucket(config)];
    const { lost = [] } = manifest ?? {};
    return [
      manifest?.files === 1
        ? '1 file of uploads is in it.'
        : `${uploadsCounted(manifest?.files ?? 0)} are in it.`,
      ...(lost.length > 0
        ? [
            `Warning: ${counted(lost.length, 'file')} that the database names ${lost.length === 1 ? 'is' : 'are'} not in ${filesFolder(config)}, as ${lost[0]}. Put them back from an older backup.`,
          ]
        : []),
    ];
  } finally {
    await files.close();
  }
}

const inBucket = (config: Config) =>
  `The uploads are in the bucket ${config.S3_BUCKET}, and not part of this backup.`;
