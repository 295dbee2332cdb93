import { backup } from '../../ops/backup/backup.ts';
import { joinPacker } from '../app/backups.ts';
import { version } from '../process/version.ts';
import { record, recordCommand, writeAsOperator } from './as-operator.ts';

export const backUp = (file: string) =>
  backup(file, {
    pack: (config, db, files) => joinPacker({ config, db, clock: Date.now, version, files }),
    recordStart: (db) => recordCommand(db, 'backup'),
    recordEnd: (db) => writeAsOperator(db, (tx) => record(tx, { action: 'backup.made' })),
  });
