import type { Database } from '#platform/db/index.ts';
import { type FileStore, keepWhole, nameBeside, writeWhole } from '#platform/files/index.ts';
import type { Config } from '../../src/process/config.ts';
import { counted, uploadsCounted } from '../../src/process/counted.ts';
import { filesFolder, openFileStore } from '../../src/process/files.ts';
import { expectNewFile } from '../../src/process/new-file.ts';
import { print } from '../../src/process/printable.ts';
import { Refusal } from '../../src/process/refusal.ts';
import { isOfRoom } from '../../src/process/room.ts';
import { withDatabase } from '../../src/process/with-database.ts';
import type { Manifest } from './manifest.ts';
import type { Pack } from './pack.ts';
import { snapshotDatabase } from './snapshot-database.ts';

/** The parts of the product that a backup is handed. */
export interface BackupParts {
  readonly pack: (config: Config, db: Database, files: FileStore) => Pack;
  readonly recordStart: (db: Database) => Promise<void>;
  readonly recordEnd: (db: Database) => Promise<void>;
}

/** Copies the database to a file of SQLite, or with the uploads to an archive, by the name of the file. */
export async function backup(file: string, parts: BackupParts): Promise<void> {
  expectNewFile(file);
  const notes = await withDatabase(async (db, config) => {
    await parts.recordStart(db);
    const made = /\.zip$/i.test(file)
      ? await archiveTo(file, db, config, parts.pack).catch(explain)
      : await databaseTo(file, db, config).catch(explain);
    await parts.recordEnd(db);
    return made;
  });
  print(
    `Backed up to ${file}, and checked. Keep encryption.key from the data folder with it: without it no server starts on the backup.`,
  );
  for (const note of notes) print(note);
}

function explain(error: NodeJS.ErrnoException & { dest?: string }): never {
  const { code = '', message, syscall, dest } = error;
  if (isOfRoom(error))
    throw new Refusal(
      `The backup failed: ${message}. There must be room for a copy of the database, and for the archive beside it.`,
    );
  if (code === 'EEXIST' && syscall === 'link')
    throw new Refusal(`${dest} was made by somebody else meanwhile, and stays; choose another name.`);
  if (code === 'ERR_SQLITE_ERROR') throw new Refusal(`The backup failed: ${message}.`);
  throw error;
}

async function databaseTo(file: string, db: Database, config: Config): Promise<string[]> {
  await writeWhole(file, (part) => snapshotDatabase(db, part));
  // The uploads come second: files are immutable, so every file that the copied database names is still there.
  if (config.S3_BUCKET === undefined)
    return [`Now copy the uploads too: ${filesFolder(config)}. Or name the file .zip, and they are in it.`];
  return [inBucket(config)];
}

async function archiveTo(
  file: string,
  db: Database,
  config: Config,
  packOf: BackupParts['pack'],
): Promise<string[]> {
  const copy = await nameBeside(file, 'database');
  const files = await openFileStore(config);
  try {
    const pack = packOf(config, db, files);
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
