import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  ApplicationHost,
  install,
  makeTeam,
  type Person,
  type RegisteredApplication,
  register,
  signUp,
} from '../../test/support/people.ts';
import { startTestServer, type TestServer } from '../../test/support/server.ts';
import { dumpTables, runSql } from '../../test/support/tables.ts';

const DAY_S = 24 * 3600;
let server: TestServer;
let host: ApplicationHost;
let root: Person;
let ada: Person;
let bob: Person;
let team: string;
let application: RegisteredApplication;

beforeEach(async () => {
  // Sessions outlive the days that pass here.
  server = await startTestServer({ SESSION_LIFETIME: String(400 * DAY_S) }, { housekeepingMs: 20 });
  host = await new ApplicationHost().start();
  root = await signUp(server, 'Root');
  ada = await signUp(server, 'Ada');
  bob = await signUp(server, 'Bob');
  team = await makeTeam(ada, [bob], 'Harbour');
  application = await register(ada, host);
  await install(ada, team, application);
});
afterEach(async () => {
  await server.stop();
  await host.stop();
});

/** Puts a message into the full-text index, as the messages do. */
async function index(id: string): Promise<void> {
  const { db } = server.running;
  if (db.dialect === 'postgres') {
    await runSql(db, "INSERT INTO message_index (message_id, words) VALUES (?, to_tsvector('secrettext'))", [
      id,
    ]);
    return;
  }
  const [row] = await runSql<{ place: number }>(
    db,
    'INSERT INTO message_index (message_id) VALUES (?) RETURNING place',
    [id],
  );
  await runSql(db, "INSERT INTO message_words (rowid, scope, words) VALUES (?, '', 'secrettext')", [
    row?.place,
  ]);
}

/** How many messages the index finds by their word. */
async function indexed(): Promise<number> {
  const { db } = server.running;
  const found =
    db.dialect === 'postgres'
      ? "SELECT place FROM message_index WHERE words @@ to_tsquery('secrettext')"
      : "SELECT rowid FROM message_words WHERE message_words MATCH 'secrettext'";
  return (await db.all(found, [])).length;
}

const listed = async (id: string) =>
  (await root.client.get('/v1/admin/teams')).data.find((one) => one.id === id);
const restore = (body: object = {}) => root.client.post(`/v1/admin/teams/${team}/restore`, body);
const post = (text: string) =>
  ada.client.post('/v1/messages', { text, addressed_teams: [team] }).then(({ data }) => data[0].id as string);

it('a deleted team is restored with its members and messages, and without what was installed', async () => {
  await post('We keep this.');
  expect((await restore()).code).toBe(4090);
  await ada.client.delete(`/v1/teams/${team}`);
  expect((await ada.client.get(`/v1/teams/${team}`)).code).toBe(4040);
  expect(await listed(team)).toMatchObject({ name: 'Harbour', active: false, num_members: 2, erased: false });
  const inactive = await root.client.get('/v1/admin/teams?active=false');
  expect(inactive.data.map(({ id }) => id)).toEqual([team]);

  expect((await restore()).data[0]).toMatchObject({ id: team, active: true, deleted_at: null });
  expect((await bob.client.get(`/v1/messages?team=${team}`)).data[0].text).toBe('We keep this.');
  expect((await ada.client.get(`/v1/teams/${team}/applications`)).data).toEqual([]);
  expect((await root.client.get(`/v1/teams/${team}`)).code).toBe(4040);
  expect((await restore()).body.errors[0]).toMatchObject({ code: 4090, reason: 'active' });
  expect((await root.client.post('/v1/admin/teams/nothing/restore', {})).code).toBe(4040);
});

it('a team whose admin is gone is restored with another one', async () => {
  await ada.client.delete(`/v1/teams/${team}`);
  await root.client.patch(`/v1/admin/users/${ada.id}`, { active: false });
  expect((await restore()).body.errors[0]).toMatchObject({ code: 4090, reason: 'no_admin' });
  expect((await restore({ admin: root.id })).code).toBe(4040);
  expect((await restore({ admin: bob.id })).status).toBe(200);
  expect((await bob.client.patch(`/v1/teams/${team}`, { name: 'Mine' })).status).toBe(200);
});

