import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { plain } from '../../../../test/support/clicks.ts';
import type { Client } from '../../../../test/support/client.ts';
import { EventStream } from '../../../../test/support/event-stream.ts';
import { Feed } from '../../../../test/support/feed.ts';
import {
  install,
  makeTeam,
  type Person,
  type RegisteredApplication,
  register,
} from '../../../../test/support/people.ts';
import { scene } from '../../../../test/support/scene.ts';
import { runSql } from '../../../../test/support/tables.ts';

const { server, host, root, dev, ada, bob, eve } = scene({
  people: ['Root', 'Dev', 'Ada', 'Bob', 'Eve'],
  options: { housekeepingMs: 100 },
});
let team: string;
let app: RegisteredApplication;
let feed: Feed;

const opened = (): Promise<RegisteredApplication> =>
  register(dev, host, { name: 'Tasks', scopes: ['messages:read', 'messages:write'] });

beforeAll(async () => {
  team = await makeTeam(ada, [bob]);
  app = await opened();
  await install(ada, team, app);
  expect((await dev.client.patch(`/v1/applications/${app.id}`, { has_home: true })).status).toBe(200);
  feed = await Feed.open(app.credentials, `/v1/applications/${app.id}`);
});

const page = (text: string) => [
  { type: 'header', block_id: 'title', text: plain(text) },
  {
    type: 'actions',
    block_id: 'do',
    elements: [{ type: 'button', action_id: 'done', text: plain('Done'), value: '7' }],
  },
];
const publish = (user: Person, blocks: object[], of = app, inTeam = team) =>
  of.credentials.put(`/v1/applications/${of.id}/homes/${user.id}?team=${inTeam}`, { blocks });
const see = (by: Person, inTeam = team) => by.client.get(`/v1/applications/${app.id}/home?team=${inTeam}`);
const visit = (by: Person, click: string = randomUUID(), inTeam = team) =>
  by.client.post(`/v1/applications/${app.id}/home/openings?team=${inTeam}`, { click });
const press = (by: Person, fields: object = {}, inTeam = team) =>
  by.client.post(`/v1/applications/${app.id}/home/interactions?team=${inTeam}`, {
    ...{ block_id: 'do', action_id: 'done', click: randomUUID() },
    ...fields,
  });
const refused = ({ code, body }: Awaited<ReturnType<Client['post']>>) => [code, body.errors?.[0]?.reason];
const heardOf = async (id: string) => {
  await feed.until((events) => events.some((event) => event.data.id === id));
  return feed.events.filter((event) => event.data.id === id);
};

