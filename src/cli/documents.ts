import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { errorClasses, reasonPatterns, reasons } from '#api';
import type { Database } from '#platform/db/index.ts';
import type { FileStore, Spool } from '#platform/files/index.ts';
import { createApp } from '../app/app.ts';
import { authorizationErrors, tokenErrors } from '../integration/oauth/index.ts';
import { environmentExample, readConfig } from '../process/config.ts';
import { webFolder } from '../process/start.ts';
import { version } from '../process/version.ts';
import { Refusal } from './refusal.ts';
import { table, withTables } from './tables.ts';
import { withValues } from './values.ts';

/** Documents that people write. The numbers in them come from the code, and so do some tables. */
const writtenDocuments = [
  'README.md',
  'SECURITY.md',
  ...readdirSync(pathOf('docs'))
    .filter((name) => name.endsWith('.md') && name !== 'errors.md')
    .map((name) => `docs/${name}`),
];

/** Files generated from the code and committed: whole documents, and the numbers and tables in written ones. */
const documents: { file: string; make: () => Promise<string> }[] = [
  { file: 'openapi.json', make: openApi },
  { file: '.env.example', make: async () => environmentExample() },
  { file: 'docs/errors.md', make: async () => errorTable() },
  ...writtenDocuments.map((file) => ({
    file,
    make: async () => withValues(file, withTables(file, readFileSync(pathOf(file), 'utf8'))),
  })),
];

function pathOf(file: string): string {
  return fileURLToPath(new URL(`../../${file}`, import.meta.url));
}

export async function writeDocuments({ check }: { check?: boolean }): Promise<void> {
  for (const { file, make } of documents) {
    const path = pathOf(file);
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
  return [
    '# Errors',
    '',
    'Every error answer but those of OAuth (below) is `{"errors": [{"message", "code", "reason"?}]}`. The first three',
    'digits of the code are the HTTP status; `message` is for people, `reason` for programs. Made from',
    '`src/api/errors.ts` and `src/api/reasons.ts`: do not edit by hand.',
    '',
    ...table(
      ['code', 'status', 'message', 'when'],
      errorClasses.map(({ code, text, when }) => [`${code}`, `${Math.floor(code / 10)}`, text, when]),
    ),
    '',
    '## Reasons',
    '',
    'With 4290, wait for the seconds in `Retry-After`; the reason tells which limit was reached.',
    '',
    ...table(['code', 'reason', 'what to do'], reasonRows()),
    '',
    '## OAuth',
    '',
    '`POST /v1/oauth2/token`, `/v1/oauth2/revoke` and `/v1/oauth2/introspect` have a form of their own (RFC 6749 §5.2):',
    '`{"error": "invalid_grant"}`, with status 400 where the table names no other.',
    '',
    ...adviceTable(tokenErrors),
    '',
    '`GET /v1/oauth2/authorize` sends the browser back to the redirect address with `error`, `error_description`, `state`',
    'and `iss` (RFC 6749 §4.1.2.1). A wrong request is told to an application that acted for the person before; for others,',
    'and where `client_id` or `redirect_uri` is wrong, the page shows the error and the browser stays.',
    '',
    ...adviceTable(authorizationErrors),
    '',
  ].join('\n');
}

/** By code; within a code, patterns last. */
function reasonRows(): string[][] {
  const listed = Object.entries(reasons).flatMap(([code, ofCode]) =>
    Object.entries(ofCode).map(([reason, advice]) => [code, `\`${reason}\``, advice]),
  );
  const patterns = reasonPatterns.map(({ code, reason, advice }) => [`${code}`, reason, advice]);
  return [...listed, ...patterns].sort(([a], [b]) => Number(a) - Number(b));
}

const adviceTable = (errors: Readonly<Record<string, string>>) =>
  table(
    ['error', 'what to do'],
    Object.entries(errors).map(([error, advice]) => [`\`${error}\``, advice]),
  );