it('an administrator names another admin of a team, among its members', async () => {
  const appoint = (user: string) => root.client.put(`/v1/admin/teams/${team}/admins/${user}`);
  expect((await bob.client.patch(`/v1/teams/${team}`, { name: 'Mine' })).code).toBe(4030);
  expect((await appoint(bob.id)).status).toBe(200);
  expect((await bob.client.patch(`/v1/teams/${team}`, { name: 'Mine' })).status).toBe(200);
  expect((await appoint(root.id)).code).toBe(4040);
});

it('after its time, what was in a team is erased for good', async () => {
  const { db } = server.running;
  const kept = await makeTeam(ada, [bob]);
  await ada.client.post('/v1/messages', { text: 'Elsewhere.', addressed_teams: [kept] });
  await application.credentials.post(`/v1/applications/${application.id}/objects`, {
    name: 'Secretobject',
    team,
    type: 'secrettype',
    url: '/secretpath',
  });
  await ada.client.post(`/v1/teams/${team}/invitations`, { emails: ['secretguest@example.org'] });
  const ids = [];
  for (let n = 0; n < 700; n += 50)
    ids.push(...(await Promise.all(Array.from({ length: 50 }, () => post('Secrettext')))));
  // A reply and somebody's state, as the messages keep them.
  await runSql(
    db,
    `INSERT INTO messages (id, team_id, author_id, text, addressed_users_json, attachments_json, mentions_json,
       num_replies, num_high_fives, created_at, updated_at, root_id, reply_seq)
     SELECT '019a0000-0000-7000-8000-000000000001', team_id, author_id, 'Secretreply', '[]', '["Secretfile"]', '[]',
       0, 0, 0, 0, id, 1 FROM messages WHERE id = ?`,
    [ids[0]],
  );
  await runSql(db, 'INSERT INTO high_fives (message_id, user_id, created_at) VALUES (?, ?, 0)', [
    ids[0],
    bob.id,
  ]);
  await runSql(
    db,
    'INSERT INTO message_states (user_id, message_id, is_muted, is_unread, replies_read) VALUES (?, ?, 1, 0, 0)',
    [bob.id, ids[0]],
  );
  await runSql(
    db,
    'INSERT INTO read_marks (user_id, team_id, message_id, seq, is_read) VALUES (?, ?, ?, 1, 0)',
    [bob.id, team, ids[0]],
  );
  await index(ids[0] as string);
  const count = async (table: string) =>
    (await runSql<{ n: number }>(db, `SELECT count(*) AS n FROM ${table} WHERE team_id = ?`, [team]))[0]?.n;
  await ada.client.delete(`/v1/teams/${team}`);
  await host.next((call) => call.path === '/uninstall');
  expect([await count('read_marks'), await indexed()]).toEqual([1, 1]);
  server.clock.advance(29 * DAY_S);
  expect((await listed(team)).erased).toBe(false);
  server.clock.advance(1 * DAY_S + 60);
  for (let erased: unknown; !erased; ) {
    const { data } = await root.client.get(`/v1/admin/audit?team=${team}&action=team.erased`);
    erased = data[0];
  }
  for (const [table, rows] of await dumpTables(db))
    expect([table, /secret(text|reply|file|object|type|path|guest)|harbour/i.exec(rows)?.[0]]).toEqual([
      table,
      undefined,
    ]);
  for (const table of ['memberships', 'read_marks', 'invitations']) expect(await count(table)).toBe(0);
  expect(await indexed()).toBe(0);
  for (const table of ['high_fives', 'message_states', 'erasures'])
    expect(await runSql(db, `SELECT * FROM ${table}`)).toEqual([]);
  expect(await listed(team)).toMatchObject({ name: 'Deleted team', erased: true, num_members: 0 });
  expect((await restore()).body.errors[0]).toMatchObject({ code: 4090, reason: 'erased' });
  expect((await bob.client.get(`/v1/messages?team=${kept}`)).data[0].text).toBe('Elsewhere.');
});