describe('the home of an application', () => {
  it('is told once that somebody opens it, and shows each person their own page (claim: homes-own)', async () => {
    const mine = await makeTeam(ada, [bob]);
    await install(ada, mine, app);
    expect((await see(bob, mine)).data).toEqual([
      {
        application: { id: app.id, name: 'Tasks', icon: expect.any(String) },
        ...{ team: mine, blocks: null, hash: null },
      },
    ]);
    const click = randomUUID();
    const visits = await Promise.all([1, 2, 3].map(() => visit(bob, click, mine)));
    const ids = new Set(visits.map(({ data }) => data[0].id));
    expect(ids.size).toBe(1);
    const [event, ...others] = await heardOf([...ids][0]);
    expect(others).toEqual([]);
    expect(event).toMatchObject({ type: 'application.opened', data: { user: bob.id, team: mine } });
    expect(Object.keys(event?.data ?? {}).sort()).toEqual(['id', 'response_url', 'team', 'user']);

    expect((await publish(bob, page('Two tasks'), app, mine)).status).toBe(200);
    expect((await visit(bob, click, mine)).data[0].status).toBe('done');
    expect((await see(bob, mine)).data[0].blocks).toEqual(page('Two tasks'));
    expect((await see(ada, mine)).data[0].blocks).toBeNull();
    expect((await press(ada, {}, mine)).code).toBe(4040);
    expect((await see(bob)).data[0].blocks).not.toEqual(page('Two tasks'));
  });

  it('is shown to no one else, and published by nobody else', async () => {
    await publish(bob, page('Private'));
    for (const by of [eve, dev]) {
      expect((await see(by)).code).toBe(4040);
      expect((await visit(by)).code).toBe(4040);
      expect((await press(by)).code).toBe(4040);
    }
    expect((await publish(eve, page('x'))).code).toBe(4040);
    const other = await opened();
    const path = `/v1/applications/${app.id}/homes/${bob.id}?team=${team}`;
    for (const by of [other.credentials, dev.client, bob.client, server.anonymous()])
      expect((await by.put(path, { blocks: page('forged') })).status).toBe(401);
    await dev.client.patch(`/v1/applications/${other.id}`, { has_home: true });
    expect((await publish(bob, page('x'), other)).code).toBe(4040);
    expect((await see(bob)).data[0].blocks).toEqual(page('Private'));
  });

  it('tells the windows of its person alone when it changes', async () => {
    const [bobs, adas] = [await EventStream.open(bob.client), await EventStream.open(ada.client)];
    await publish(bob, page('News'));
    await expect.poll(() => bobs.of('home').map(({ data }) => data)).toEqual([{ application: app.id, team }]);
    expect(adas.of('home')).toEqual([]);
    bobs.close();
    adas.close();
  });

  it('hears what is pressed on it, as it is by then', async () => {
    await publish(bob, page('Press'));
    const { data } = await press(bob);
    const [event] = await heardOf(data[0].id);
    expect(event?.data).toMatchObject({ kind: 'action', action_id: 'done', value: '7', user: bob.id, team });
    expect(event?.data).not.toHaveProperty('message');
    await publish(bob, [{ type: 'divider' }]);
    expect(refused(await press(bob))).toEqual([4002, 'action_id']);
  });

  it('takes no click of which its application does not hear', async () => {
    const mine = await makeTeam(ada, [bob]);
    const of = await register(dev, host, { name: 'Unheard', scopes: [] });
    await install(ada, mine, of);
    await dev.client.patch(`/v1/applications/${of.id}`, { has_home: true });
    const stream = await Feed.open(of.credentials, `/v1/applications/${of.id}`);
    const path = `/v1/applications/${of.id}/home`;
    const visited = await bob.client.post(`${path}/openings?team=${mine}`, { click: randomUUID() });
    await publish(bob, page('Press'), of, mine);
    const click = { block_id: 'do', action_id: 'done', click: randomUUID() };
    const pressed = await bob.client.post(`${path}/interactions?team=${mine}`, click);
    expect([visited.status, ...refused(pressed)]).toEqual([200, 4030, 'no_listener']);
    stream.close();
  });

  it('is refused where something is wrong with it', async () => {
    const tries: [object[], string][] = [
      [[], 'blocks'],
      [Array(101).fill({ type: 'divider' }), 'blocks'],
      [[{ type: 'nothing' }], 'blocks[0].type'],
    ];
    for (const [blocks, field] of tries) expect(refused(await publish(ada, blocks))).toEqual([4002, field]);
    expect((await publish(ada, Array(100).fill({ type: 'divider' }))).status).toBe(200);
    const of = await opened();
    await install(ada, team, of);
    expect(refused(await publish(ada, page('x'), of))).toEqual([4030, 'no_home']);
    const without = await ada.client.post(`/v1/applications/${of.id}/home/openings?team=${team}`, {
      click: randomUUID(),
    });
    expect(refused(without)).toEqual([4030, 'no_home']);
  });

  it('is not published by other hands before the team has agreed', async () => {
    const mine = await makeTeam(ada, [bob]);
    const of = await opened();
    await install(ada, mine, of);
    await dev.client.patch(`/v1/applications/${of.id}`, { has_home: true });
    expect((await publish(bob, page('Before'), of, mine)).status).toBe(200);
    await root.client.put(`/v1/admin/applications/${of.id}/owner`, { user: eve.id });
    expect(refused(await publish(bob, page('x'), of, mine))).toEqual([4030, 'application_suspended']);
    const { data } = await eve.client.post(`/v1/applications/${of.id}/secret`);
    const taken = { ...of, credentials: eve.client.withCredentials(of.id, data[0].client_secret) };
    expect(refused(await publish(bob, page('x'), taken, mine))).toEqual([4030, 'application_unconfirmed']);
    const seen = await bob.client.get(`/v1/applications/${of.id}/home?team=${mine}`);
    expect(seen.data[0].blocks).toEqual(page('Before'));
  });

  it('goes with the installation, and with the membership', async () => {
    const mine = await makeTeam(ada, [bob]);
    await install(ada, mine, app);
    for (const who of [ada, bob]) await publish(who, page('Gone'), app, mine);
    await ada.client.delete(`/v1/teams/${mine}/users/${bob.id}`);
    expect((await see(bob, mine)).code).toBe(4040);
    expect((await publish(bob, page('x'), app, mine)).code).toBe(4040);
    await ada.client.delete(`/v1/teams/${mine}/applications/${app.id}`);
    expect((await see(ada, mine)).code).toBe(4040);
    await install(ada, mine, app);
    expect((await see(ada, mine)).data[0].blocks).toBeNull();
    const kept = () => runSql(server.running.db, 'SELECT id FROM homes WHERE team_id = ?', [mine]);
    await expect.poll(kept).toEqual([]);
    await publish(ada, page('Again'), app, mine);
    expect((await see(ada, mine)).data[0].blocks).toEqual(page('Again'));
  });
});
