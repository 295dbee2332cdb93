import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ASK, type Asking, asking, headed, press } from '../../../../test/support/clicks.ts';
import { EventStream } from '../../../../test/support/event-stream.ts';
import { allPlaced, Feed, pathOf, pullAll, subscribe } from '../../../../test/support/feed.ts';
import { makeTeam } from '../../../../test/support/people.ts';
import { scene } from '../../../../test/support/scene.ts';
import { runSql } from '../../../../test/support/tables.ts';

const { server, host, root, dev, ada, bob, zoe } = scene({
  people: ['Root', 'Dev', 'Ada', 'Bob', 'Zoe'],
  options: { housekeepingMs: 50, workerIntervalMs: 20 },
});
let team: string;
let of: Asking;
let stream: EventStream;

beforeEach(async () => {
  host.clear();
  made.clear();
  team = await makeTeam(ada, [bob, zoe]);
  of = await asking(server, { owner: dev, admin: ada, host, team });
  stream = await EventStream.open(bob.client);
});
afterEach(() => stream.close());

/** Of this test: clicks of earlier ones may end as well. */
const made = new Set<string>();
const told = () =>
  stream
    .of('interaction')
    .map(({ data }) => data)
    .filter(({ id }) => made.has(id));
const ends = async (wanted: object) => {
  await expect.poll(told).toEqual([wanted]);
};
async function clicked(message: string, fields: object = {}, by = bob) {
  const click = (await press(by, message, fields)).data[0] as { id: string; status: string };
  made.add(click.id);
  return click;
}
/** Of the application: others of earlier tests may wait. */
const pending = () => rows(`status = 'pending' AND application_id = '${of.app.id}'`);
const rows = (where = '1 = 1') =>
  runSql<{ id: string }>(server.running.db, `SELECT id FROM interactions WHERE ${where}`);

describe('a click is one (claim: clicks-once)', () => {
  it('for the same UUID, at once and from two windows, and answers how it goes by then', async () => {
    const id = await of.post();
    const click = randomUUID();
    const window = bob.client.copy();
    const all = await Promise.all(
      [bob.client, window, bob.client, window].map((client) =>
        client.post(`/v1/messages/${id}/interactions`, { block_id: 'ask', action_id: 'yes', click }),
      ),
    );
    const [first] = all.map(({ data }) => data[0]);
    expect(all.map(({ status, data }) => [status, data])).toEqual(all.map(() => [200, [first]]));
    expect(first).toEqual({ id: expect.any(String), status: 'pending' });
    expect(await of.heard()).toHaveLength(1);
    const app = await of.itself();
    await app.patch(`/v1/messages/${id}`, { blocks: headed('Approved') });
    expect(await clicked(id, { click })).toEqual({ id: first.id, status: 'done' });
    const keyed = await bob.client.ask('POST', `/v1/messages/${id}/interactions`, {
      json: { block_id: 'ask', action_id: 'yes', click },
      headers: { 'Idempotency-Key': click },
    });
    expect(keyed.data).toEqual([{ id: first.id, status: 'done' }]);
    expect(await of.heard()).toHaveLength(1);
  });

  it('repeated by its Idempotency-Key, says how it goes now', async () => {
    const id = await of.post();
    const json = { block_id: 'ask', action_id: 'yes', click: randomUUID() };
    const send = () =>
      bob.client.ask('POST', `/v1/messages/${id}/interactions`, {
        json,
        headers: { 'Idempotency-Key': 'once' },
      });
    expect((await send()).data[0].status).toBe('pending');
    await (await of.itself()).patch(`/v1/messages/${id}`, { blocks: headed('Approved') });
    expect((await send()).data[0].status).toBe('done');
  });

  it('while it is pending, for the same value; another value, element or person is another click', async () => {
    const id = await of.post();
    const first = await clicked(id);
    expect(await clicked(id)).toEqual(first);
    const mon = await clicked(id, { action_id: 'day', value: 'mon' });
    const tue = await clicked(id, { action_id: 'day', value: 'tue' });
    // What was chosen last counts: it is not the first choice that waits.
    const again = await clicked(id, { action_id: 'day', value: 'mon' });
    const zoes = await clicked(id, {}, zoe);
    const ids = [first, mon, tue, again, zoes].map((one) => one.id);
    expect(new Set(ids).size).toBe(5);
    expect((await of.heard()).map((data) => data.id)).toEqual(ids);
  });

  it('after it has ended, as the person presses again', async () => {
    const id = await of.post();
    const first = await clicked(id);
    await (await of.itself()).patch(`/v1/messages/${id}`, { blocks: [ASK, ...headed('One')] });
    expect((await clicked(id)).id).not.toBe(first.id);
  });
});

