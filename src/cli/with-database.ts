import { attribute, type Origin } from '#api';
import type { Database, Tx } from '#platform/db/index.ts';
import { type Config, readConfig } from '../process/config.ts';
import { openDatabase } from '../process/database.ts';
import { auditRecorder } from '../stewardship/audit/index.ts';

export const OPERATOR: Origin = { kind: 'operator', id: null, address: null };

/** Opens the database of the settings, brings it up to date, and closes it afterwards. Safe while a server runs. */
export async function withDatabase<T>(work: (db: Database, config: Config) => Promise<T>): Promise<T> {
  const config = readConfig(process.env);
  // A command reads too little for a replica.
  const { db } = await openDatabase(
    { ...config, DATABASE_REPLICA_URL: undefined },
    () => undefined,
    Date.now(),
  );
  try {
    return await work(db, config);
  } finally {
    await db.close();
  }
}

/** Records commands of the operator as theirs. */
export const record = auditRecorder(Date.now);

/** A transaction of the operator. */
export function writeAsOperator<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.write((tx) => {
    attribute(tx, OPERATOR);
    return work(tx);
  });
}

/** Records a command without an audit entry of its own. */
export async function recordCommand(db: Database, command: string): Promise<void> {
  await writeAsOperator(db, (tx) => record(tx, { action: 'operator.command', detail: { command } }));
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
