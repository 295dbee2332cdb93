import { beforeAll, describe, expect, it } from 'vitest';
import { EventStream } from '../../../test/support/event-stream.ts';
import {
  authorize,
  install,
  join,
  makeTeam,
  type Person,
  register,
  signUp,
} from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';
import { startTestServer } from '../../../test/support/server.ts';

const { server, host, ada, bob, eve } = scene({
  people: ['Root', 'Ada', 'Bob', 'Eve'],
  options: { workerIntervalMs: 20 },
});
let team: string;
beforeAll(async () => {
  team = await makeTeam(ada, [bob]);
});

const soon = (seconds: number) => server.clock.now() / 1000 + seconds;
const set = (by: Person, fields: object) => by.client.patch('/v1/users/me', fields);
const asSeenBy = async (by: Person, who: Person) => (await by.client.get(`/v1/users/${who.id}`)).data[0];
const palm = { emoji: '🌴', text: 'On holiday', until: null };

describe('a status', () => {
  it('is seen wherever the person is, until it ends (claim: status-ends)', async () => {
    const until = soon(3600);
    const status = { emoji: '🗓️', text: 'In a meeting', until };
    const own = await set(ada, { status });
    expect(own.data[0]).toMatchObject({ status, do_not_disturb_until: null, invisible: false });
    const { data: sent } = await ada.client.post('/v1/messages', { text: 'Hello', addressed_teams: [team] });
    const seen = async () => ({
      profile: (await asSeenBy(bob, ada)).status,
      connection: (await bob.client.get('/v1/users/me/connections')).data[0].status,
      member: (await bob.client.get(`/v1/teams/${team}/users`)).data.find(({ userid }) => userid === ada.id)
        .user.status,
      author: (await bob.client.get(`/v1/messages?team=${team}`)).data[0].author.status,
      alone: (await bob.client.get(`/v1/messages/${sent[0].id}`)).data[0].author.status,
    });
    expect(new Set(Object.values(await seen()).map((one) => JSON.stringify(one)))).toEqual(
      new Set([JSON.stringify(status)]),
    );
    server.clock.advance(3601);
    expect(Object.values(await seen())).toEqual(Array(5).fill(undefined));
    expect((await ada.client.get('/v1/users/me')).data[0].status).toBeNull();
  });

  it('is told to people of small teams, and to nobody else', async () => {
    const [bobs, eves] = [await EventStream.open(bob.client), await EventStream.open(eve.client)];
    await set(ada, { status: palm });
    await set(ada, { status: palm });
    await set(ada, { status: null });
    await bobs.until(() => bobs.of('person.changed').length === 2);
    const data = { user: ada.id, do_not_disturb_until: null };
    expect(bobs.of('person.changed').map((event) => event.data)).toEqual([
      { ...data, status: palm },
      { ...data, status: null },
    ]);
    expect(eves.of('person.changed')).toEqual([]);
    bobs.close();
    eves.close();
    expect(await asSeenBy(bob, ada)).not.toHaveProperty('status');
  });

  it('changes twenty times a minute, and not more often', async () => {
    const limited = await startTestServer({ RATE_LIMIT: 'on' });
    const { client } = await signUp(limited, 'Busy');
    limited.clock.toNextMinute();
    const change = (at: number) => client.patch('/v1/users/me', { status: { text: `${at}` } });
    for (let at = 0; at < 20; at++) expect((await change(at)).status).toBe(200);
    const refused = await change(20);
    expect([refused.code, refused.body.errors[0].reason, refused.headers.has('retry-after')]).toEqual([
      4290,
      'status',
      true,
    ]);
    expect((await client.patch('/v1/users/me', { title: 'Baker' })).status).toBe(200);
    limited.clock.toNextMinute();
    expect((await change(21)).status).toBe(200);
    await limited.stop();
  });

  it('is refused where it is none', async () => {
    const wrong: [object, string][] = [
      [{ status: { emoji: 'x' } }, 'status.emoji'],
      [{ status: { emoji: '🌴🌴' } }, 'status.emoji'],
      [{ status: { text: 'x'.repeat(101) } }, 'status.text'],
      [{ status: { text: 'x', until: soon(-1) } }, 'status.until'],
      [{ status: { text: 'x', until: soon(367 * 24 * 3600) } }, 'status.until'],
      [{ status: { text: 'x', until: 1e300 } }, 'status.until'],
      [{ status: 'away' }, 'status'],
      [{ do_not_disturb_until: 1e300 }, 'do_not_disturb_until'],
      [{ invisible: 'yes' }, 'invisible'],
    ];
    for (const [fields, field] of wrong) {
      const { code, body } = await set(ada, fields);
      expect([code, body.errors?.[0]?.reason], JSON.stringify(fields)).toEqual([4002, field]);
    }
    expect((await ada.client.get('/v1/users/me')).data[0].status).toBeNull();
    expect((await set(ada, { status: { text: '', emoji: null } })).data[0].status).toBeNull();
  });

  it('is not changed by an application that acts for the person', async () => {
    const app = await register(ada, host, { scopes: ['profile:write'] });
    await install(ada, team, app);
    const { access_token } = await authorize(ada, team, app);
    const token = server.anonymous().withToken(access_token);
    await set(ada, { invisible: true });
    expect((await token.get('/v1/users/me')).data[0].invisible).toBe(false);
    expect((await set(ada, { invisible: false })).data[0].invisible).toBe(false);
    for (const fields of [{ status: palm }, { do_not_disturb_until: soon(60) }, { invisible: true }])
      expect((await token.patch('/v1/users/me', fields)).code).toBe(4031);
  });
});

