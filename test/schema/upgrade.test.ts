import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { startServer } from '../../src/app/start.ts';
import { Cipher } from '../../src/platform/crypto/index.ts';
import { SchemaRefused } from '../../src/platform/db/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { readConfig } from '../../src/process/config.ts';
import { openDatabase } from '../../src/process/database.ts';
import { loadKeys } from '../../src/process/keys.ts';
import { migrations } from '../../src/schema/index.ts';
import { Client } from '../support/client.ts';
import { newFolder } from '../support/folder.ts';
import { Mailbox } from '../support/mailbox.ts';
import { createDatabase } from '../support/postgres.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { runSql } from '../support/tables.ts';
import { until } from '../support/until.ts';

const kind = process.env.TEST_DATABASE === 'sqlite' ? 'sqlite' : 'postgres';
const fixture = (file: string) => readFileSync(new URL(`../fixtures/${file}`, import.meta.url));

interface Stored {
  readonly made: number;
  readonly keys: NodeJS.ProcessEnv;
  readonly password: string;
  readonly root: { id: string; email: string };
  readonly ada: { id: string; email: string };
  readonly ben: { id: string; email: string; cookie: string };
  readonly team: string;
  readonly message: string;
  readonly direct: string;
  /** In databases of releases. */
  readonly subject?: string;
  readonly scheduled?: string;
  readonly application: { id: string; secret: string };
  readonly tokens: { access_token: string; refresh_token: string };
}

let folder: string;
let server: TestServer | undefined;
beforeEach(() => {
  folder = newFolder();
});
afterEach(async () => {
  await server?.stop();
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

/** Restores a stored database. @returns its content, and the settings to start on it */
async function restore(name: string): Promise<{ stored: Stored; settings: NodeJS.ProcessEnv }> {
  const stored = (JSON.parse(fixture(`${name}.json`).toString()) as Record<string, Stored>)[kind] as Stored;
  const settings = { ...stored.keys, DATA_DIR: folder };
  if (kind === 'sqlite') {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'parley.db'), gunzipSync(fixture(`${name}.db.gz`)));
    return { stored, settings };
  }
  const DATABASE_URL = await createDatabase(inject('postgresUrl'));
  const client = new pg.Client(DATABASE_URL);
  await client.connect();
  await client.query(fixture(`${name}.sql`).toString());
  await client.end();
  return { stored, settings: { ...settings, DATABASE_URL } };
}

