import { expect, it } from 'vitest';
import { authorize, install, makeTeam, type Person, register, signUp } from '../support/people.ts';
import {
  type Asked,
  enlarge,
  indexesOf,
  readInOrder,
  readThrough,
  readWhole,
  recordStatements,
} from '../support/plans.ts';
import { scene } from '../support/scene.ts';
import { runSql } from '../support/tables.ts';
import { until } from '../support/until.ts';

/*
 * What each request asks of the database begins at a key. A statement that goes through a table is fast while the table is
 * small, and so are the tables of all other tests: here the plans are looked at, not the time.
 */

const { server, host, ada, eve } = scene({ people: ['Ada', 'Eve'] });

/** SQLite calls all of these a scan. */
const NO_TABLE = [
  /^SCAN json_each /,
  /^SCAN CONSTANT ROW/,
  /^SCAN \(subquery/,
  // Words are looked up, and deleted by their place.
  /^SCAN message_words VIRTUAL TABLE INDEX (?:0:=|\d+:M)/,
  // The first or the last row in the order of the index, and then no more.
  /^SCAN (?:messages|newest|message_index_queue) USING COVERING INDEX sqlite_autoindex_/,
  /^SCAN message_index_queue$/,
  // Sources that have their turn now, and people of a thread: made by the statement itself, and bounded by its limit.
  /^SCAN (?:repliers|turns)$/,
];

/** Small tables, that grow with what owners of applications set up, and not with what people do. */
const SMALL = [
  /^SCAN event_(?:subscriptions|consumers)\b/,
  /^SCAN (?:consumer|queue)$/,
  // Only people who want every message.
  /^SCAN push_settings USING COVERING INDEX push_settings_of_teams/,
];

async function withApplication() {
  const team = await makeTeam(ada, [eve]);
  const application = await register(ada, host, { scopes: ['messages:read', 'messages:write'] });
  await install(ada, team, application);
  const tokens = await authorize(ada, team, application);
  return { team, application, tokens, token: server.anonymous().withToken(tokens.access_token) };
}

const refresh = (
  { id, secret }: { readonly id: string; readonly secret: string },
  { refresh_token }: { readonly refresh_token: string },
) =>
  server.anonymous().ask('POST', '/v1/oauth2/token', {
    form: { grant_type: 'refresh_token', refresh_token, client_id: id, client_secret: secret },
  });

async function readAll({ client }: Pick<Person, 'client'>, team: string): Promise<void> {
  const paths = [
    'users/me',
    'users/me/teams',
    `messages?team=${team}`,
    'messages?q=word',
    'messages?has=file',
    `teams/${team}/files`,
    `users/${eve.id}`,
  ];
  for (const path of paths) expect((await client.get(`/v1/${path}`)).status, path).toBe(200);
}

it.runIf(process.env.TEST_DATABASE === 'sqlite')('no request goes through a table of SQLite', async () => {
  const { db } = server.running;
  const stop = recordStatements(db);
  const { team, application, tokens, token } = await withApplication();
  const subscriptions = `/v1/applications/${application.id}/subscriptions`;
  const webhook = { kinds: ['message.posted'], webhook: { url: `${host.url}/hook` } };
  expect((await ada.client.post(subscriptions, webhook)).status).toBe(200);
  const posted = await token.post('/v1/messages', { text: 'a word', addressed_teams: [team] });
  const message = `/v1/messages/${posted.data[0].id}`;
  await eve.client.post(`${message}/replies`, { text: 'an answer, @ada' });
  await eve.client.put(`${message}/high_five`);
  await eve.client.post('/v1/messages', { text: 'a word', addressed_users: [ada.id] });
  await eve.client.post(`${message}/sidebars`, { users: [ada.id], text: 'aside' });
  await ada.client.patch(message, { text: 'another word' });
  await readAll(ada, team);
  await readAll({ client: token }, team);
  for (const path of ['users/me/inbox', 'users/me/conversations', 'users/me/connections'])
    expect((await ada.client.get(`/v1/${path}`)).status, path).toBe(200);
  expect((await refresh(application, tokens)).status).toBe(200);
  await host.next(({ path }) => path === '/hook');
  const asked = stop();
  expect(asked.length).toBeGreaterThan(100);
  const found: string[] = [];
  for (const one of asked) {
    const scans = (await readWhole(db, one)).filter(
      (scan) => ![...NO_TABLE, ...SMALL].some((is) => is.test(scan)),
    );
    if (scans.length > 0) found.push(`${scans.join('; ')}: ${one.sql}`);
  }
  expect(found).toEqual([]);
});

/** What a caller is known by. */
const KEYS = ['access_tokens', 'refresh_tokens', 'sessions'];
/** One application of many people: what it and its installation are found by is no reason to begin there. */
const LARGE = [...KEYS, 'users', 'agreements', 'oauth_grants'];

it.runIf(process.env.TEST_DATABASE === 'postgres')(
  'PostgreSQL begins at the key of a caller, however large its tables are, without statistics of them',
  async () => {
    const { db } = server.running;
    const { application, tokens, token } = await withApplication();
    const stop = recordStatements(db);
    expect((await ada.client.get('/v1/users/me')).status).toBe(200);
    expect((await token.get('/v1/users/me')).status).toBe(200);
    expect((await refresh(application, tokens)).status).toBe(200);
    const asked = stop().filter(({ sql }) => /^(?:with|select)/.test(sql));
    await enlarge(db, LARGE, 20_000);
    for (const key of KEYS) {
      const [one, ...more] = asked.filter(({ sql }) => sql.includes(`from "${key}"`));
      expect(more, key).toEqual([]);
      expect((await readInOrder(db, one as Asked))[0], one?.sql).toBe(key);
    }
  },
);

it.runIf(process.env.TEST_DATABASE === 'postgres')(
  'PostgreSQL lists messages with files by its index of words, and goes through no other messages',
  async () => {
    const { db } = server.running;
    const { team, token } = await withApplication();
    await token.post('/v1/messages', { text: 'a word', addressed_teams: [team] });
    const stop = recordStatements(db);
    expect((await ada.client.get('/v1/messages?has=file')).data).toEqual([]);
    const [one, ...more] = stop().filter(({ sql }) => sql.includes('tsquery'));
    expect(more).toEqual([]);
    await enlarge(db, ['message_index'], 20_000);
    // As the database's own upkeep does.
    await runSql(db, "SELECT gin_clean_pending_list('message_index_words')");
    await runSql(db, 'ANALYZE message_index');
    expect(await indexesOf(db, one as Asked)).toEqual(['message_index_words']);
  },
);

it('an account that is made with a link and an invitation goes through no other teams', async () => {
  const { db } = server.running;
  const [linked, inviting] = [await makeTeam(ada), await makeTeam(ada)];
  const [{ token: join_link }] = (await ada.client.post(`/v1/teams/${linked}/join_links`)).data;
  const email = 'invited@example.org';
  const invited = await ada.client.post(`/v1/teams/${inviting}/invitations`, { emails: [email] });
  const stop = recordStatements(db);
  await signUp(server, 'Invited', { email, join_link, invitation: invited.data[0].token });
  const locking = stop().filter(
    ({ sql }) => sql.includes('from "waiting_joins"') && sql.includes('from "teams"'),
  );
  expect(locking).toHaveLength(1);
  const [one] = locking as [Asked];
  if (db.dialect === 'postgres') {
    await enlarge(db, ['teams'], 20_000);
    const through = await readThrough(db, one);
    expect(through.filter(({ table }) => table === 'teams')).toEqual([]);
  } else {
    const scans = await readWhole(db, one);
    expect(scans.filter((scan) => !NO_TABLE.some((is) => is.test(scan)))).toEqual([]);
  }
});

/** The one statement with some words goes through no table, and through no index of one. */
async function expectKeyed(asked: readonly Asked[], words: string, tables: readonly string[]): Promise<void> {
  const [one, ...more] = asked.filter(({ sql }) => sql.includes(words));
  expect(more, words).toEqual([]);
  const through = await readThrough(server.running.db, one as Asked);
  expect(through.filter(({ table }) => tables.includes(table))).toEqual([]);
}

it.runIf(process.env.TEST_DATABASE === 'postgres')(
  'PostgreSQL lists what a person has allowed, and goes through no other installations, without statistics of them',
  async () => {
    const { db } = server.running;
    await withApplication();
    const stop = recordStatements(db);
    expect((await ada.client.get('/v1/users/me/grants')).data).not.toEqual([]);
    const asked = stop();
    await enlarge(db, ['agreements', 'installations'], 20_000);
    await expectKeyed(asked, 'application_base_url', ['agreements', 'installations']);
  },
);

it.runIf(process.env.TEST_DATABASE === 'postgres')(
  'PostgreSQL indexes what was posted last, and goes through no other messages, after the queue was long',
  async () => {
    const { db } = server.running;
    const team = await makeTeam(ada);
    const stop = recordStatements(db);
    await ada.client.post('/v1/messages', { text: 'a word', addressed_teams: [team] });
    await until(async () => (await runSql(db, 'SELECT FROM message_index_queue')).length === 0);
    const asked = stop();
    await enlarge(db, ['messages'], 20_000);
    await runSql(db, 'ALTER TABLE message_index_queue SET (autovacuum_enabled = false)');
    await db.write(async (tx) => {
      await tx.all(
        'INSERT INTO message_index_queue (message_id) SELECT id FROM messages ON CONFLICT DO NOTHING',
        [],
      );
      await tx.all('DELETE FROM message_index_queue', []);
    });
    await expectKeyed(asked, 'from "message_index_queue" inner join', ['messages']);
  },
);

it.runIf(process.env.TEST_DATABASE === 'postgres')(
  'PostgreSQL looks for what a person has marked as unread, and goes through nobody else’s marks',
  async () => {
    const { db } = server.running;
    const team = await makeTeam(ada);
    const stop = recordStatements(db);
    expect((await ada.client.get('/v1/users/me/inbox')).status).toBe(200);
    const asked = stop();
    await db.write(async (tx) => {
      await tx.all('SET LOCAL session_replication_role = replica', []);
      await tx.all(
        `INSERT INTO read_marks (user_id, team_id, message_id, seq, is_read)
         SELECT person.id, $1, CAST(lpad(to_hex(n), 32, '0') AS uuid), n, CASE WHEN n % 10 = 0 THEN 0 ELSE 1 END
         FROM generate_series(1, 500) AS n, (SELECT gen_random_uuid() AS id FROM generate_series(1, 100)) AS person`,
        [team],
      );
    });
    await runSql(db, 'ANALYZE read_marks');
    await expectKeyed(asked, 'newest_id', ['read_marks']);
  },
);
