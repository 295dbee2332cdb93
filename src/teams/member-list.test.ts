import { isDeepStrictEqual } from 'node:util';
import { pino } from 'pino';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Client } from '../../test/support/client.ts';
import { EventStream } from '../../test/support/event-stream.ts';
import { join, makeTeam, type Person } from '../../test/support/people.ts';
import { scene } from '../../test/support/scene.ts';
import { until } from '../../test/support/until.ts';
import { type RunningServer, startServer } from '../app/start.ts';
import { readConfig } from '../process/config.ts';

const { server, ada, bob, cleo } = scene({ people: ['Ada', 'Bob', 'Cleo'], each: 'people' });
const password = 'a password of length';
let other: RunningServer;
let team: string;

beforeAll(async () => {
  const config = readConfig({ ...server.environment, PORT: '0' }, '');
  other = await startServer(config, { clock: server.clock.now, logger: pino({ level: 'silent' }) });
});
beforeEach(async () => {
  team = await makeTeam(ada);
  // Bob invites Cleo, so he is shown twice.
  await join(ada, team, bob, 1);
  await join(bob, team, cleo);
});
afterAll(() => other.stop());

/** The connections of each person, as everybody sees them who looks at them alone. */
async function expectConnections(people: readonly Person[]) {
  for (const url of nodes()) {
    for (const viewer of people) {
      const { data } = await viewer.client.at(url).get('/v1/users/me/connections');
      const list = await listOf(viewer.client.at(url));
      const others = list.filter(({ userid }) => userid !== viewer.id).map(({ user }) => user);
      expect(data).toHaveLength(others.length);
      expect(data).toEqual(expect.arrayContaining(others));
    }
  }
}

const nodes = () => [server.url, other.url.replace('localhost', '127.0.0.1')];

const listOf = async (client: Client) => (await client.get(`/v1/teams/${team}/users`)).data;

/** The list as a person gets it at each node: whole, then page by page. */
async function seenBy({ client }: Person) {
  const lists = [];
  for (const node of nodes()) {
    const whole = await listOf(client.at(node));
    const paged = [];
    for (let cursor = ''; ; ) {
      const { data, body } = await client.at(node).get(`/v1/teams/${team}/users?limit=1${cursor}`);
      paged.push(...data);
      if (body.meta.next_cursor === null) break;
      cursor = `&cursor=${body.meta.next_cursor}`;
    }
    expect(paged).toEqual(whole);
    lists.push(whole);
  }
  return lists;
}

/** Everybody sees themselves in the list as among their own teams, and others as these see themselves. */
async function expectAsAlone(people: readonly Person[]) {
  for (const [node, url] of nodes().entries()) {
    const own = new Map<string, object>();
    for (const { id, client } of people) {
      const { data } = await client.at(url).get('/v1/users/me/teams');
      own.set(
        id,
        data.find((one) => one.team.id === team),
      );
    }
    for (const viewer of people) {
      const list = (await seenBy(viewer))[node] as { userid: string }[];
      const { team: seen } = own.get(viewer.id) as { team: object };
      for (const { id } of people) {
        expect(list.find(({ userid }) => userid === id)).toEqual({ ...own.get(id), team: seen });
      }
    }
  }
}

async function putPicture() {
  const red = { r: 200, g: 0, b: 0 };
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: red } })
    .png()
    .toBuffer();
  const raw = new FormData();
  raw.set('file', new Blob([new Uint8Array(png)]), 'me.png');
  return bob.client.ask('PUT', '/v1/users/me/image', { raw });
}

