import { beforeAll, describe, expect, it } from 'vitest';
import { allPlaced, type Heard, pathOf, subscribe } from '../../../test/support/feed.ts';
import { install, makeTeam, type RegisteredApplication, register } from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';

/** More than are called at once, or are looked at in one go. */
const TEAMS = 40;

/** All webhooks are looked at once in many minutes: what is sent before that is found by its team. */
const { server, host, dev, ada } = scene({
  people: ['Dev', 'Ada'],
  options: { workerIntervalMs: 1_000_000 },
});
let app: RegisteredApplication;
let teams: string[];

beforeAll(async () => {
  app = await register(dev, host, { scopes: ['messages:read'] });
  teams = await Promise.all(Array.from({ length: TEAMS }, () => makeTeam(ada)));
  for (const team of teams) await install(ada, team, app);
});

const post = (text: string, team: string) =>
  ada.client.post('/v1/messages', { text, addressed_teams: [team] });

const callsTo = (name: string) => host.received.filter(({ path }) => path === `/${name}`);
const textsAt = (name: string) =>
  callsTo(name).map(({ body }) => (body as Heard).data.message.text as string);

describe('a webhook of many teams', () => {
  it('is sent what is posted in each while its calls are taken', async () => {
    const gate = Promise.withResolvers<void>();
    host.beforeAnswer = ({ path }) => (path === '/many' ? gate.promise : Promise.resolve());
    await subscribe(app, { kinds: ['message.posted'], webhook: { url: `${host.url}/many` } });
    for (const text of ['first', 'second']) {
      await Promise.all(teams.map((team, index) => post(`${text} ${index}`, team)));
    }
    await expect.poll(() => textsAt('many').length).toBe(4);
    await allPlaced(server);
    expect(textsAt('many')).toHaveLength(4);
    gate.resolve();
    await expect.poll(() => textsAt('many').length).toBe(2 * TEAMS);
    for (const index of teams.keys()) {
      expect(textsAt('many').filter((text) => text.endsWith(` ${index}`))).toEqual([
        `first ${index}`,
        `second ${index}`,
      ]);
    }
    // And once all is quiet, by the team alone.
    await post('third', teams[7] as string);
    await expect.poll(() => textsAt('many').at(-1)).toBe('third');
  });

  it('gives each of its teams a turn, however much the others have waiting', async () => {
    const { id } = await subscribe(app, { webhook: { url: `${host.url}/turns` } });
    const change = (fields: object) => app.credentials.patch(pathOf(app, id), fields);
    await change({ pause: true });
    // One more than are called at once, each with more than its turn has room for.
    const some = teams.slice(0, 5);
    for (const team of some) for (let n = 0; n < 30; n++) await post(`${n}`, team);
    await allPlaced(server);
    // Nothing that was read is good for a second call.
    host.beforeAnswer = async ({ path }) => {
      if (path === '/turns') server.clock.advance(1.1);
    };
    await change({ resume: true });
    await expect.poll(() => callsTo('turns').length).toBe(5 * 30);
    host.beforeAnswer = undefined;
    const called = callsTo('turns').map(({ body }) => (body as Heard).data.team as string);
    expect(Math.max(...some.map((team) => called.indexOf(team)))).toBeLessThan(100);
    for (const team of some)
      expect(
        callsTo('turns')
          .map(({ body }) => (body as Heard).data)
          .filter((data) => data.team === team)
          .map(({ message }) => message.text),
      ).toEqual(Array.from({ length: 30 }, (_, n) => `${n}`));
  });

  it('is sent full lists of what it hears, however little of all that is', async () => {
    const { id } = await subscribe(app, { webhook: { url: `${host.url}/lists`, batch: 2 } });
    const change = (fields: object) => app.credentials.patch(pathOf(app, id), fields);
    await change({ pause: true });
    const [root] = (await post('0', teams[0] as string)).data;
    for (let n = 1; n <= 4; n++) {
      for (let k = 0; k < 10; k++) await ada.client.post(`/v1/messages/${root.id}/replies`, { text: 'no' });
      await post(`${n}`, teams[0] as string);
    }
    await allPlaced(server);
    host.status = 500;
    await change({ resume: true });
    await expect.poll(() => callsTo('lists').length).toBe(1);
    await expect
      .poll(async () => (await app.credentials.get(pathOf(app, id))).data[0].webhook.failing_since)
      .not.toBeNull();
    host.status = 200;
    await change({ resume: true });
    await expect.poll(() => callsTo('lists').length).toBe(4);
    const texts = callsTo('lists').map(({ body }) =>
      (body as Heard[]).map(({ data }) => data.message.text as string),
    );
    expect(texts).toEqual([['0', '1'], ['0', '1'], ['2', '3'], ['4']]);
    const [first, again] = callsTo('lists').map(({ headers }) => headers['webhook-id']);
    expect(again).toBe(first);
  });

  it('leaves places for another one', async () => {
    const gate = Promise.withResolvers<void>();
    host.beforeAnswer = ({ path }) => (path === '/slow' ? gate.promise : Promise.resolve());
    const fast = await register(dev, host, { scopes: ['messages:read'] });
    await install(ada, teams[0] as string, fast);
    const slow = await subscribe(app, { webhook: { url: `${host.url}/slow` } });
    const change = (fields: object) => app.credentials.patch(pathOf(app, slow.id), fields);
    await change({ pause: true });
    await subscribe(fast, { webhook: { url: `${host.url}/fast` } });
    await Promise.all(teams.map((team) => post('slow', team)));
    await post('for both', teams[0] as string);
    await expect.poll(() => textsAt('fast')).toEqual(['slow', 'for both']);
    await change({ resume: true });
    await expect.poll(() => callsTo('slow').length).toBe(4);
    await post('meanwhile', teams[0] as string);
    await expect.poll(() => textsAt('fast').at(-1)).toBe('meanwhile');
    gate.resolve();
    await expect.poll(() => callsTo('slow').length).toBe(TEAMS + 2);
  });

  it('stays ended once it is gone, although a call about another team succeeds after that', async () => {
    const gates = new Map(['gone', 'taken'].map((text) => [text, Promise.withResolvers<number>()]));
    host.beforeAnswer = async ({ path, body }) => {
      if (path === '/ends')
        host.status = (await gates.get((body as Heard).data.message.text)?.promise) ?? 200;
    };
    const { id } = await subscribe(app, { webhook: { url: `${host.url}/ends` } });
    const webhook = async () => (await app.credentials.get(pathOf(app, id))).data[0].webhook;
    await Promise.all([...gates.keys()].map((text, index) => post(text, teams[index] as string)));
    await expect.poll(() => callsTo('ends').length).toBe(2);
    gates.get('gone')?.resolve(410);
    await expect.poll(async () => (await webhook()).ended).toBe('gone');
    expect((await webhook()).failing_since).not.toBeNull();
    gates.get('taken')?.resolve(200);
    await expect.poll(async () => (await webhook()).failing_since).toBeNull();
    expect((await webhook()).ended).toBe('gone');
  });

  it('goes on at once in all of them when it is resumed', async () => {
    const { id } = await subscribe(app, { webhook: { url: `${host.url}/resumed` } });
    const change = (fields: object) => app.credentials.patch(pathOf(app, id), fields);
    expect((await change({ pause: true })).status).toBe(200);
    await Promise.all(teams.map((team, index) => post(`${index}`, team)));
    await allPlaced(server);
    expect(callsTo('resumed')).toEqual([]);
    expect((await change({ resume: true })).status).toBe(200);
    await expect.poll(() => new Set(textsAt('resumed')).size).toBe(TEAMS);
    expect(textsAt('resumed')).toHaveLength(TEAMS);
  });
});
