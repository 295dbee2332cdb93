import { attribute, type Origin } from '#api';
import type { Database, Tx } from '#platform/db/index.ts';
import { auditRecorder } from '../stewardship/audit/index.ts';

export const OPERATOR: Origin = { kind: 'operator', id: null, address: null };

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