describe('a list of members that was shown before', () => {
  const roleOf = (membership_type: number) => () =>
    ada.client.patch(`/v1/teams/${team}/users/${cleo.id}`, { membership_type });

  it.each([
    ['a name', [() => bob.client.patch('/v1/users/me', { first_name: 'Robert', last_name: 'Ödön' })]],
    ['a title', [() => bob.client.patch('/v1/users/me', { title: 'Captain' })]],
    ['a user name', [() => bob.client.patch('/v1/users/me', { username: `bobby${bob.id.slice(-6)}` })]],
    ['a picture, and none again', [putPicture, () => bob.client.delete('/v1/users/me/image')]],
    ['a role, and the earlier one again', [roleOf(1), roleOf(2)]],
    ['a flag', [() => cleo.client.patch(`/v1/users/me/teams/${team}`, { is_muted: true })]],
    ['a favourite', [() => cleo.client.patch(`/v1/users/me/teams/${team}`, { is_favorite: true })]],
    ['a name of the team', [() => ada.client.patch(`/v1/teams/${team}`, { name: 'Dockyard' })]],
    ['an unread message', [() => ada.client.post('/v1/messages', { text: 'x', addressed_teams: [team] })]],
  ])('shows %s', async (_, changes) => {
    for (const change of changes) {
      const before = await seenBy(cleo);
      expect((await change()).status).toBe(200);
      expect(await seenBy(cleo)).not.toEqual(before);
      await expectAsAlone([ada, bob, cleo]);
      await expectConnections([ada, bob, cleo]);
    }
  });

  it('shows who comes online and goes', async () => {
    const lists = () => Promise.all(nodes().map((url) => listOf(ada.client.at(url))));
    const online = async () => (await lists()).map((list) => list.map((one) => one.user.online));
    expect(await online()).toEqual(nodes().map(() => [false, false, false]));
    const stream = await EventStream.open(cleo.client);
    await until(async () =>
      (await online()).every((shown) => isDeepStrictEqual(shown, [false, false, true])),
    );
    stream.close();
    await until(async () => !(await online()).flat().includes(true));
  });

  it('shows nobody who left, and an inviter who left', async () => {
    await seenBy(ada);
    expect((await bob.client.delete(`/v1/teams/${team}/users/${bob.id}`)).status).toBe(200);
    for (const list of await seenBy(ada)) {
      expect(list.map(({ userid }) => userid)).toEqual([ada.id, cleo.id]);
      expect(list[1].inviter.id).toBe(bob.id);
    }
    expect((await bob.client.get(`/v1/teams/${team}/users`)).code).toBe(4040);
    await expectAsAlone([ada, cleo]);
  });

  it('shows that an account was closed, and an inviter without a name who is deleted', async () => {
    await seenBy(ada);
    expect((await ada.client.delete(`/v1/teams/${team}/users/${bob.id}`)).status).toBe(200);
    expect((await cleo.client.post('/v1/users/me/deactivation', { password })).status).toBe(200);
    expect((await bob.client.ask('DELETE', '/v1/users/me', { json: { password } })).status).toBe(200);
    for (const list of await seenBy(ada)) {
      expect(list[1].user).toMatchObject({ id: cleo.id, active: false });
      expect(list[1].inviter).toMatchObject({ id: bob.id, active: false, email: '', username: '' });
    }
  });
});

it('is not for a member who was removed while it waited behind others', async () => {
  const { db } = server.running;
  const all = db.all.bind(db);
  const goOn = Promise.withResolvers<void>();
  let reading = 0;
  const held = vi.spyOn(db, 'all').mockImplementation(async (sql, parameters) => {
    if (/json_(build_)?array/.test(sql)) {
      reading++;
      await goOn.promise;
    }
    return all(sql, parameters);
  });
  const list = ({ client }: Person) => client.get(`/v1/teams/${team}/users`);
  const others = Array.from({ length: 8 }, () => list(ada));
  await until(() => reading >= 8);
  const waiting = list(cleo);
  // Sent after the list, which therefore waits by now.
  expect((await cleo.client.get('/v1/users/me')).status).toBe(200);
  expect((await ada.client.delete(`/v1/teams/${team}/users/${cleo.id}`)).status).toBe(200);
  goOn.resolve();
  expect((await waiting).status).toBe(404);
  expect((await Promise.all(others)).every(({ status }) => status === 200)).toBe(true);
  held.mockRestore();
});
