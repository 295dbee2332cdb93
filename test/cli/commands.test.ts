import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { strFromU8, unzipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { Client } from '../support/client.ts';
import { runCommand } from '../support/command.ts';
import { newFolder } from '../support/folder.ts';
import { createDatabase } from '../support/postgres.ts';
import { freePort, startPlatform } from '../support/process.ts';

const sqlite = process.env.TEST_DATABASE === 'sqlite';
let folder: string;
let environment: NodeJS.ProcessEnv;

beforeEach(async () => {
  folder = newFolder();
  environment = {
    DATA_DIR: join(folder, 'data'),
    ...(!sqlite && { DATABASE_URL: await createDatabase(inject('postgresUrl'), inject('postgresTemplate')) }),
  };
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs one command. @param input its standard input */
const parley = (args: string[], input = '') => runCommand(args, { cwd: folder, environment, input });

async function serve() {
  const platform = await startPlatform({ ...environment, PORT: String(await freePort()) });
  return { platform, client: new Client(platform.found.replace('localhost', '127.0.0.1')) };
}

describe('accounts', () => {
  it('are made, promoted, given a password and closed, while the server runs', async () => {
    const { platform, client } = await serve();
    const signIn = async (password: string) =>
      (await client.post('/v1/sessions', { email: 'ops@example.org', password })).status;
    expect(await parley(['user', 'create', 'first@example.org'], 'a first password')).toMatchObject({
      code: 0,
    });
    expect(await parley(['user', 'create', 'ops@example.org'], 'a long password')).toMatchObject({ code: 0 });
    expect(await signIn('a long password')).toBe(200);
    await parley(['user', 'superuser', 'OPS@example.org']);
    expect((await client.get('/v1/users/me')).data[0].superuser).toBe(true);
    await parley(['user', 'password', 'ops@example.org'], 'another password');
    expect((await client.get('/v1/users/me')).code).toBe(4010);
    expect(await signIn('a long password')).toBe(401);
    expect(await signIn('another password')).toBe(200);
    await parley(['user', 'deactivate', 'ops@example.org']);
    expect((await client.get('/v1/users/me')).code).toBe(4010);
    expect(await signIn('another password')).toBe(401);
    expect(await platform.end('SIGINT')).toBe(0);
  });

  it('are refused with a sentence', async () => {
    const twice = ['user', 'create', 'a@example.org'];
    await parley(twice, 'a long password');
    expect(await parley(twice, 'a long password')).toEqual({
      code: 1,
      output: 'a@example.org: This address has an account already.\n',
    });
    expect(await parley(['user', 'create', 'b@example.org'], 'short')).toMatchObject({ code: 1 });
    const long = await parley(['user', 'create', `${'a'.repeat(100_000)}@example.org`]);
    expect(long).toEqual({ code: 1, output: expect.stringMatching(/^email: .{1,99}\n$/) });
    expect((await parley([...twice, '--first-name', ' '])).output).toBe('first_name: must not be blank.\n');
    expect((await parley([...twice, '--last-name', 'x'.repeat(101)])).output).toMatch(/^last_name: .*100/);
    expect((await parley(['user', 'superuser', 'who@example.org'])).output).toBe(
      'There is no account with the address who@example.org.\n',
    );
  });
});

it('a user’s data and the audit log can be exported', async () => {
  const { platform, client } = await serve();
  await parley(['user', 'create', 'root@example.org'], 'a long password');
  await parley(['user', 'create', 'a@example.org', '--first-name', 'Ada'], 'a long password');
  await client.post('/v1/sessions', { email: 'a@example.org', password: 'a long password' });
  await parley(['user', 'deactivate', 'a@example.org']);
  expect(await parley(['user', 'deactivate', 'root@example.org'])).toEqual({
    code: 1,
    output: expect.stringContaining('needs an administrator'),
  });
  const file = join(folder, 'a.zip');
  expect(await parley(['user', 'export', 'a@example.org', file])).toMatchObject({ code: 0 });
  const files = unzipSync(readFileSync(file));
  expect(JSON.parse(strFromU8(files['profile.json'] as Uint8Array))).toMatchObject({
    first_name: 'Ada',
    active: false,
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await parley(['user', 'export', 'a@example.org', file])).output).toContain('is there already');
  // A name that is too long for the file system: what failed gives its claim back.
  const failed = await parley(['user', 'export', 'a@example.org', join(folder, 'b'.repeat(255))]);
  expect(failed).toEqual({ code: 1, output: expect.stringContaining('ENAMETOOLONG') });
  expect((await parley(['user', 'export', 'a@example.org', join(folder, 'b.zip')])).code).toBe(0);
  expect((await parley(['user', 'export', 'who@example.org', 'b.zip'])).code).toBe(1);
  await parley(['user', 'reactivate', 'a@example.org']);
  const signIn = { email: 'a@example.org', password: 'a long password' };
  expect((await client.post('/v1/sessions', signIn)).status).toBe(200);

  const told = async (...args: string[]) =>
    (await parley(['audit', ...args])).output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const all = await told();
  expect(all.map(({ action, actor_kind }) => `${actor_kind} ${action}`)).toEqual([
    'operator account.created',
    'operator account.created',
    'user sign_in.succeeded',
    'operator account.deactivated',
    'operator account.exported',
    'operator account.exported',
    'operator account.reactivated',
    'user sign_in.succeeded',
    'operator audit.exported',
  ]);
  expect(all[0].detail).toEqual({ superuser: true });
  expect(await told('--action', 'account.created')).toHaveLength(2);
  expect((await parley(['audit', '--since', '2999-01-01'])).output).toBe('');
  expect(await parley(['audit', '--since', 'soon'])).toMatchObject({ code: 1 });
  await platform.end('SIGTERM');
});

it('applications are registered and listed', async () => {
  await parley(['user', 'create', 'dev@example.org'], 'a long password');
  const args = ['application', 'create', 'Tracker', '--owner', 'dev@example.org'];
  const urls = (base: string) => [
    '--base-url',
    base,
    '--preinstall-url',
    `${base}/i`,
    '--redirect-uri',
    `${base}/r`,
  ];
  const made = await parley([...args, ...urls('https://tracker.example.org')]);
  const [, id, secret] = /client_id {6}(\S+)\nclient_secret {2}(\S+)/.exec(made.output) ?? [];
  expect((await parley(['application', 'list'])).output).toContain(`${id}  Tracker`);
  const unknown = await parley(['application', 'suspend', 'Tracker']);
  expect([unknown.code, unknown.output]).toEqual([1, expect.stringContaining('"application list" shows')]);
  const { platform, client } = await serve();
  const { status } = await client.withCredentials(id ?? '', secret ?? '').get('/v1/oauth2/test/app');
  expect(status).toBe(200);
  await platform.end('SIGTERM');
  const blank = ['application', 'create', ' ', ...args.slice(3), ...urls('https://tracker.example.org')];
  expect(await parley(blank)).toEqual({ code: 1, output: 'name: must not be blank.\n' });
  const refused = await parley([...args, ...urls('http://10.0.0.1')]);
  expect([refused.code, refused.output]).toEqual([1, expect.stringMatching(/^--base-url: [^\n]+[^.]\.\n$/)]);
  const redirect = await parley([...args, ...urls('https://tracker.example.org'), 'elsewhere']);
  expect([redirect.code, redirect.output]).toEqual([
    1,
    expect.stringMatching(/^--redirect-uri: .+[^.]\.\n$/),
  ]);
});

/** A restore replaces the database of a folder, but fills an empty one of PostgreSQL. */
async function emptyPlace(): Promise<void> {
  if (!sqlite) environment.DATABASE_URL = await createDatabase(inject('postgresUrl'));
}

describe('backups', () => {
  const file = () => join(folder, 'backup.db');

  it('are made while serving, and restored once the server has stopped', async () => {
    const { platform, client } = await serve();
    const fields = { email: 'a@example.org', password: 'a long password', first_name: 'A', last_name: '' };
    await client.post('/v1/users', fields);
    const made = await parley(['backup', file()]);
    expect([made.code, made.output]).toEqual([0, expect.stringContaining(join('data', 'files'))]);
    expect((await parley(['backup', file()])).output).toContain('is there already');
    await client.patch('/v1/users/me', { first_name: 'After' });
    expect((await parley(['restore', file()])).output).toContain(sqlite ? 'stop it first' : 'is not empty');
    await platform.end('SIGTERM');
    await emptyPlace();
    expect(await parley(['restore', file()])).toMatchObject({ code: 0 });
    const again = await serve();
    await again.client.post('/v1/sessions', fields);
    expect((await again.client.get('/v1/users/me')).data[0].first_name).toBe('A');
    await again.platform.end('SIGTERM');
  });

  it('that an administrator downloads are restored with their uploads', async () => {
    const { platform, client } = await serve();
    const fields = { email: 'a@example.org', password: 'a long password', first_name: 'A', last_name: '' };
    await client.post('/v1/users', fields);
    const raw = new FormData();
    raw.set('file', new Blob(['what was uploaded']), 'a.txt');
    const uploaded = (await client.ask('POST', '/v1/attachments', { raw })).data[0].id;
    const answer = await fetch(`${client.url}/v1/admin/backup`, { headers: { Cookie: client.cookie } });
    const archive = Buffer.from(await answer.arrayBuffer());
    await platform.end('SIGTERM');
    await emptyPlace();
    const zip = join(folder, 'backup.zip');
    writeFileSync(zip, archive);
    const data = String(environment.DATA_DIR);
    const key = readFileSync(join(data, 'encryption.key'));
    rmSync(data, { recursive: true });
    mkdirSync(data);
    writeFileSync(join(data, 'encryption.key'), key);
    const restored = await parley(['restore', zip]);
    expect([restored.code, restored.output]).toEqual([0, expect.stringContaining('Put 1 file')]);
    if (sqlite) expect(statSync(join(data, 'parley.db')).mode & 0o077).toBe(0);
    const again = await serve();
    expect((await again.client.post('/v1/sessions', fields)).status).toBe(200);
    expect((await again.client.get(`/v1/attachments/${uploaded}`)).text).toBe('what was uploaded');
    await again.platform.end('SIGTERM');

    const kept = readdirSync(join(data, 'files'), { recursive: true, withFileTypes: true });
    for (const one of kept.filter((entry) => entry.isFile()))
      writeFileSync(join(one.parentPath, one.name), 'what was DAMAGED!');
    await emptyPlace();
    expect(await parley(['restore', zip])).toMatchObject({ code: 0 });
    const mended = await serve();
    await mended.client.post('/v1/sessions', fields);
    expect((await mended.client.get(`/v1/attachments/${uploaded}`)).text).toBe('what was uploaded');
    await mended.platform.end('SIGTERM');
  });

  it.runIf(sqlite)('that are damaged change nothing', async () => {
    const { platform, client } = await serve();
    const fields = { email: 'a@example.org', password: 'a long password', first_name: 'A', last_name: '' };
    await client.post('/v1/users', fields);
    const raw = new FormData();
    raw.set('file', new Blob(['what was uploaded']), 'a.txt');
    await client.ask('POST', '/v1/attachments', { raw });
    const answer = await fetch(`${client.url}/v1/admin/backup`, { headers: { Cookie: client.cookie } });
    const archive = Buffer.from(await answer.arrayBuffer());
    await client.patch('/v1/users/me', { first_name: 'After' });
    await platform.end('SIGTERM');
    const at = archive.indexOf('what was uploaded');
    const other = Buffer.from(archive);
    other.write('WHAT', at);
    const escaping = Buffer.from(archive.toString('latin1').replaceAll('files/', '../../'), 'latin1');
    const truncated = archive.subarray(0, archive.length - 30);
    for (const damaged of [other, escaping, truncated]) {
      writeFileSync(file(), damaged);
      const { code, output } = await parley(['restore', file()]);
      expect([code, output]).toEqual([1, expect.stringContaining('nothing was changed')]);
    }
    const database = new DatabaseSync(join(String(environment.DATA_DIR), 'parley.db'), { readOnly: true });
    expect(database.prepare('SELECT first_name FROM users').all()).toEqual([{ first_name: 'After' }]);
    database.close();
    expect(readdirSync(String(environment.DATA_DIR)).filter((name) => name.includes('ing'))).toEqual([]);
  });

  /** A server with one account, stopped. @returns its sign-in and the database */
  async function stopped(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM') {
    const { platform, client } = await serve();
    const fields = { email: 'a@example.org', password: 'a long password', first_name: 'A', last_name: '' };
    await client.post('/v1/users', fields);
    await parley(['backup', file()]);
    await client.patch('/v1/users/me', { first_name: 'After' });
    await platform.end(signal);
    return { fields, database: join(String(environment.DATA_DIR), 'parley.db') };
  }

  async function firstName(fields: object): Promise<string> {
    const { platform, client } = await serve();
    await client.post('/v1/sessions', fields);
    const { data } = await client.get('/v1/users/me');
    await platform.end('SIGTERM');
    return data[0].first_name;
  }

  it.runIf(sqlite)('take the place of a database that is damaged', async () => {
    const { fields, database } = await stopped();
    writeFileSync(database, 'what was a database'.repeat(1000));
    const { code, output } = await parley(['restore', file()]);
    expect([code, output]).toEqual([0, expect.stringContaining('Restored')]);
    expect(await firstName(fields)).toBe('A');
  });

  it.runIf(sqlite)('leave what they replace beside it, which can be restored in turn', async () => {
    const { fields, database } = await stopped();
    const { output } = await parley(['restore', file()]);
    expect(output).toContain(`${database}.before`);
    expect((await parley(['restore', `${database}.before`])).code).toBe(0);
    expect(await firstName(fields)).toBe('After');
  });

  it.runIf(sqlite)('of a newer version do not take the place of the database', async () => {
    const { fields } = await stopped();
    const newer = new DatabaseSync(file());
    newer.exec("INSERT INTO schema_migrations (version, name, applied_at) VALUES (999, 'newer', 0)");
    newer.close();
    const { code, output } = await parley(['restore', file()]);
    expect([code, output]).toEqual([1, expect.stringMatching(/newer version.*nothing was changed/)]);
    expect(await firstName(fields)).toBe('After');
  });

  it.runIf(sqlite)('are taken with what a killed server wrote last', async () => {
    const { fields, database } = await stopped('SIGKILL');
    const copy = join(folder, 'copy.db');
    for (const suffix of ['', '-wal']) renameSync(database + suffix, copy + suffix);
    expect(await parley(['restore', copy])).toMatchObject({ code: 0 });
    expect(await firstName(fields)).toBe('After');
  });

  it('that are none are refused', async () => {
    await emptyPlace();
    writeFileSync(file(), 'this is no database at all'.repeat(100));
    const { code, output } = await parley(['restore', file()]);
    expect([code, output]).toEqual([1, expect.stringContaining('nothing was changed')]);
  });
});
