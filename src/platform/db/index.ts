export {
  type Batch,
  type Database,
  DatabaseClosed,
  type DatabaseLoad,
  DatabaseUnavailable,
  type Dialect,
  gathering,
  type Outcome,
  preparing,
  type Reader,
  type ReplicaStatus,
  settle,
  settleEach,
  type Tx,
  together,
  UniqueViolation,
  UnstorableText,
  type Watcher,
  type WriteOptions,
} from './database.ts';
export { eachOnce } from './each-once.ts';
export { Filling } from './filling.ts';
export { foundFirst } from './found-first.ts';
export { only } from './group.ts';
export { inFoundIds, inIdList, inTextList, inTimeList } from './in-list.ts';
export { loadTogether } from './load-together.ts';
export { locked } from './locked.ts';
export {
  assertMigrated,
  type ColumnTypes,
  checksumOf,
  digestOf,
  type Migration,
  MOVING,
  migrate,
  type Predecessor,
  sqliteSchemaOf,
  UNFINISHED,
} from './migrate.ts';
export { Outcomes } from './outcomes.ts';
export { type Column, columnsOf, packing } from './packing.ts';
export { PLANNED_EACH_TIME } from './postgres-connection.ts';
export { type Rewriting, rewritingFor } from './rewriting.ts';
export { SchemaRefused } from './schema-refused.ts';
export { readFrozen, SqliteDatabase } from './sqlite.ts';
export {
  type Change,
  type LockingSelection,
  queriesFor,
  type ReturningChange,
  rawSelect,
  type Select,
  type Selection,
} from './statement.ts';
