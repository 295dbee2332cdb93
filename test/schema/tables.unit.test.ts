import { expect, test } from 'vitest';
import { erasureSteps, forgetAtOnce } from '../../src/app/erasure.ts';
import { exportParts } from '../../src/app/exports.ts';
import { attachmentService } from '../../src/conversation/attachments/index.ts';
import { OWNERS, type Owner } from '../../src/schema/owners.ts';
import { auditRecorder } from '../../src/stewardship/audit/index.ts';
import { Recording } from '../support/recording.ts';
import { usesIn, usesOfTables } from '../support/statements.ts';

/** Not tables of ours: the migrations' own, and what the databases offer. */
const FOREIGN = [
  'schema_migrations',
  'sqlite_master',
  'pragma_page_count',
  'pragma_table_list',
  'pg_class',
  'pg_attribute',
  'pg_index',
  'unnest',
  'json_each',
  'json_each_text',
];

const uses = usesOfTables().filter(({ table }) => !FOREIGN.includes(table));
const ownership = (table: string) => OWNERS[table as keyof typeof OWNERS];
const mayWrite = (table: string, domain: string) =>
  ownership(table).owner === domain || ownership(table).writers?.[domain as Owner] !== undefined;
const sentences = (all: readonly { domain: string; table: string }[], verb: string) =>
  [...new Set(all.map(({ domain, table }) => `${domain} ${verb} ${table}`))].sort();

test('every table that a statement names has an owner, and every owned table is written', () => {
  const written = new Set(uses.filter(({ writes }) => writes).map(({ table }) => table));
  expect([...written].sort()).toEqual(Object.keys(OWNERS).sort());
  expect(uses.filter(({ table }) => ownership(table) === undefined)).toEqual([]);
});

test('only its owner writes a table', () => {
  const others = uses.filter(({ writes, table, domain }) => writes && !mayWrite(table, domain));
  expect(sentences(others, 'writes')).toEqual([]);
});

test('who else reads a table is listed with the reason, and reads it', () => {
  const reads = uses.filter(({ writes, table, domain }) => !writes && !mayWrite(table, domain));
  const listed = Object.entries(OWNERS).flatMap(([table, { readers = {} }]) =>
    Object.keys(readers).map((domain) => ({ domain, table })),
  );
  expect(sentences(reads, 'reads')).toEqual(sentences(listed, 'reads'));
});

test('the check sees every way to write, and refuses a table that it cannot see', () => {
  const source = (text: string) => () =>
    usesIn('src/teams/some.store.ts', text).map(
      ({ table, writes }) => `${writes ? 'writes' : 'reads'} ${table}`,
    );
  expect(source("q.insertInto('teams').values({})")()).toEqual(['writes teams']);
  expect(source("q\n  .updateTable('users as other')\n  .from('teams')")()).toEqual([
    'writes users',
    'reads teams',
  ]);
  expect(source("q.deleteFrom('users').using(['teams', 'mails as m'])")()).toEqual([
    'writes users',
    'reads teams',
    'reads mails',
  ]);
  expect(source("insertion('events')(['kind'])")()).toEqual(['writes events']);
  expect(source("leasedQueue('mails', { key: 'id' })")()).toEqual(['writes mails']);
  expect(source("lockedQueue('mail_jobs', { key: 'id' })")()).toEqual(['reads mail_jobs']);
  expect(source("tx.all('INSERT INTO mails (id) VALUES (1)')")()).toEqual(['writes mails']);
  expect(source('sql`UPDATE mails SET id = 1 FROM users FOR UPDATE`')()).toEqual([
    'writes mails',
    'reads users',
  ]);
  expect(source('sql`DELETE FROM users WHERE id IN (SELECT id FROM mails)`')()).toEqual([
    'writes users',
    'reads mails',
  ]);
  expect(
    source(
      "q.with((name) => name('some').materialized(), (cte) => cte.selectFrom('mails')).selectFrom('some')",
    )(),
  ).toEqual(['reads mails']);
  expect(source('// DELETE FROM users\n/** UPDATE mails */')()).toEqual([]);
  for (const hidden of [
    'q.deleteFrom(table)',
    ['sql`UPDATE ', '{table} SET id = 1`'].join('$'),
    "q.selectFrom(name as 'users')",
  ]) {
    expect(source(hidden)).toThrow('name the table of the statement');
  }
});

const SOMEBODY = '019a0000-0000-7000-8000-000000000001';
const clock = () => 0;
const claimed = (what: 'erased' | 'exported') =>
  Object.entries(OWNERS)
    .filter(([, ownership]) => (ownership as { erased?: unknown; exported?: unknown })[what] === true)
    .map(([table]) => table)
    .sort();
/** Those that say what becomes of them: others are reached by way of a message, a grant or a call. */
const holders = Object.keys(OWNERS).filter((table) => 'erased' in ownership(table));

test('the steps of the erasure change exactly the tables that say so', async () => {
  const { tx, row, written } = new Recording(SOMEBODY);
  const { detach } = attachmentService({ clock, present: {} } as Parameters<typeof attachmentService>[0]);
  const withdrawTeam = async () => false;
  const nothing = { atOnce: async () => true, some: async () => undefined };
  const steps = erasureSteps({
    ...{ clock, record: auditRecorder(clock), detachFiles: detach, withdrawTeam },
    ...{ whereabouts: nothing, leaving: nothing },
    installations: { uninstallation: nothing, telling: nothing },
  });
  for (const forget of forgetAtOnce) await forget(tx, row as never);
  for (const step of [...steps.person, ...steps.team]) await step.erase(tx, SOMEBODY, '');
  expect([...written].filter((table) => holders.includes(table)).sort()).toEqual(claimed('erased'));
});

test('the parts of the archive read exactly the tables that say so', async () => {
  const { tx, row, read } = new Recording(SOMEBODY);
  read.add('users');
  const parts = exportParts({ db: tx as never, clock, files: { get: async () => undefined } as never });
  for (const part of parts) {
    for await (const { content } of part(row as never)) for await (const _ of content);
  }
  expect([...read].filter((table) => holders.includes(table)).sort()).toEqual(claimed('exported'));
});
