import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { Cipher } from '../../src/platform/crypto/index.ts';
import { Client } from '../support/client.ts';
import { runCommand } from '../support/command.ts';
import { newFolder } from '../support/folder.ts';
import { createDatabase } from '../support/postgres.ts';
import { freePort, main, type Program, startPlatform } from '../support/process.ts';
import { receiverKeys } from '../support/push-service.ts';
import { until } from '../support/until.ts';

const sqlite = process.env.TEST_DATABASE === 'sqlite';
let folder: string;
let data: string;
let environment: NodeJS.ProcessEnv;
let running: Program | undefined;

beforeEach(async () => {
  folder = newFolder();
  data = join(folder, 'data');
  environment = {
    DATA_DIR: data,
    ...(!sqlite && { DATABASE_URL: await createDatabase(inject('postgresUrl'), inject('postgresTemplate')) }),
  };
});
afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

const parley = (args: string[], more: NodeJS.ProcessEnv = {}) =>
  runCommand(args, { cwd: folder, environment: { ...environment, ...more } });
const rotate = (more?: NodeJS.ProcessEnv) => parley(['keys', 'rotate'], more);

async function serve(more: NodeJS.ProcessEnv = {}): Promise<Client> {
  running = await startPlatform({ ...environment, ...more, PORT: String(await freePort()) });
  return new Client(running.found, { Origin: running.found });
}

async function stop(): Promise<void> {
  await running?.end('SIGTERM');
  running = undefined;
}

type Rows = Record<string, unknown>[];

async function ask(sql: string): Promise<Rows> {
  if (sqlite) {
    const db = new DatabaseSync(join(data, 'parley.db'));
    try {
      return db.prepare(sql).all();
    } finally {
      db.close();
    }
  }
  const client = new pg.Client(environment.DATABASE_URL);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const keyFile = (name = 'encryption.key') => join(data, name);
const cipherOf = (text: string) => new Cipher(Buffer.from(text, 'base64'));
const cipherIn = (name?: string) => cipherOf(readFileSync(keyFile(name), 'utf8'));

/** Of nonce and tag alone, in base64. */
const SHORTEST = 40;

function opened(cipher: Cipher, value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length < SHORTEST) return undefined;
  try {
    return cipher.decrypt(value);
  } catch {
    return undefined;
  }
}

const TABLES = sqlite
  ? `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'`
  : `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`;

/** All that a key opens in the whole database, whichever column it is in. */
async function secretsOf(cipher: Cipher): Promise<string[]> {
  const found: string[] = [];
  for (const { name } of await ask(TABLES))
    for (const row of await ask(`SELECT * FROM "${name}"`))
      for (const [column, value] of Object.entries(row)) {
        const text = opened(cipher, value);
        if (text !== undefined) found.push(`${name}.${column}: ${text}`);
      }
  return found.sort();
}

const PERSON = { email: 'ada@example.org', password: 'a long password', first_name: 'Ada', last_name: '' };

/** Something of each kind that is encrypted. @returns the id and the secret of an application */
async function fill(client: Client) {
  client.password = PERSON.password;
  const ask = async (path: string, body: object, headers = {}, as = client) => {
    const answer = await as.post(path, body, headers);
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    return answer.data[0];
  };
  await ask('/v1/users', PERSON);
  const { id: team } = await ask('/v1/teams', { name: 'Bakers' });
  await ask('/v1/messages', { text: 'Bread', addressed_teams: [team] }, { 'Idempotency-Key': 'bread' });
  const hook = await ask(`/v1/teams/${team}/webhooks`, { name: 'Grafana', signed: true });
  const application = await ask('/v1/applications', {
    name: 'Tracker',
    base_url: 'https://tracker.example',
    redirect_uris: ['https://tracker.example/cb'],
  });
  const own = `/v1/applications/${application.id}/subscriptions`;
  const webhook = { url: 'https://tracker.example/hook' };
  const { id } = await ask(own, { kinds: ['message.posted'], webhook });
  await ask(`${own}/${id}/key`, { overlap_seconds: 3600 });
  const { public: keys } = receiverKeys();
  const device = { endpoint: 'https://push.example/1', expirationTime: null, keys };
  await ask('/v1/users/me/push_subscriptions', device);
  expect((await client.get('/v1/push')).status).toBe(200);
  return { ...application, hook: new URL(hook.url).pathname } as {
    id: string;
    client_secret: string;
    hook: string;
  };
}

