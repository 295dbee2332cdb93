import { once } from 'node:events';
import { auditService } from '../stewardship/audit/index.ts';
import { Refusal } from './refusal.ts';
import { record, withDatabase, writeAsOperator } from './with-database.ts';

interface AuditOptions {
  since?: string;
  until?: string;
  action?: string;
}

export async function printAudit({ since, until, action }: AuditOptions): Promise<void> {
  const filter = { since: readTime(since), until: readTime(until), action };
  await withDatabase(async (db) => {
    await writeAsOperator(db, (tx) => record(tx, { action: 'audit.exported' }));
    for await (const entry of auditService({ db }).stream(filter)) {
      if (!process.stdout.write(`${JSON.stringify(entry)}\n`)) await once(process.stdout, 'drain');
    }
  });
}

function readTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = Date.parse(text);
  if (Number.isNaN(time))
    throw new Refusal(`"${text}" is not a time: write it as 2026-01-31 or 2026-01-31T12:00:00Z.`);
  return time;
}
