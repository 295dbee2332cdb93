import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { pino } from 'pino';
import type { Database } from '#platform/db/index.ts';
import type { FileStore, Spool } from '#platform/files/index.ts';
import { errorClasses } from '../api/index.ts';
import { createApp } from '../app/app.ts';
import { environmentExample, readConfig } from '../config.ts';
import { version, webFolder } from '../start.ts';
import { Refusal } from './refusal.ts';
import { print } from './with-database.ts';

/** The documents that are made from the code, and committed. */
const documents: { file: string; make: () => Promise<string> }[] = [
  { file: 'openapi.json', make: openApi },
  { file: '.env.example', make: async () => environmentExample() },
  { file: 'docs/errors.md', make: async () => errorTable() },
];

export function addDocumentCommands(program: Command): void {
  program
    .command('openapi')
    .description('write openapi.json and the other documents that are made from the code')
    .option('--check', 'write nothing; fail when a document is out of date')
    .action(writeDocuments);
  program
    .command('settings')
    .description('every setting with its default')
    .action(() => print(environmentExample()));
}

async function writeDocuments({ check }: { check?: boolean }): Promise<void> {
  for (const { file, make } of documents) {
    const path = fileURLToPath(new URL(`../../${file}`, import.meta.url));
    const made = await make();
    if (!check) writeFileSync(path, made);
    else if (readIfThere(path) !== made)
      throw new Refusal(`${file} is out of date: run "npm run documents".`);
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Routes need no database to be described, so this one is never asked. */
const noDatabase = { listen: () => () => Promise.resolve() } as Partial<Database> as Database;
const noFiles = {} as FileStore;
const noSpool = {} as Spool;

async function openApi(): Promise<string> {
  const key = Buffer.alloc(32);
  const app = await createApp({
    config: readConfig({}, ''),
    keys: { encryption: key, cookie: key },
    db: noDatabase,
    clock: Date.now,
    clockDeviation: () => 0,
    outbound: {
      post: () => Promise.reject(new Error('not here')),
      get: () => Promise.reject(new Error('not here')),
      close: async () => undefined,
    },
    mailTransport: undefined,
    files: noFiles,
    spool: noSpool,
    logger: pino({ level: 'silent' }),
    version,
    webFolder,
    baseUrl: () => '',
  });
  await app.server.ready();
  return `${JSON.stringify(app.server.swagger(), null, 2)}\n`;
}

function errorTable(): string {
  const rows = errorClasses.map(
    ({ code, text, when }) =>
      `| ${code} | ${Math.floor(code / 10)} | ${text} | ${when.replaceAll('|', '\\|')} |`,
  );
  return [
    '# Errors',
    '',
    'Every error answer is `{"errors": [{"message", "code", "reason"?}]}`. The first three digits of the code are the',
    'HTTP status. Made from `src/api/errors.ts`: do not edit by hand.',
    '',
    '| code | status | message | when |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}