const KINDS = [
  'application_secrets.ciphertext',
  'event_subscriptions.key_ciphertext',
  'event_subscriptions.previous_key_ciphertext',
  'idempotency_keys.answer',
  'incoming_webhooks.key_ciphertext',
  'mails.body_ciphertext',
  'push_subscriptions.secret_ciphertext',
  'server_state.value',
];

it('all that a leaked key encrypted is encrypted with another, and nothing with the former (claim: keys-rotate)', async () => {
  const before = await serve();
  const { id, client_secret } = await fill(before);
  const used = await rotate();
  expect([used.code, used.output]).toEqual([1, expect.stringContaining('stop it first')]);
  await stop();
  const former = cipherIn();
  const secrets = await secretsOf(former);
  expect([...new Set(secrets.map((one) => one.split(':')[0]))]).toEqual(KINDS);

  const { code, output } = await rotate();
  expect([code, output]).toEqual([0, expect.stringContaining('other servers on this database need')]);
  expect(output).not.toContain('neither');
  expect(await secretsOf(former)).toEqual([]);
  expect(await secretsOf(cipherIn())).toEqual(secrets);
  expect(opened(former, cipherIn('encryption.key.before').encrypt('the same'))).toBe('the same');
  for (const name of ['encryption.key', 'encryption.key.before'])
    expect(statSync(keyFile(name)).mode & 0o077).toBe(0);
  expect(existsSync(keyFile('encryption.key.next'))).toBe(false);
  expect((await parley(['audit', '--action', 'operator.command'])).output).toContain('"keys rotate"');

  const after = await serve();
  expect((await after.withCredentials(id, client_secret).get('/v1/oauth2/test/app')).status).toBe(200);
  await stop();
  expect((await rotate()).output).toContain('Keep encryption.key.before.2 with the backups');
  expect(existsSync(keyFile('encryption.key.before.2'))).toBe(true);
  expect(await secretsOf(cipherIn())).toEqual(expect.arrayContaining(secrets.slice(0, 3)));

  copyFileSync(keyFile('encryption.key.before'), keyFile());
  const refused = await parley(['application', 'suspend', id]);
  expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('is not the one that this')]);
});

it.runIf(sqlite)('no page of the file holds what the former key can read', async () => {
  await fill(await serve());
  await stop();
  const former = cipherIn();
  await fillAnswers(former);
  const texts = (await ask("SELECT answer FROM idempotency_keys WHERE scope = 'filler'")).map(({ answer }) =>
    String(answer),
  );
  const heldIn = (file: string) => {
    const bytes = readFileSync(join(data, file));
    return texts.filter((text) => bytes.includes(text)).length;
  };
  expect(heldIn('parley.db')).toBe(MANY);
  expect((await rotate()).code).toBe(0);
  const held = readdirSync(data).filter((file) => file.startsWith('parley.db') && heldIn(file) > 0);
  expect(held).toEqual([]);
});

const MANY = 1000;
/** Does not end before it is killed. */
const STUCK = sqlite
  ? [
      `CREATE TRIGGER stuck BEFORE UPDATE ON idempotency_keys WHEN old.key = '000500' BEGIN SELECT count(*)
       FROM idempotency_keys a, idempotency_keys b, idempotency_keys c, idempotency_keys d; END`,
    ]
  : [
      `CREATE FUNCTION stuck() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN PERFORM pg_sleep(CASE old.key WHEN '000500' THEN 600 ELSE 0 END); RETURN new; END $$`,
      'CREATE TRIGGER stuck BEFORE UPDATE ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION stuck()',
    ];
