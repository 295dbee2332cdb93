import { once } from 'node:events';
import type { Command } from 'commander';
import { auditService } from '../stewardship/audit/index.ts';
import { Refusal } from './refusal.ts';
import { record, withDatabase, writeAsOperator } from './with-database.ts';

interface AuditOptions {
  since?: string;
  until?: string;
  action?: string;
}

export function addAuditCommands(program: Command): void {
  program
    .command('audit')
    .description('print the audit log, the oldest first, one JSON object a line')
    .option('--since <time>', 'from this time on, as 2026-01-31 or 2026-01-31T12:00:00Z')
    .option('--until <time>', 'up to this time')
    .option('--action <action>', 'one action, as sign_in.refused, or all of a kind, as sign_in.')
    .action(printAudit);
}

async function printAudit({ since, until, action }: AuditOptions): Promise<void> {
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
