import { Webhook } from 'standardwebhooks';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Heard, pathOf, pullAll, subscribe } from '../../../test/support/feed.ts';
import {
  ApplicationHost,
  install,
  makeTeam,
  type Person,
  type Received,
  type RegisteredApplication,
  register,
} from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';

const { server, host, mailbox, dev, ada, bob } = scene({
  people: ['Dev', 'Ada', 'Bob'],
  mail: true,
  options: { housekeepingMs: 50 },
});
let team: string;
let app: RegisteredApplication;

beforeAll(async () => {
  app = await register(dev, host, { scopes: ['messages:read'] });
});
beforeEach(async () => {
  host.clear();
  team = await makeTeam(ada, [bob]);
  await install(ada, team, app);
});

// An application has 20 at most, in whatever order the tests come.
afterEach(async () => {
  const { data } = await app.credentials.get(`/v1/applications/${app.id}/subscriptions`);
  for (const made of data) await app.credentials.delete(pathFor(made));
});

const post = async (text: string, to = team, author: Person = ada): Promise<string> =>
  (await author.client.post('/v1/messages', { text, addressed_teams: [to] })).data[0].id;
const hook = (name: string, fields: object = {}) =>
  subscribe(app, { teams: [team], webhook: { url: `${host.url}/${name}` }, ...fields });
const callsTo = (name: string) => host.received.filter(({ path }) => path === `/${name}`);
const textsAt = (name: string) => callsTo(name).flatMap(({ body }) => [body].flat().map(textOf));
const textOf = ({ data }: Heard) => data.message.text as string;
const pathFor = ({ id }: { id: string }) => pathOf(app, id);
const deliveriesOf = async (who: Person, { id }: { id: string }) =>
  (await who.client.get(`/v1/applications/${app.id}/deliveries?team=${team}&subscription=${id}&limit=200`))
    .data;

