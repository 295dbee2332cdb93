import { once } from 'node:events';
import { readTime } from '../process/time.ts';
import { withDatabase } from '../process/with-database.ts';
import { auditService } from '../stewardship/audit/index.ts';
import { record, writeAsOperator } from './as-operator.ts';

interface AuditOptions {
  since?: string;
  until?: string;
  action?: string;
}

export async function printAudit({ since, until, action }: AuditOptions): Promise<void> {
  const filter = {
    since: since === undefined ? undefined : readTime(since),
    until: until === undefined ? undefined : readTime(until),
    action,
  };
  await withDatabase(async (db) => {
    await writeAsOperator(db, (tx) => record(tx, { action: 'audit.exported' }));
    for await (const entry of auditService({ db }).stream(filter)) {
      if (!process.stdout.write(`${JSON.stringify(entry)}\n`)) await once(process.stdout, 'drain');
    }
  });
}