/** Runs a statement on a stored database without bringing it up to date. */
async function runOn({ DATABASE_URL }: NodeJS.ProcessEnv, sql: string): Promise<unknown[]> {
  if (DATABASE_URL === undefined) {
    const db = new DatabaseSync(join(folder, 'parley.db'));
    const rows = db.prepare(sql).all();
    db.close();
    return rows;
  }
  const client = new pg.Client(DATABASE_URL);
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

/** What PostgreSQL knows of a schema, but for the order of columns. */
const CATALOG = [
  `SELECT table_name, column_name, data_type, is_nullable, column_default, collation_name, is_identity
     FROM information_schema.columns WHERE table_schema = 'public' ORDER BY table_name, column_name`,
  "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY indexdef",
  `SELECT conrelid::regclass::text AS of_table, pg_get_constraintdef(oid) AS definition FROM pg_constraint
     WHERE connamespace = 'public'::regnamespace ORDER BY of_table, definition`,
];

/**
 * Starts this program in the minutes after the database was made, so that what lives for an hour is still good.
 * @param former statements that put rows in it as earlier commits left them
 */
async function upgrade(
  name: string,
  more: NodeJS.ProcessEnv = {},
  former: readonly string[] = [],
): Promise<Stored> {
  const { stored, settings } = await restore(name);
  for (const sql of former) await runOn(settings, sql);
  const begun = Date.now();
  server = await startTestServer({ ...settings, ...more }, { clock: () => stored.made + Date.now() - begun });
  return stored;
}

const texts = (data: { text: string }[]) => data.map(({ text }) => text).sort();

async function signIn(email: string, password: string): Promise<Client> {
  const client = new Client(server?.url ?? '');
  expect((await client.post('/v1/sessions', { email, password })).status).toBe(200);
  return client;
}

/** A file that all messages hold. */
const OLD_FILE = [
  `INSERT INTO attachments
    (id, user_id, status, name, content_type, size, file, num_messages, released_at, created_at) VALUES
    ('0190a3c5-02d7-7e41-a6b3-8c5f1d90e274', (SELECT id FROM users LIMIT 1), 'ready', 'old.txt', 'text/plain', 3,
      '0190a3c5', (SELECT count(*) FROM messages), 0, 0)`,
  `INSERT INTO message_attachments (message_id, attachment_id)
    SELECT messages.id, attachments.id FROM messages, attachments WHERE attachments.name = 'old.txt'`,
];

/** Made by the last program before the migrations became one. */
const BEFORE = 'before-0001';
/** Made by the programs that were released, from their archives. */
const RELEASES = ['0.1.0'];

describe.each([BEFORE, ...RELEASES])('a database of %s (claim: upgrades)', (name) => {
  it('is brought up to date, and everything in it is there', async () => {
    const stored = await upgrade(name);
    const ada = await signIn(stored.ada.email, stored.password);
    const profile = await ada.get('/v1/users/me');
    expect(profile.data[0]).toMatchObject({ id: stored.ada.id, first_name: 'Ada' });
    const teams = await ada.get('/v1/users/me/teams');
    expect(JSON.stringify(teams.data)).toContain(stored.team);
    const members = await ada.get(`/v1/teams/${stored.team}/users`);
    for (const { id } of [stored.ada, stored.ben]) expect(JSON.stringify(members.data)).toContain(id);
    expect(members.data.length).toBe(2);
    // By words, in another order than that of the name.
    const found = await ada.get('/v1/users/me/connections?query=test%20ben');
    expect(found.data.map(({ id }) => id)).toEqual([stored.ben.id]);
    const messages = await ada.get('/v1/messages');
    expect(texts(messages.data)).toEqual(
      expect.arrayContaining(['For your eyes alone.', 'The upgrade is on Friday.']),
    );
    const replies = await ada.get(`/v1/messages/${stored.message}/replies`);
    expect(texts(replies.data)).toEqual(['Friday is fine.']);
    const sidebars = await ada.get(`/v1/messages/${stored.message}/sidebars`);
    expect(sidebars.data.length).toBe(1);
    const own = await ada.get('/v1/applications');
    expect(own.data.map(({ id }: { id: string }) => id)).toContain(stored.application.id);
    const installed = await ada.get(`/v1/teams/${stored.team}/applications`);
    expect(installed.data[0].status).toBe('active');
    const deliveries = await ada.get(`/v1/applications/${stored.application.id}/deliveries`);
    expect(deliveries.data[0]).toMatchObject({ kind: 'install', status: 'delivered' });
    const delivery = `/v1/applications/${stored.application.id}/deliveries/${deliveries.data[0].id}`;
    expect((await ada.get(delivery)).data[0].attempts[0].request.url).toMatch(/\/install$/);
    const root = await signIn(stored.root.email, stored.password);
    const actions = (await root.get('/v1/admin/audit?limit=200')).data.map(({ action }) => action);
    expect(actions).toContain('account.created');
    expect(actions).toContain('application.installed');
  });

  it('stays as it is without its key, for the program before (claim: key-before-upgrade)', async () => {
    const { settings } = await restore(name);
    const applied = () => runOn(settings, 'SELECT * FROM schema_migrations ORDER BY version');
    const before = await applied();
    const keyless = readConfig({ ...settings, ENCRYPTION_KEY: '', PORT: '0', LOG_LEVEL: 'silent' }, '');
    await expect(startServer(keyless)).rejects.toThrow('Put back encryption.key in DATA_DIR');
    expect(await applied()).toEqual(before);
  });

  it.runIf(kind === 'postgres')('has the schema of a new database', async () => {
    const { settings } = await restore(name);
    const DATABASE_URL = await createDatabase(inject('postgresUrl'));
    const [upgraded, fresh] = await Promise.all(
      [settings, { DATA_DIR: folder, DATABASE_URL }].map(async (environment) => {
        const { db } = await openDatabase(readConfig(environment, ''), () => undefined, 0);
        await db.close();
        return Promise.all(CATALOG.map((sql) => runOn(environment, sql)));
      }),
    );
    expect(upgraded).toEqual(fresh);
  });

  it('keeps sessions, tokens and client secrets valid', async () => {
    const stored = await upgrade(name);
    const { url } = server as TestServer;
    const ben = new Client(url, { Cookie: stored.ben.cookie });
    expect((await ben.get('/v1/users/me')).data[0].id).toBe(stored.ben.id);
    const token = new Client(url).withToken(stored.tokens.access_token);
    expect((await token.get('/v1/users/me')).data[0].id).toBe(stored.ben.id);
    const { id, secret } = stored.application;
    const objects = await new Client(url).withCredentials(id, secret).get(`/v1/applications/${id}/objects`);
    expect(objects.status).toBe(200);
    const refreshed = await new Client(url).ask('POST', '/v1/oauth2/token', {
      form: {
        grant_type: 'refresh_token',
        refresh_token: stored.tokens.refresh_token,
        client_id: id,
        client_secret: secret,
      },
    });
    expect(refreshed.status).toBe(200);
  });

  it('finds the conversations of direct messages', async () => {
    const stored = await upgrade(name);
    const ben = new Client(server?.url ?? '', { Cookie: stored.ben.cookie });
    const conversations = async () => (await ben.get('/v1/users/me/conversations')).data;
    await expect.poll(async () => (await conversations()).length).toBe(1);
    const [found] = await conversations();
    expect(found.users.map(({ id }: { id: string }) => id)).toEqual([stored.ada.id]);
    expect(found).toMatchObject({ newest_id: stored.direct, last: { id: stored.direct } });
    const messages = await ben.get(`/v1/messages?with=${stored.ada.id}`);
    expect(messages.data.map(({ id }) => id)).toEqual([stored.direct]);
  });

  it('finds the messages in search', async () => {
    const stored = await upgrade(name);
    const ben = new Client(server?.url ?? '', { Cookie: stored.ben.cookie });
    await expect
      .poll(async () => texts((await ben.get('/v1/messages?q=upgrade')).data))
      .toEqual(['The upgrade is on Friday.']);
  });
});

describe('a database from before the migrations became one', () => {
  it('shows the files that its messages hold', async () => {
    const stored = await upgrade(BEFORE, {}, ['UPDATE delivery_attempts SET url = NULL', ...OLD_FILE]);
    const ada = await signIn(stored.ada.email, stored.password);
    const files = await ada.get(`/v1/teams/${stored.team}/files`);
    expect(files.data[0]).toMatchObject({ name: 'old.txt' });
    const delivery = `/v1/applications/${stored.application.id}/deliveries`;
    const { id } = (await ada.get(delivery)).data[0];
    expect((await ada.get(`${delivery}/${id}`)).data[0].attempts[0].request.url).toMatch(/\/install$/);
  });

  it('sends no mail that was stored with a finished text', async () => {
    const mailbox = await new Mailbox().start();
    const stored = await upgrade(BEFORE, { SMTP_URL: mailbox.url, MAIL_FROM: 'parley@example.org' });
    const { running, environment } = server as TestServer;
    const keys = await loadKeys(readConfig(environment, ''), running.db);
    const body = { text: 'FROZEN', html: '<p>FROZEN</p>', secret: 'used' };
    const id = newId();
    await runSql(
      running.db,
      `INSERT INTO mails (id, kind, user_id, recipient, subject, body_ciphertext, message_id, status, num_attempts,
         num_failures, next_attempt_at, lease_until, created_at, updated_at)
       VALUES (?, 'password_reset', ?, 'old@example.org', 'FROZEN', ?, 'frozen@localhost', 'pending', 0, 0, 0, 0, ?, ?)`,
      [
        id,
        stored.ben.id,
        new Cipher(keys.encryption).encrypt(JSON.stringify(body)),
        stored.made,
        stored.made,
      ],
    );
    const root = await signIn(stored.root.email, stored.password);
    const mail = async () => (await root.get(`/v1/admin/mails/${id}`)).data[0];
    await until(async () => (await mail()).status !== 'pending');
    expect(await mail()).toMatchObject({ status: 'dropped', reason: 'It was written before version 0.1.0' });
    expect(mailbox.received.map(({ raw }) => raw).join()).not.toContain('FROZEN');
    await mailbox.stop();
  });

  it('leaves an application what it had before an admin was asked', async () => {
    const stored = await upgrade(BEFORE, {}, [
      `UPDATE applications SET link_prefixes_json = '["https://own.example/"]'`,
      `UPDATE installations SET link_prefixes_json = NULL, scopes_json = '["messages:read"]', scope_history_json = '[]'`,
    ]);
    const ada = await signIn(stored.ada.email, stored.password);
    const { data } = await ada.get(`/v1/teams/${stored.team}/applications`);
    expect(data[0]).toMatchObject({ link_prefixes: ['https://own.example/'], requested_link_prefixes: [] });
    const path = `/v1/teams/${stored.team}/applications/${stored.application.id}/scopes`;
    expect((await ada.get(path)).data).toMatchObject([
      { decided_by: { id: stored.ada.id }, scopes: ['messages:read'], added: ['messages:read'] },
    ]);
  });
});

describe.each(RELEASES)('a database of release %s', (name) => {
  it('keeps what belongs to its messages', async () => {
    const stored = await upgrade(name);
    const ben = new Client(server?.url ?? '', { Cookie: stored.ben.cookie });
    const message = (await ben.get(`/v1/messages/${stored.message}`)).data[0];
    expect(message).toMatchObject({
      pinned: true,
      saved: true,
      reactions: [{ emoji: '🙌' }, { emoji: '🎉' }],
    });
    const matter = (await ben.get(`/v1/messages?subject=${stored.subject}`)).data;
    expect(matter.map(({ text }) => text)).toEqual(['# Plan\n\n- [ ] back up']);
  });

  it('posts what was scheduled before', async () => {
    const stored = await upgrade(name);
    const ben = new Client(server?.url ?? '', { Cookie: stored.ben.cookie });
    const sent = await ben.patch(`/v1/users/me/scheduled_messages/${stored.scheduled}`, { send_now: true });
    expect(sent.data[0]).toMatchObject({ status: 'sent' });
    const posted = (await ben.get(`/v1/messages/${sent.data[0].message_id}`)).data[0];
    expect(posted.text).toBe('The upgrade is over.');
  });
});

describe('a database is refused, and stays as it was,', () => {
  /** A server that is stopped after it has made its database. @returns how to look into it, and to start again */
  async function made(change: (run: (sql: string) => Promise<unknown>) => Promise<unknown>) {
    server = await startTestServer({ DATA_DIR: folder });
    const { environment, running } = server;
    await change((sql) => runSql(running.db, sql, []));
    await running.stop();
    return () => startTestServer({ ...environment, DATA_DIR: folder });
  }

  it('when a newer version has migrated it (claim: no-downgrade)', async () => {
    const again = await made((run) =>
      run("INSERT INTO schema_migrations (version, name, applied_at) VALUES (9999, '9999-future', 0)"),
    );
    await expect(again()).rejects.toThrow(
      `The database is at version 9999, this program knows versions up to ${migrations.length}. Start the newer program`,
    );
    await expect(again()).rejects.toBeInstanceOf(SchemaRefused);
  });

  it('when its migrations are those of an earlier commit than the last before they became one', async () => {
    const { settings } = await restore(BEFORE);
    const run = (sql: string) => runOn(settings, sql);
    await run('DELETE FROM schema_migrations WHERE version = (SELECT max(version) FROM schema_migrations)');
    const left = await run('SELECT * FROM schema_migrations');
    await expect(startTestServer(settings)).rejects.toThrow(
      'The database was made with migration 0001-initial in another form',
    );
    expect(await run('SELECT * FROM schema_migrations')).toEqual(left);
  });
});
