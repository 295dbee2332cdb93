import { print } from '../process/printable.ts';
import { withDatabase } from '../process/with-database.ts';
import { recordCommand } from './as-operator.ts';

export async function migrateNow(): Promise<void> {
  await withDatabase((db) => recordCommand(db, 'migrate'));
  print('The database is up to date.');
}
