import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, inject, it } from 'vitest';
import { Client } from '../support/client.ts';
import { newFolder } from '../support/folder.ts';
import { agreeAndOpen } from '../support/people.ts';
import { createDatabase } from '../support/postgres.ts';
import { freePort, type Program, root, startPlatform, startProgram } from '../support/process.ts';
import { until } from '../support/until.ts';

const folder = newFolder();
const programs: Program[] = [];

afterAll(async () => {
  for (const program of programs) await program.end('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

/** A browser at the example application: keeps its cookie, shows where it is sent. */
async function browse(url: string, cookie = '', body?: Record<string, string>) {
  const response = await fetch(url, {
    redirect: 'manual',
    method: body ? 'POST' : 'GET',
    headers: { Cookie: cookie, Origin: new URL(url).origin },
    ...(body && { body: new URLSearchParams(body) }),
  });
  const [set] = response.headers.getSetCookie();
  return {
    status: response.status,
    location: response.headers.get('location'),
    cookie: set?.split(';')[0] ?? cookie,
    text: await response.text(),
  };
}

it('an application in a process of its own is registered, installed, opened, used and uninstalled', async () => {
  const postgres = process.env.TEST_DATABASE === 'postgres';
  const platform = await startPlatform({
    PORT: String(await freePort()),
    DATA_DIR: join(folder, 'platform'),
    ...(postgres && {
      DATABASE_URL: await createDatabase(inject('postgresUrl'), inject('postgresTemplate')),
    }),
  });
  programs.push(platform);
  const url = platform.found.replace('localhost', '127.0.0.1');
  const ada = new Client(url);
  const signedUp = await ada.post('/v1/users', {
    email: 'ada@example.org',
    password: 'a long password',
    first_name: 'Ada',
    last_name: 'Lovelace',
  });
  const team = (await ada.post('/v1/teams', { name: 'Engine room' })).data[0].id;

  // Registered, and started with what registering gave.
  const port = await freePort();
  const tracker = `http://127.0.0.1:${port}`;
  const registered = await ada.post('/v1/applications', {
    name: 'Task tracker',
    base_url: tracker,
    preinstall_url: `${tracker}/parley/install`,
    uninstall_url: `${tracker}/parley/uninstall`,
    team_update_url: `${tracker}/parley/team`,
    redirect_uris: [`${tracker}/parley/redirect`],
    scopes: ['messages:read', 'messages:write'],
  });
  const { id, client_secret } = registered.data[0];
  const dataFile = join(folder, 'tracker.db');
  programs.push(
    await startProgram(
      [join(root, 'examples/task-tracker/main.ts')],
      {
        PORT: String(port),
        BASE_URL: tracker,
        PARLEY_URL: url,
        PARLEY_CLIENT_ID: id,
        PARLEY_CLIENT_SECRET: client_secret,
        DATA_FILE: dataFile,
      },
      /Task tracker: \S+/,
    ),
  );

  // Installed: the tracker verified the secret and the signature, or this would be 4240.
  const installed = await ada.post(`/v1/teams/${team}/applications`, { application: id });
  expect(installed.data).toMatchObject([{ status: 'active', team }]);

  // Opened: the browser is sent to the tracker with a code, which the tracker exchanges, and on into the tracker.
  // The first time they come by the page that asks for their consent.
  const application = { id, secret: client_secret, redirectUri: '', credentials: ada };
  const person = (client: Client) => ({ id: '', email: '', client });
  expect((await ada.get(`/v1/applications/${id}/open?team=${team}`)).status).toBe(303);
  const entered = await browse(await agreeAndOpen(person(ada), team, application));
  expect([entered.status, entered.location]).toEqual([302, `/teams/${team}`]);
  const { cookie } = entered;
  const home = await browse(`${tracker}/teams/${team}`, cookie);
  expect(home.text).toContain('Signed in as Ada Lovelace');

  // A task is an object of the platform; done, it is a message that mentions the object.
  await browse(`${tracker}/tasks`, cookie, { title: 'Oil the <engine>' });
  const credentials = ada.withCredentials(id, client_secret);
  const objects = await credentials.get(`/v1/applications/${id}/objects?team=${team}`);
  expect(objects.data).toMatchObject([{ name: 'Oil the <engine>', type: 'task', url: '/tasks/1' }]);

  // A member of another team who writes this team into the address is not let in.
  const eve = new Client(url);
  const fields = { password: 'a long password', first_name: 'Eve', last_name: '' };
  const eveEmail = 'eve@example.org';
  await eve.post('/v1/users', { ...fields, email: eveEmail });
  const other = (await ada.post('/v1/teams', { name: 'Other' })).data[0].id;
  const invited = await ada.post(`/v1/teams/${other}/invitations`, { emails: [eveEmail] });
  await eve.put(`/v1/invitations/${invited.data[0].token}`);
  await ada.post(`/v1/teams/${other}/applications`, { application: id });
  const forged = new URL(await agreeAndOpen(person(eve), other, application));
  forged.searchParams.set('platform_team_id', team);
  const refused = await browse(forged.href);
  expect([refused.status, refused.cookie]).toEqual([404, '']);

  // Its access token ends, so that finishing the task needs the refresh token.
  const database = new DatabaseSync(dataFile);
  const stored = () =>
    JSON.parse(database.prepare('SELECT json FROM tokens WHERE team = ?').get(team)?.json as string);
  const before = stored();
  const revoked = await ada.withCredentials(id, client_secret).ask('POST', '/v1/oauth2/revoke', {
    form: { token: before.access_token },
  });
  expect(revoked.status).toBe(200);
  expect((await browse(`${tracker}/tasks/1/done`, cookie, {})).status).toBe(303);
  expect(stored().refresh_token).not.toBe(before.refresh_token);
  const { access_token } = stored();
  database.close();
  const messages = await ada.get(`/v1/messages?team=${team}`);
  expect(messages.data).toMatchObject([
    {
      text: '{0} is done',
      author: { id: signedUp.data[0].id },
      mentions: [{ type: 'appobject', id: objects.data[0].id, url: `${tracker}/tasks/1` }],
      via_app: { id, name: 'Task tracker' },
    },
  ]);

  // A message that mentions the tracker adds a task, and is answered by a card with buttons.
  const asked = await ada.post('/v1/messages', { text: '@tasktracker Buy coal', addressed_teams: [team] });
  const repliesTo = async (message: string) => (await ada.get(`/v1/messages/${message}/replies`)).data;
  await expect
    .poll(() => repliesTo(asked.data[0].id))
    .toMatchObject([
      { text: '{0} is on the list', mentions: [{ name: 'Buy coal', url: `${tracker}/tasks/2` }] },
    ]);

  const [{ id: card }] = await repliesTo(asked.data[0].id);
  const shown = async () => JSON.stringify((await ada.get(`/v1/messages/${card}`)).data[0].blocks);
  const press = (action_id: string) =>
    ada.post(`/v1/messages/${card}/interactions`, { block_id: 'task', action_id, click: randomUUID() });
  await press('task-take');
  await expect.poll(shown).toContain(`Taken by <@${signedUp.data[0].id}>`);
  expect((await browse(`${tracker}/tasks/2/done`, cookie, {})).status).toBe(303);
  await expect.poll(shown).not.toContain('"task-done"');
  const second = await ada.post('/v1/messages', {
    text: '@tasktracker Sweep @team <3',
    addressed_teams: [team],
  });
  await expect.poll(async () => (await repliesTo(second.data[0].id)).length).toBe(1);
  const [{ id: sweeping }] = await repliesTo(second.data[0].id);
  const done = { block_id: 'task', action_id: 'task-done', click: randomUUID() };
  for (let n = 0; n < 2; n++) await ada.post(`/v1/messages/${sweeping}/interactions`, done);
  await expect
    .poll(async () => JSON.stringify((await ada.get(`/v1/messages/${sweeping}`)).data[0].blocks))
    .toContain('Done. Nobody has taken it');
  expect((await browse(`${tracker}/tasks/3/delete`, cookie, {})).status).toBe(303);

  // All tasks as a file: an upload that a message takes up. The same form sent again posts nothing.
  const [, key = ''] =
    /name="key" value="([^"]+)"/.exec((await browse(`${tracker}/teams/${team}`, cookie)).text) ?? [];
  for (let n = 0; n < 2; n++)
    expect((await browse(`${tracker}/tasks/share`, cookie, { key })).status).toBe(303);
  const shared = (await ada.get(`/v1/messages?team=${team}`)).data.filter(
    ({ text }) => text === 'All our tasks',
  );
  expect(shared).toMatchObject([{ attachments: [{ type: 'file', name: 'tasks.csv' }] }]);
  const [{ id: coal }] = (await credentials.get(`/v1/applications/${id}/objects?team=${team}`)).data.filter(
    ({ name }) => name === 'Buy coal',
  );
  const file = await ada.get(`/v1/attachments/${shared[0].attachments[0].id}`);
  expect(file.text.split('\r\n')).toEqual([
    '"title","state","object"',
    `"Oil the <engine>","done","${objects.data[0].id}"`,
    `"Buy coal","done","${coal}"`,
    '',
  ]);

  // A member who comes to the tracker first signs in there, with PKCE; the answer is good in the browser that began.
  const begun = await browse(`${tracker}/sign-in`);
  const parameters = Object.fromEntries(new URL(begun.location as string).searchParams);
  const decision = { ...parameters, team, scopes: [], decision: 'allow' };
  const back = (await ada.post('/v1/oauth2/consent', decision)).data[0].url;
  expect((await browse(back)).status).toBe(502);
  const signedIn = await browse(back, begun.cookie);
  expect([signedIn.status, signedIn.location]).toEqual([302, `/teams/${team}`]);
  expect((await browse(`${tracker}/teams/${team}`, signedIn.cookie)).text).toContain('Buy coal');

  // A task whose object is gone already can be deleted all the same.
  await credentials.delete(`/v1/applications/${id}/objects/${objects.data[0].id}`);
  expect((await browse(`${tracker}/tasks/1/delete`, cookie, {})).status).toBe(303);
  expect((await browse(`${tracker}/tasks/1`, cookie)).status).toBe(404);

  // A member who leaves the team is signed out of its tracker.
  const inside = await browse(await agreeAndOpen(person(eve), other, application));
  expect((await browse(`${tracker}/teams/${other}`, inside.cookie)).status).toBe(200);
  await eve.delete(`/v1/teams/${other}/users/${(await eve.get('/v1/users/me')).data[0].id}`);
  await until(async () => (await browse(`${tracker}/teams/${other}`, inside.cookie)).status === 401);

  // Uninstalled: the token has ended, and the tracker forgets the team.
  expect((await ada.delete(`/v1/teams/${team}/applications/${id}`)).status).toBe(200);
  expect((await ada.withToken(access_token).get('/v1/users/me')).code).toBe(4012);
  await until(async () => (await browse(`${tracker}/teams/${team}`, cookie)).status === 401);
  const deliveries = await ada.get(`/v1/applications/${id}/deliveries`);
  const ofTeam = deliveries.data.filter((delivery) => delivery.team === team);
  expect(ofTeam.map(({ kind }) => kind)).toEqual(['uninstall', 'install']);
});
