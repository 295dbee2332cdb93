export {
  type Database,
  DatabaseUnavailable,
  type Dialect,
  type Reader,
  type Tx,
  UniqueViolation,
  UnstorableText,
  type WriteOptions,
} from './database.ts';
export { type IdList, idList, inIdList, inTextList, type TextList, textList } from './id-list.ts';
export { locked } from './locked.ts';
export { assertMigrated, checksumOf, type Migration, migrate } from './migrate.ts';
export { SchemaRefused } from './schema-refused.ts';
export { SqliteDatabase } from './sqlite.ts';
export {
  type Change,
  type LockingSelection,
  queriesFor,
  type ReturningChange,
  rawSelect,
  type Select,
  type Selection,
} from './statement.ts';
