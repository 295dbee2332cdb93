import sharp from 'sharp';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { storedFiles } from '../../test/support/files.ts';
import { Mailbox, mailsGo, mailsSettle } from '../../test/support/mailbox.ts';
import {
  ApplicationHost,
  install,
  join,
  makeTeam,
  type Person,
  type RegisteredApplication,
  register,
  signUp,
} from '../../test/support/people.ts';
import { startTestServer, type TestServer } from '../../test/support/server.ts';
import { dumpTables, runSql } from '../../test/support/tables.ts';
import { until } from '../../test/support/until.ts';

const DAY_S = 24 * 3600;
let server: TestServer;
let mailbox: Mailbox;
let host: ApplicationHost;
let root: Person;
let ada: Person;
let bob: Person;
let team: string;
let application: RegisteredApplication;

beforeEach(async () => {
  mailbox = await new Mailbox().start();
  // Sessions and mails outlive the days that pass here.
  server = await startTestServer(
    {
      SESSION_LIFETIME: String(400 * DAY_S),
      SESSION_MAX_LIFETIME: String(400 * DAY_S),
      MAIL_RETENTION: String(400 * DAY_S),
      SMTP_URL: mailbox.url,
      MAIL_FROM: 'Parley <parley@example.org>',
    },
    { housekeepingMs: 100 },
  );
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
  await mailbox.stop();
  await host.stop();
});

/** How many messages the search index finds by their word. */
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