const FREE = sqlite
  ? ['DROP TRIGGER stuck']
  : [
      `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      'DROP FUNCTION stuck CASCADE',
    ];

/** Kept answers, in the order in which they are encrypted again. */
async function fillAnswers(cipher: Cipher): Promise<void> {
  const rows = Array.from({ length: MANY }, (_, n) => {
    const key = String(n).padStart(6, '0');
    return { key, answer: cipher.encrypt(`"answer ${key}"`) };
  });
  const all = JSON.stringify(rows).replaceAll("'", "''");
  const of = sqlite
    ? `SELECT value ->> 'key' AS key, value ->> 'answer' AS answer FROM json_each('${all}')`
    : `SELECT key, answer FROM json_to_recordset('${all}') AS row (key text, answer text)`;
  await ask(`INSERT INTO idempotency_keys (scope, key, request_hash, answer, expires_at)
    SELECT 'filler', key, '', answer, 9e15 FROM (${of}) AS given`);
}

it('goes on after it was killed, and until then no server starts (claim: keys-rotate-killed)', async () => {
  const { id, client_secret } = await fill(await serve());
  await stop();
  const former = cipherIn();
  await fillAnswers(former);
  for (const sql of STUCK) await ask(sql);
  const secrets = await secretsOf(former);
  const first = async () =>
    (await ask("SELECT answer FROM idempotency_keys WHERE key = '000000'"))[0]?.answer;

  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, 'keys', 'rotate'], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  // Before it has begun, it would be refused beside our own look.
  await once(child.stdout, 'data');
  child.stdout.resume();
  await until(async () => opened(former, await first()) === undefined);
  const second = await rotate();
  expect([second.code, second.output]).toEqual([
    1,
    expect.stringContaining('"keys rotate" there, is under way'),
  ]);
  child.kill('SIGKILL');
  await ended;
  for (const sql of FREE) await ask(sql);

  const next = cipherIn('encryption.key.next');
  const [old, made] = [await secretsOf(former), await secretsOf(next)];
  // The check of the former key is kept beside that of the next one meanwhile.
  expect(old.length + made.length).toBe(secrets.length + 1);
  expect([old.length > 100, made.length > 100]).toEqual([true, true]);
  for (const args of [['start'], ['application', 'suspend', id]]) {
    const refused = await parley(args, { LOG_LEVEL: 'silent', PORT: '0' });
    expect([refused.code, refused.output]).toEqual([
      1,
      expect.stringContaining('"parley keys rotate" again'),
    ]);
  }
  expect((await parley(['doctor'])).output).toMatch(
    /^failed {3}keys .*"parley keys rotate" again, with the same settings\.$/m,
  );
  const reset = await parley(['keys', 'reset']);
  expect([reset.code, reset.output]).toEqual([1, expect.stringContaining('"parley keys rotate" again')]);
  renameSync(keyFile('encryption.key.next'), join(folder, 'next'));
  const without = await rotate();
  expect([without.code, without.output]).toEqual([1, expect.stringContaining('begun with other keys')]);
  renameSync(join(folder, 'next'), keyFile('encryption.key.next'));

  expect((await rotate()).code).toBe(0);
  expect(await secretsOf(former)).toEqual([]);
  expect(await secretsOf(cipherIn())).toEqual(secrets);
  // As where it was killed when only the names of the keys were left to change.
  for (const moved of ['encryption.key.before', undefined]) {
    renameSync(keyFile(), keyFile('encryption.key.next'));
    if (moved) renameSync(keyFile(moved), keyFile());
    const refused = await parley(['start'], { LOG_LEVEL: 'silent', PORT: '0' });
    expect([refused.code, refused.output]).toEqual([
      1,
      expect.stringContaining('"parley keys rotate" again'),
    ]);
    expect((await rotate()).code).toBe(0);
    expect(opened(cipherIn(), await first())).toBe('"answer 000000"');
  }
  const client = await serve();
  expect((await client.withCredentials(id, client_secret).get('/v1/oauth2/test/app')).status).toBe(200);
});

it('a key that is lost amid its replacement is given up, whichever of the two is left', async () => {
  await fill(await serve());
  await stop();
  const former = cipherIn();
  const made = Buffer.alloc(32, 9).toString('base64');
  const value = cipherOf(made).encrypt('parley');
  // As where it was killed when nothing was encrypted again yet.
  await ask(`INSERT INTO server_state (name, value)
    SELECT 'former_encryption_check', value FROM server_state WHERE name = 'encryption_check'`);
  await ask(`UPDATE server_state SET value = '${value}' WHERE name = 'encryption_check'`);
  writeFileSync(keyFile(), made);
  const rotated = await rotate();
  expect([rotated.code, rotated.output]).toEqual([1, expect.stringContaining('begun with other keys')]);
  const { code, output } = await parley(['keys', 'reset']);
  expect([code, output]).toEqual([0, expect.stringContaining('New client secrets: 1.')]);
  expect(await secretsOf(former)).toEqual([]);
  await serve();
});

it('a key of the settings is replaced by that of a file, which they take up', async () => {
  const key = Buffer.alloc(32, 7).toString('base64');
  const settings = { ENCRYPTION_KEY: key };
  await fill(await serve(settings));
  await stop();
  const secrets = await secretsOf(cipherOf(key));
  const none = await rotate({ ENCRYPTION_KEY: Buffer.alloc(32, 8).toString('base64') });
  expect([none.code, none.output]).toEqual([1, expect.stringContaining('is not the one that this database')]);
  // Made beforehand, to be kept where the data folder does not last.
  const chosen = Buffer.alloc(32, 9).toString('base64');
  writeFileSync(keyFile('encryption.key.next'), chosen);
  for (let n = 0; n < 2; n++) {
    const { code, output } = await rotate(settings);
    expect([code, output]).toEqual([0, expect.stringContaining('set ENCRYPTION_KEY of all servers to it')]);
  }
  expect(await secretsOf(cipherOf(key))).toEqual([]);
  expect(await secretsOf(cipherOf(chosen))).toEqual(secrets);
  const refused = await parley(['start'], { ...settings, LOG_LEVEL: 'silent', PORT: '0' });
  expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('is the former key')]);
  await serve({ ENCRYPTION_KEY: chosen });
  await stop();
  expect((await rotate({ ENCRYPTION_KEY: chosen })).code).toBe(0);
  expect(readFileSync(keyFile('encryption.key.next'), 'utf8')).not.toBe(chosen);
  expect(await secretsOf(cipherOf(chosen))).toEqual([]);
});

it('a database that no server has used has no key to replace', async () => {
  await parley(['migrate']);
  const { code, output } = await rotate();
  expect([code, output]).toEqual([1, expect.stringContaining('No server has used this database yet')]);
  expect(existsSync(keyFile('encryption.key.next'))).toBe(false);
});

it('a lost key leaves nothing behind that cannot be read (claim: keys-reset-incoming)', async () => {
  const { hook } = await fill(await serve());
  await stop();
  const lost = cipherIn();
  rmSync(keyFile());
  const { code, output } = await parley(['keys', 'reset']);
  expect([code, output]).toEqual([0, expect.stringContaining('New client secrets: 1.')]);
  expect(await secretsOf(lost)).toEqual([]);
  const client = await serve();
  const called = await new Client(client.url).post(hook, { text: 'Bread is ready' });
  expect([called.status, called.text]).toEqual([401, called.text]);
});