describe('somebody who is not to be disturbed', () => {
  it('is seen so, until then (claim: do-not-disturb)', async () => {
    const until = soon(1800);
    expect((await set(bob, { do_not_disturb_until: until })).data[0].do_not_disturb_until).toBe(until);
    expect((await asSeenBy(ada, bob)).do_not_disturb_until).toBe(until);
    server.clock.advance(1801);
    expect(await asSeenBy(ada, bob)).not.toHaveProperty('do_not_disturb_until');
    await set(bob, { do_not_disturb_until: soon(60) });
    expect((await set(bob, { do_not_disturb_until: soon(-60) })).data[0].do_not_disturb_until).toBeNull();
  });
});

describe('the time of a person', () => {
  it('is known by the zone on their page, once their client has said it', async () => {
    expect(await asSeenBy(bob, ada)).not.toHaveProperty('time_zone');
    await set(ada, { time_zone: 'Asia/Tokyo' });
    expect((await asSeenBy(bob, ada)).time_zone).toBe('Asia/Tokyo');
    await set(ada, { time_zone: null });
    expect(await asSeenBy(bob, ada)).not.toHaveProperty('time_zone');
  });

  it('is for those who share a team with them, as their status is', async () => {
    await set(bob, { time_zone: 'Asia/Tokyo', status: palm, do_not_disturb_until: soon(60) });
    expect(await asSeenBy(ada, bob)).toMatchObject({ time_zone: 'Asia/Tokyo', status: palm });
    const seen = await asSeenBy(eve, bob);
    for (const field of ['time_zone', 'status', 'do_not_disturb_until'])
      expect(seen).not.toHaveProperty(field);
    await set(bob, { time_zone: null, status: null, do_not_disturb_until: null });
  });

  it('is for them alone, and so is whether the person is online', async () => {
    const stream = await EventStream.open(bob.client);
    await expect.poll(async () => (await asSeenBy(ada, bob)).online).toBe(true);
    expect((await asSeenBy(bob, bob)).online).toBe(true);
    expect((await asSeenBy(eve, bob)).online).toBe(false);
    stream.close();
  });

  it('and their status are gone with their account, also beside what they wrote', async () => {
    const gone = await signUp(server, 'Gone');
    const other = await makeTeam(ada, [gone]);
    await gone.client.post('/v1/messages', { text: 'Bye', addressed_teams: [other] });
    await set(gone, { status: palm, do_not_disturb_until: soon(3600) });
    const author = async () => (await ada.client.get(`/v1/messages?team=${other}`)).data[0].author;
    expect(await author()).toMatchObject({ active: true, status: palm });
    await gone.client.post('/v1/users/me/deactivation', { password: 'a password of length' });
    expect(await author()).toMatchObject({ active: false });
    for (const field of ['status', 'do_not_disturb_until']) expect(await author()).not.toHaveProperty(field);
  });
});

describe('somebody who is invisible', () => {
  it('is offline for others, whatever windows they open, and back when they want (claim: invisible)', async () => {
    const dave = await signUp(server, 'Dave');
    await join(ada, team, dave);
    const adas = await EventStream.open(ada.client);
    const about = () => adas.of('presence').flatMap(({ data }) => (data.user === dave.id ? data.online : []));
    const first = await EventStream.open(dave.client);
    const online = async () => (await asSeenBy(ada, dave)).online;
    await adas.until(() => about().length === 1);
    await set(dave, { invisible: true });
    expect(await online()).toBe(false);
    const second = await EventStream.open(dave.client);
    await set(dave, { invisible: true });
    server.clock.advance(60);
    expect(await online()).toBe(false);
    await adas.until(() => about().at(-1) === false);
    await set(dave, { invisible: false });
    expect(await online()).toBe(true);
    await adas.until(() => about().at(-1) === true);
    expect(about()).toEqual([true, false, true]);
    for (const stream of [adas, first, second]) stream.close();
  });
});