describe('a webhook', () => {
  it('is sent each event, signed, with the bytes that a page has', async () => {
    const made = await hook('each');
    expect(made.key).toMatch(/^whsec_/);
    for (const text of ['one', 'two', 'three']) await post(text);
    await expect.poll(() => textsAt('each')).toEqual(['one', 'two', 'three']);
    const { events } = await pullAll(app.credentials, pathFor(made));
    const calls = callsTo('each');
    expect(calls.map(({ raw }) => raw)).toEqual(events.map((event) => JSON.stringify(event)));
    expect(calls.map(({ headers }) => headers['webhook-id'])).toEqual(events.map(({ id }) => id));
    const [first] = calls as [Received];
    expect(signatureFits(made.key, first)).toBe(true);
    await expect.poll(async () => (await deliveriesOf(dev, made)).length).toBe(3);
    // Team admins see the calls about their team, without their content.
    const seen = await deliveriesOf(ada, made);
    expect(seen.map(({ kind, status }) => [kind, status])).toEqual(Array(3).fill(['events', 'delivered']));
    const one = await dev.client.get(`/v1/applications/${app.id}/deliveries/${seen[0].id}`);
    expect(JSON.parse(one.data[0].attempts[0].request.body)).toEqual({ events: [events[2]?.id] });
    expect(one.text).not.toContain('three');
    const again = await dev.client.post(`/v1/applications/${app.id}/deliveries/${seen[0].id}/redeliver`);
    expect(again.code).toBe(4090);
  });

  it('gets calls that follow each other over one connection (claim: webhook-connections)', async () => {
    await hook('kept');
    for (const text of ['one', 'two', 'three', 'four']) {
      await post(text);
      await expect.poll(() => textsAt('kept').at(-1)).toBe(text);
    }
    // A slow machine may let one become idle for too long.
    expect(new Set(callsTo('kept').map(({ port }) => port)).size).toBeLessThan(4);
  });

  it('is woken by what happens to a subject, and hears nothing else', async () => {
    await ada.client.post('/v1/messages', { text: 'first', addressed_teams: [team], subject: 'Bread' });
    await hook('subjects', { kinds: ['subject.renamed'] });
    const [{ id }] = (await ada.client.get(`/v1/teams/${team}/subjects`)).data;
    await ada.client.patch(`/v1/teams/${team}/subjects/${id}`, { name: 'Cake' });
    await expect
      .poll(() => callsTo('subjects').map(({ body }) => [body.type, body.data.subject.name]))
      .toEqual([['subject.renamed', 'Cake']]);
  });

  it('is sent lists when it asks for them', async () => {
    const made = await hook('lists', { webhook: { url: `${host.url}/lists`, batch: 10 } });
    host.status = 500;
    for (let n = 0; n < 12; n++) await post(`${n}`);
    await host.next(({ path }) => path === '/lists');
    host.status = 200;
    await expect
      .poll(() => {
        server.clock.advance(10);
        return new Set(textsAt('lists')).size;
      })
      .toBe(12);
    const sent = callsTo('lists').map(({ body }) => body.length);
    expect(Math.max(...sent)).toBeGreaterThan(1);
    expect(signatureFits(made.key, callsTo('lists')[0] as Received)).toBe(true);
  });

  it('is sent again what it did not take, in order, with the same id', async () => {
    await hook('again');
    host.status = 503;
    await post('one');
    await post('two');
    await host.next(({ path }) => path === '/again');
    host.status = 200;
    await expect
      .poll(() => {
        server.clock.advance(5);
        return textsAt('again').at(-1);
      })
      .toBe('two');
    const taken = callsTo('again');
    expect(new Set(taken.slice(0, -1).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(textsAt('again').slice(-2)).toEqual(['one', 'two']);
  });

  it('gets the text as it is by then: what was deleted meanwhile is not sent', async () => {
    await hook('deleted');
    host.status = 500;
    const id = await post('a secret');
    await host.next(({ path }) => path === '/deleted');
    await ada.client.delete(`/v1/messages/${id}`);
    host.received.length = 0;
    host.status = 200;
    await expect
      .poll(() => {
        server.clock.advance(6);
        return callsTo('deleted').at(-1)?.body.data;
      })
      .toEqual({ team, message: { id } });
  });

  it('ends with 410, and goes on where it was when it is resumed', async () => {
    const made = await hook('gone');
    host.status = 410;
    await post('one');
    const state = async () => (await app.credentials.get(pathFor(made))).data[0].webhook.ended;
    await expect.poll(state).toBe('gone');
    await post('two');
    expect(textsAt('gone')).toEqual(['one']);
    host.status = 200;
    await app.credentials.patch(pathFor(made), { resume: true });
    await expect.poll(() => textsAt('gone')).toEqual(['one', 'one', 'two']);
    expect(await state()).toBeNull();
  });

  it('is not called while it is paused, and goes on where it was when it is resumed', async () => {
    const [paused, beside] = [await hook('paused'), await hook('beside')];
    const change = (fields: object) => dev.client.patch(pathFor(paused), fields);
    expect((await change({ pause: true })).data[0].webhook.ended).toBe('paused');
    // Another address is no reason to go on.
    const url = `${host.url}/moved`;
    expect((await change({ webhook: { url } })).data[0].webhook).toMatchObject({ url, ended: 'paused' });
    await post('one');
    await expect.poll(() => textsAt('beside')).toEqual(['one']);
    expect([...callsTo('paused'), ...callsTo('moved')]).toEqual([]);
    await post('two');
    expect((await change({ resume: true })).data[0].webhook.ended).toBeNull();
    await expect.poll(() => textsAt('moved')).toEqual(['one', 'two']);
    expect((await change({ pause: true, resume: true })).code).toBe(4002);
    await change({ webhook: null });
    expect((await change({ pause: true })).code).toBe(4090);
    expect(await deliveriesOf(dev, { id: 'nonsense' })).toEqual([]);
    await expect.poll(async () => (await deliveriesOf(dev, beside)).length).toBe(2);
  });

  it('waits as long as the receiver asks', async () => {
    const made = await hook('asked');
    host.status = 429;
    host.headers = { 'Retry-After': '1800' };
    await post('one');
    const delivery = async () => (await deliveriesOf(dev, made))[0];
    await expect.poll(async () => (await delivery())?.status).toBe('pending');
    const { next_attempt_at, created_at } = await delivery();
    expect(next_attempt_at - created_at).toBeGreaterThan(1799);
    const { paused_until } = (await app.credentials.get(pathFor(made))).data[0].webhook;
    expect(paused_until - created_at).toBeGreaterThan(1799);
  });

  it('that fails twice in a row holds the events of a team for less than half a minute', async () => {
    const made = await hook('stumbling');
    host.status = 500;
    await post('one');
    const attempts = async () => (await deliveriesOf(dev, made))[0]?.num_attempts;
    await expect.poll(attempts).toBe(1);
    server.clock.advance(6);
    await expect.poll(attempts).toBe(2);
    host.status = 200;
    await post('two');
    server.clock.advance(21);
    await expect
      .poll(async () => (await deliveriesOf(dev, made)).map(({ status }) => status))
      .toEqual(['delivered', 'delivered']);
    expect(textsAt('stumbling')).toEqual(['one', 'one', 'one', 'two']);
  });

  it('pauses when it fails for long, tells the owner, and ends after twelve attempts', async () => {
    const made = await hook('failing');
    host.status = 500;
    await post('one');
    const shown = async () => (await app.credentials.get(pathFor(made))).data[0].webhook;
    for (let attempts = 1; attempts < 12; attempts++) {
      await expect.poll(async () => (await deliveriesOf(dev, made))[0]?.num_attempts).toBe(attempts);
      const { next_attempt_at } = (await deliveriesOf(dev, made))[0];
      const { paused_until } = await shown();
      server.clock.advance(
        Math.ceil(Math.max(next_attempt_at, paused_until) - server.clock.now() / 1000) + 1,
      );
    }
    await expect.poll(async () => (await shown()).ended).toBe('failed');
    const [delivery] = await deliveriesOf(dev, made);
    expect([delivery.status, delivery.num_attempts]).toEqual(['failed', 12]);
    expect((await shown()).failing_since).not.toBeNull();
    await expect.poll(() => mailbox.received.some(({ to }) => to.includes(dev.email))).toBe(true);
  });

  it('that answers slowly or not at all delays no other', async () => {
    const slow = await new ApplicationHost().start();
    slow.silent = true;
    try {
      for (let n = 0; n < 6; n++) await subscribe(app, { webhook: { url: `${slow.url}/slow` } });
      await hook('fast');
      await post('one');
      await expect.poll(() => textsAt('fast')).toEqual(['one']);
      await post('two');
      await expect.poll(() => textsAt('fast')).toEqual(['one', 'two']);
    } finally {
      await slow.stop();
    }
  });

  it('is signed with both keys while one takes the place of the other', async () => {
    const made = await hook('keys');
    const { key } = (await app.credentials.post(`${pathFor(made)}/key`, { overlap_seconds: 60 })).data[0];
    await post('one');
    const first = await host.next(({ path }) => path === '/keys');
    expect([signatureFits(made.key, first), signatureFits(key, first)]).toEqual([true, true]);
    server.clock.advance(61);
    await post('two');
    const second = await host.next(({ path, body }) => path === '/keys' && textOf(body) === 'two');
    expect([signatureFits(made.key, second), signatureFits(key, second)]).toEqual([false, true]);
  });

  it('is sent a range once more', async () => {
    const made = await hook('replay');
    for (const text of ['one', 'two', 'three']) await post(text);
    await expect.poll(() => textsAt('replay')).toEqual(['one', 'two', 'three']);
    const ids = callsTo('replay').map(({ headers }) => headers['webhook-id'] as string);
    host.received.length = 0;
    const replay = (range: object) => dev.client.post(`${pathFor(made)}/replays`, range);
    expect((await replay({ since: ids[0], until: ids[1] })).status).toBe(200);
    await expect.poll(() => textsAt('replay')).toEqual(['two']);
    expect(callsTo('replay')[0]?.headers['webhook-id']).toBe(ids[1]);
    expect((await replay({ since: ids[1], until: ids[0] })).code).toBe(4002);
    expect((await replay({ since: 'nonsense' })).code).toBe(4002);
    // Each finished one makes room.
    for (let n = 0; n < 5; n++) {
      await expect
        .poll(async () => {
          server.clock.advance(61);
          return (await replay({ since: ids[2] })).status;
        })
        .toBe(200);
    }
  });

  it('ends its replays with its address', async () => {
    const made = await hook('before');
    host.status = 500;
    await post('one');
    const replay = () => dev.client.post(`${pathFor(made)}/replays`, { since: '0' });
    const started = [await replay(), await replay(), await replay(), await replay()];
    expect(started.map(({ status }) => status)).toEqual([200, 200, 200, 409]);
    await app.credentials.patch(pathFor(made), { webhook: null });
    host.status = 200;
    await app.credentials.patch(pathFor(made), { webhook: { url: `${host.url}/after` } });
    await post('two');
    await expect.poll(() => textsAt('after')).toEqual(['two']);
    expect((await replay()).status).toBe(200);
    await expect.poll(() => textsAt('after')).toEqual(['two', 'one', 'two']);
    await app.credentials.delete(pathFor(made));
  });

  it('stops with the webhook, the subscription and the installation', async () => {
    const [first, second] = [await hook('ended'), await hook('removed')];
    await app.credentials.patch(pathFor(first), { webhook: null });
    await app.credentials.delete(pathFor(second));
    await hook('uninstalled', { kinds: ['message.posted', 'installation.removed'] });
    await ada.client.delete(`/v1/teams/${team}/applications/${app.id}`);
    await post('unheard');
    await host.next(({ path }) => path === '/uninstalled');
    expect(callsTo('uninstalled').map(({ body }) => body.type)).toEqual(['installation.removed']);
    expect([...callsTo('ended'), ...callsTo('removed')]).toEqual([]);
  });
});

/** Whether one of the signatures is by this key; `verify` also compares the time with that of the machine. */
function signatureFits(key: string | undefined, { raw, headers }: Received): boolean {
  const seconds = Number(headers['webhook-timestamp']);
  const own = new Webhook(key ?? '').sign(headers['webhook-id'] as string, new Date(seconds * 1000), raw);
  return (headers['webhook-signature'] as string).split(' ').includes(own);
}