it('a deleted team is restored with its members and messages, and without its applications', async () => {
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

/** Of a removed preview its link is kept, also when the application is gone. */
async function showRemovedPreview(id: string): Promise<void> {
  const url = 'https://cards.example/secretpath';
  const { credentials, id: cards } = await register(ada, host, {
    scopes: ['messages:read', 'messages:write'],
    link_prefixes: ['https://cards.example/'],
  });
  await ada.client.post(`/v1/teams/${team}/applications`, { application: cards });
  await ada.client.patch(`/v1/messages/${id}`, { text: `Secrettext ${url}` });
  const form = { grant_type: 'client_credentials', team };
  const { body } = await credentials.ask('POST', '/v1/oauth2/token', { form });
  const bot = server.anonymous().withToken(body.access_token);
  const shown = await bot.put(`/v1/messages/${id}/unfurls`, { unfurls: [{ url, title: 'Secrettext' }] });
  await ada.client.delete(`/v1/messages/${id}/unfurls/${shown.data[0].unfurls[0].id}`);
}

async function makePicturedWebhook(): Promise<void> {
  const path = `/v1/teams/${team}/webhooks`;
  const { id } = (await ada.client.post(path, { name: 'Secrethook' })).data[0];
  const raw = new FormData();
  const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  raw.set('file', new Blob([new Uint8Array(picture)]), 'hook.png');
  const { data } = await ada.client.ask('PUT', `${path}/${id}/image`, { raw });
  expect(data[0].author.images).toHaveLength(1);
}

it('after the retention period the contents of a team are erased', async () => {
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
  for (let n = 0; n < 350; n += 50)
    ids.push(...(await Promise.all(Array.from({ length: 50 }, () => post('Secrettext')))));
  const [first, second] = [ids[0], ids[60]];
  const raw = new FormData();
  raw.set('file', new Blob(['Secretbytes']), 'Secretfile.txt');
  const { data: uploaded } = await ada.client.ask('POST', '/v1/attachments', { raw });
  const attachments = { files: [uploaded[0].id] };
  for (const at of [first, second])
    await ada.client.post(`/v1/messages/${at}/replies`, { text: 'Secretreply', attachments });
  await ada.client.post(`/v1/messages/${first}/sidebars`, { text: 'Secretaside', users: [bob.id] });
  await ada.client.patch(`/v1/messages/${second}`, { text: 'Secrettext, but another one' });
  await showRemovedPreview(ids[1] as string);
  await makePicturedWebhook();
  await bob.client.put(`/v1/messages/${first}/high_five`);
  await bob.client.put(`/v1/messages/${first}/mute`);
  await bob.client.patch('/v1/users/me/push_settings', { teams: [{ team, level: 'all' }] });
  const gone = await signUp(server, 'Gone');
  await join(ada, team, gone);
  await ada.client.post('/v1/messages', { text: 'Welcome.', addressed_teams: [team] });
  await mailsSettle(server);
  await gone.client.put(`/v1/messages/${first}/mute`);
  await gone.client.delete(`/v1/teams/${team}/users/${gone.id}`);
  await bob.client.put(`/v1/messages/${second}/read`);
  const toBob = async () =>
    (await ada.client.post('/v1/messages', { text: 'x', addressed_users: [bob.id] })).data[0].id;
  const [, muted] = [await toBob(), await toBob()];
  await bob.client.put(`/v1/messages/${muted}/mute`);
  await mailsGo(server);
  const count = async (table: string) =>
    (await runSql<{ n: number }>(db, `SELECT count(*) AS n FROM ${table} WHERE team_id = ?`, [team]))[0]?.n;
  await ada.client.delete(`/v1/teams/${team}`);
  await host.next((call) => call.path === '/uninstall');
  await expect.poll(async () => [await count('read_marks'), await indexed()]).toEqual([1, 350]);
  const notified = async () => {
    const rows = await runSql<{ team_id: string | null }>(
      db,
      `SELECT team_id FROM mail_notifications INNER JOIN messages ON messages.id = message_id
        UNION SELECT team_id FROM mail_cursors`,
    );
    return new Set(rows.map((row) => row.team_id));
  };
  // Mails are made from the streams in the background.
  await expect.poll(notified).toEqual(new Set([team, kept, null]));
  expect(storedFiles(server)).toHaveLength(1);
  server.clock.advance(29 * DAY_S);
  expect((await listed(team)).erased).toBe(false);
  await ada.client.post('/v1/messages', { text: 'Elsewhere.', addressed_teams: [kept] });
  server.clock.advance(1 * DAY_S + 60);
  for (let erased: unknown; !erased; ) {
    const { data } = await root.client.get(`/v1/admin/audit?team=${team}&action=team.erased`);
    erased = data[0];
  }
  // No message holds the file any more: housekeeping deletes it, at once or a day later.
  server.clock.advance(1 * DAY_S + 60);
  await until(() => storedFiles(server).length === 0);
  await until(async () => (await runSql(db, 'SELECT id FROM attachments')).length === 0);
  // The authors of its webhooks are erased one by one.
  await until(async () => !/Secrethook/.test((await dumpTables(db)).get('users') ?? ''));
  const tables = await dumpTables(db);
  // A mail goes with its own time.
  tables.delete('mails');
  for (const [table, rows] of tables)
    expect([
      table,
      /secret(hook|text|reply|aside|file|object|type|path|guest)|harbour/i.exec(rows)?.[0],
    ]).toEqual([table, undefined]);
  for (const table of ['memberships', 'read_marks', 'invitations']) expect(await count(table)).toBe(0);
  expect(await indexed()).toBe(0);
  for (const table of [
    'reactions',
    'unfurls',
    'sidebar_users',
    'user_images',
    'message_attachments',
    'notice_jobs',
    'mail_jobs',
    'erasures',
  ])
    await expect.poll(() => runSql(db, `SELECT * FROM ${table}`), { message: table }).toEqual([]);
  await expect.poll(notified).toEqual(new Set([kept, null]));
  expect(await runSql(db, 'SELECT message_id FROM message_states')).toEqual([{ message_id: muted }]);
  expect(await runSql(db, 'SELECT place FROM events WHERE audience_id = ?', [team])).toEqual([]);
  expect((await bob.client.get('/v1/users/me/push_settings')).data[0].teams).toEqual([]);
  expect(await listed(team)).toMatchObject({ name: 'Deleted team', erased: true, num_members: 0 });
  expect((await restore()).body.errors[0]).toMatchObject({ code: 4090, reason: 'erased' });
  expect((await bob.client.get(`/v1/messages?team=${kept}`)).data[0].text).toBe('Elsewhere.');

  const inIndex = async () => runSql(server.running.db, 'SELECT message_id FROM message_index');
  // A search brings in what waits to be indexed.
  expect((await bob.client.get('/v1/messages?q=Elsewhere')).data).toHaveLength(2);
  const before = await inIndex();
  await server.running.stop();
  server = await startTestServer(server.environment);
  expect(await inIndex()).toEqual(before);
});
