import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorClasses, reasonPatterns, reasons } from '#api';
import { checksumOf } from '#platform/db/index.ts';
import { authorizationErrors, tokenErrors } from '../src/integration/oauth/index.ts';
import { eventsDocument } from '../src/integration/subscriptions/index.ts';
import { environmentExample } from '../src/process/config.ts';
import { Refusal } from '../src/process/refusal.ts';
import { runInTerminal } from '../src/process/terminal.ts';
import { version } from '../src/process/version.ts';
import { migrations } from '../src/schema/index.ts';
import { describedApp } from './described-app.ts';
import { emojiKinds, emojiNames, emojiWords } from './emoji-names.ts';
import { pythonClient } from './python-client.ts';
import { allRoutes } from './routes.ts';
import { sdkTypes } from './sdk-types.ts';
import { table, withTables } from './tables.ts';
import { withValues } from './values.ts';

const MADE = new Set(['errors.md', 'routes.md']);

/** Documents that people write. The numbers in them come from the code, and so do some tables. */
const writtenDocuments = [
  'README.md',
  'SECURITY.md',
  ...['src/platform/db', 'src/conversation', 'src/integration', 'ops'].map((folder) => `${folder}/README.md`),
  ...readdirSync(pathOf('docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !MADE.has(name))
    .map((name) => `docs/${name}`),
];

/** Files generated from the code and committed: whole documents, and the numbers and tables in written ones. */
const documents: { file: string; make: () => Promise<string> }[] = [
  { file: 'openapi.json', make: async () => printed(await openApi()) },
  { file: 'sdk/interface.ts', make: async () => sdkTypes(await openApi(), eventsDocument(version)) },
  {
    file: 'sdk/python/parley.py',
    make: async () => {
      const template = readFileSync(pathOf('sdk/python/template.py'), 'utf8');
      return pythonClient(template, await openApi(), eventsDocument(version));
    },
  },
  { file: 'asyncapi.json', make: async () => printed(eventsDocument(version)) },
  { file: 'src/schema/frozen.json', make: async () => `${JSON.stringify(withNewOnes(), null, 2)}\n` },
  { file: '.env.example', make: async () => environmentExample() },
  {
    file: 'src/platform/text/emoji-names.json',
    make: async () => `${JSON.stringify(emojiNames(), null, 2)}\n`,
  },
  {
    file: 'src/platform/text/emoji-kinds.json',
    make: async () => `${JSON.stringify(emojiKinds(), null, 2)}\n`,
  },
  ...(['en', 'de', 'ar'] as const).map((language) => ({
    file: `web/src/emoji/${language}.json`,
    make: async () => `${JSON.stringify(emojiWords(language), null, 2)}\n`,
  })),
  { file: 'docs/errors.md', make: async () => errorTable() },
  { file: 'docs/routes.md', make: routeTable },
  ...writtenDocuments.map((file) => ({
    file,
    make: async () => withValues(file, withTables(file, readFileSync(pathOf(file), 'utf8'))),
  })),
];

function pathOf(file: string): string {
  return fileURLToPath(new URL(`../${file}`, import.meta.url));
}

/** The checksums of migrations as they landed. One that is there stays: the tests tell when its migration has changed. */
function withNewOnes(): object {
  const landed = JSON.parse(readFileSync(pathOf('src/schema/frozen.json'), 'utf8')) as object;
  const all = migrations.map((migration) => [
    migration.name,
    { sqlite: checksumOf(migration, 'sqlite'), postgres: checksumOf(migration, 'postgres') },
  ]);
  return { ...Object.fromEntries(all), ...landed };
}

/** @param check write nothing; fail when a document is out of date */
async function writeDocuments(check: boolean): Promise<void> {
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

async function openApi(): Promise<object> {
  const { server } = await describedApp();
  return server.swagger();
}

/** An object whose members are all words, numbers or flags. */
const FLAT_OBJECT =
  /\{\n +((?:"[^"\n]*": (?:"[^"\n]*"|[\d.-]+|true|false|null))(?:,\n +(?:"[^"\n]*": (?:"[^"\n]*"|[\d.-]+|true|false|null)))*)\n +\}/g;
const LONGEST_OBJECT = 80;

/** JSON in which short objects, and lists of words or numbers, stand on one line each: a change is easier to read. */
function printed(document: object): string {
  const text = JSON.stringify(document, null, 2)
    .replaceAll(FLAT_OBJECT, (written, members: string) => {
      const line = `{ ${members.replaceAll(/,\n +/g, ', ')} }`;
      return line.length > LONGEST_OBJECT ? written : line;
    })
    .replaceAll(/\[\n +((?:"[^"\n]*"|\d+)(?:,\n +(?:"[^"\n]*"|\d+))*)\n +\]/g, (_, values: string) => {
      return `[${values.replaceAll(/,\n +/g, ', ')}]`;
    });
  return `${text}\n`;
}

async function routeTable(): Promise<string> {
  const routes = await allRoutes();
  return [
    '# Routes',
    '',
    'Every route, with who may call it and the file that declares it. `npm run routes` prints the same list. What each takes',
    'and answers: `/docs` on your server, or [openapi.json](../openapi.json). Made from the code: do not edit by hand.',
    '',
    ...table(
      ['method', 'path', 'access', 'summary', 'file'],
      routes.map(({ method, path, access, summary, file }) => [
        method,
        `\`${path}\``,
        access,
        summary,
        `[${basename(file)}](../${file})`,
      ]),
    ),
    '',
    'Access: `session` is a signed-in person, `superuser` one who administers the server; `user` is a session or any access',
    'token; a scope stands for a session, or an access token that has it; `application` is its id and secret.',
    '',
  ].join('\n');
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

await runInTerminal(() => writeDocuments(process.argv.includes('--check')));