describe('a click ends (claim: clicks-end)', () => {
  it('as the application edits the message with its token, for all who wait', async () => {
    const id = await of.post();
    const { id: click } = await clicked(id);
    await clicked(id, {}, zoe);
    await (await of.itself()).patch(`/v1/messages/${id}`, { blocks: headed('Approved') });
    await ends({ id: click, status: 'done' });
    expect(await pending()).toEqual([]);
  });

  it('as a webhook takes its event', async () => {
    await subscribe(of.app, { kinds: ['interaction'], webhook: { url: `${host.url}/clicks` } });
    const { id: click } = await clicked(await of.post());
    await ends({ id: click, status: 'done' });
    expect(host.received.filter(({ path }) => path === '/clicks').map(({ body }) => body.data.id)).toEqual([
      click,
    ]);
  });

  it('as a stream acknowledges its event, or a later one of the team', async () => {
    const id = await of.post();
    const path = pathOf(of.app, of.subscription);
    const feed = await Feed.open(of.app.credentials, path);
    const first = await clicked(id);
    const second = await clicked(id, { action_id: 'no' });
    await feed.until((events) => events.length === 2);
    expect(told()).toEqual([]);
    const events = [feed.events[1]?.id];
    await of.app.credentials.post(`${path}/consumers/default/acknowledgements`, { events });
    await expect
      .poll(() => told().sort((one, other) => (one.id < other.id ? -1 : 1)))
      .toEqual([first, second].map(({ id }) => ({ id, status: 'done' })));
    feed.close();
  });

  it('as a reader of pages says that a page is done; not as it skips, or reads something else', async () => {
    const others = await subscribe(of.app, { kinds: ['message.posted'] });
    const id = await of.post();
    const { id: click } = await clicked(id);
    await allPlaced(server);
    const at = (subscription: string) => `${pathOf(of.app, subscription)}`;
    const done = async (subscription: string) => {
      const { cursor } = await pullAll(of.app.credentials, at(subscription));
      return of.app.credentials.put(`${at(subscription)}/consumers/pages/cursor`, { cursor });
    };
    expect((await done(others.id)).status).toBe(200);
    const since = String(server.clock.now() / 1000 + 60);
    await of.app.credentials.put(`${at(of.subscription)}/consumers/skips/cursor`, { since });
    expect(await pending()).toHaveLength(1);
    expect((await done(of.subscription)).status).toBe(200);
    await ends({ id: click, status: 'done' });
  });

  it('however many clicks of another application came after it', async () => {
    const other = await asking(server, { owner: dev, admin: ada, host, team });
    const { id: click } = await clicked(await of.post());
    await clicked(await other.post(), {}, zoe);
    await runSql(
      server.running.db,
      `INSERT INTO events (kind, audience, audience_id, data_json, created_at)
        WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 600)
        SELECT kind, audience, audience_id, data_json, created_at FROM events CROSS JOIN n
        WHERE kind = 'click' AND data_json LIKE '%${other.app.id}%'`,
    );
    await allPlaced(server);
    const path = pathOf(of.app, of.subscription);
    const { cursor } = await pullAll(of.app.credentials, path, 'limit=200');
    await of.app.credentials.put(`${path}/consumers/pages/cursor`, { cursor });
    await ends({ id: click, status: 'done' });
    expect(await rows(`status = 'pending' AND application_id = '${other.app.id}'`)).toHaveLength(1);
  });

  it('as nobody answers for too long', async () => {
    const { id: click } = await clicked(await of.post());
    server.clock.advance(899);
    await clicked(await of.post(), {}, zoe);
    expect(told()).toEqual([]);
    server.clock.advance(1);
    await ends({ id: click, status: 'failed', reason: 'no_answer' });
  });

  it('as the application is uninstalled', async () => {
    const { id: click } = await clicked(await of.post());
    await ada.client.delete(`/v1/teams/${team}/applications/${of.app.id}`);
    await ends({ id: click, status: 'failed', reason: 'not_installed' });
  });

  it('as the application is deleted, which forgets it too', async () => {
    const { id: click } = await clicked(await of.post());
    expect((await dev.client.delete(`/v1/applications/${of.app.id}`)).status).toBe(200);
    await ends({ id: click, status: 'failed', reason: 'not_installed' });
    await expect.poll(() => rows(`id = '${click}'`)).toEqual([]);
  });

  it('as the application is suspended', async () => {
    const { id: click } = await clicked(await of.post());
    await root.client.put(`/v1/admin/applications/${of.app.id}/suspension`, {});
    await ends({ id: click, status: 'failed', reason: 'suspended' });
  });

  it('as nothing listens any more', async () => {
    const other = await subscribe(of.app, { kinds: ['interaction'] });
    const { id: click } = await clicked(await of.post());
    await of.app.credentials.delete(pathOf(of.app, of.subscription));
    const second = await clicked(await of.post());
    expect(second.status).toBe('pending');
    expect(told()).toEqual([]);
    await of.app.credentials.delete(pathOf(of.app, other.id));
    await expect
      .poll(() => told().map(({ id, reason }) => [id, reason]))
      .toEqual([
        [click, 'unreachable'],
        [second.id, 'unreachable'],
      ]);
  });

  it('as its webhook says that it is gone', async () => {
    host.status = 410;
    const url = `${host.url}/gone`;
    const changed = await of.app.credentials.patch(pathOf(of.app, of.subscription), { webhook: { url } });
    expect(changed.status).toBe(200);
    const { id: click } = await clicked(await of.post());
    await ends({ id: click, status: 'failed', reason: 'unreachable' });
  });

  it('stays as it ended, whatever comes later', async () => {
    const id = await of.post();
    const click = randomUUID();
    await clicked(id, { click });
    server.clock.advance(900);
    await expect.poll(told).toHaveLength(1);
    await (await of.itself()).patch(`/v1/messages/${id}`, { blocks: headed('Late') });
    expect(await clicked(id, { click })).toMatchObject({ status: 'failed', reason: 'no_answer' });
    expect(told()).toHaveLength(1);
  });
});
