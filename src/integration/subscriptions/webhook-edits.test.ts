import { beforeEach, describe, expect, it, vi } from 'vitest';
import { allPlaced, type Heard, pathOf, subscribe } from '../../../test/support/feed.ts';
import { install, makeTeam, type RegisteredApplication, register } from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';
import type { Tx } from '../../platform/db/index.ts';

const { server, host, dev, ada } = scene({ people: ['Dev', 'Ada'] });
interface Attempt {
  readonly request: { readonly url: string };
  readonly response: { readonly status: number };
}

let app: RegisteredApplication;
let team: string;
let id: string;

beforeEach(async () => {
  host.clear();
  app = await register(dev, host, { scopes: ['messages:read'] });
  team = await makeTeam(ada);
  await install(ada, team, app);
  // The subscription begins after all of that.
  await allPlaced(server);
  id = (await subscribe(app, { webhook: { url: `${host.url}/events` } })).id;
});

const post = (text: string) => ada.client.post('/v1/messages', { text, addressed_teams: [team] });
const textsAt = (path: string) =>
  host.received
    .filter((call) => call.path === path)
    .map(({ body }) => (body as Heard).data.message.text as string);
const edit = (fields: object) => app.credentials.patch(pathOf(app, id), fields);
const webhook = async () => (await app.credentials.get(pathOf(app, id))).data[0].webhook;

/** A deadlock is found after a second, and all that waits for its parties waits as long. SQLite has one writer. */
describe.runIf(process.env.TEST_DATABASE === 'postgres')('who edits a webhook', () => {
  /** Edits as the server does: the subscription is locked before its cursors. */
  const editing = (between: () => Promise<unknown>) =>
    server.running.db.write(async (tx: Tx) => {
      await tx.all('SELECT id FROM event_subscriptions WHERE id = $1 FOR UPDATE', [id]);
      await between();
      await tx.all("SET LOCAL lock_timeout = '500ms'", []);
      await tx.all('UPDATE event_cursors SET due_at = 0 WHERE team_id = $1', [team]);
    });

  /** How many wait for the subscription. */
  async function waiting(): Promise<number> {
    const found = `SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%event_subscriptions%'`;
    return (await server.running.db.all(found, [])).length;
  }

  it('keeps no call from being made, and waits for none', async () => {
    await post('before');
    await expect.poll(() => textsAt('/events')).toEqual(['before']);
    server.clock.advance(1);
    await editing(async () => {
      await post('meanwhile');
      await expect.poll(async () => textsAt('/events').length + (await waiting())).toBe(2);
      expect(textsAt('/events')).toEqual(['before', 'meanwhile']);
    });
  });

  it('does not wait for the end of the failures of its calls', async () => {
    host.status = 500;
    await post('again');
    await expect.poll(async () => (await webhook()).failing_since).not.toBeNull();
    const gate = Promise.withResolvers<void>();
    host.beforeAnswer = () => gate.promise;
    host.status = 200;
    server.clock.advance(6);
    await expect.poll(() => textsAt('/events')).toEqual(['again', 'again']);
    await editing(async () => {
      gate.resolve();
      await expect.poll(waiting).toBe(1);
    });
    await expect.poll(async () => (await webhook()).failing_since).toBeNull();
    expect(textsAt('/events')).toEqual(['again', 'again']);
  });
});

describe('a call to an address that is not the webhook’s any more', () => {
  /** Changes the address while a call to the old one is under way, which is answered then. */
  async function moveDuringCall(status: number): Promise<void> {
    const gate = Promise.withResolvers<void>();
    host.beforeAnswer = async ({ path }) => {
      if (path === '/events') await gate.promise;
      host.status = path === '/events' ? status : 200;
    };
    await post('one');
    await post('two');
    await expect.poll(() => textsAt('/events')).toEqual(['one']);
    expect((await edit({ webhook: { url: `${host.url}/moved` } })).status).toBe(200);
    // The old address was read too long ago to be called once more.
    server.clock.advance(2);
    gate.resolve();
  }
  const attempts = async () => {
    const path = `/v1/applications/${app.id}/deliveries`;
    const made = (await dev.client.get(path)).data.filter(({ kind }: { kind: string }) => kind === 'events');
    const [first] = (await dev.client.get(`${path}/${made.at(-1).id}`)).data;
    return (first.attempts as Attempt[]).map(({ request, response }) => [
      new URL(request.url).pathname,
      response.status,
    ]);
  };

  it.each([410, 500])(
    'says nothing of the new one by %s: that is sent the events at once',
    async (status) => {
      await moveDuringCall(status);
      await expect.poll(() => textsAt('/moved')).toEqual(['one', 'two']);
      expect(textsAt('/events')).toEqual(['one']);
      const [first, again] = host.received.map(({ headers }) => headers['webhook-id']).slice(-3);
      expect(again).toBe(first);
      expect(await webhook()).toMatchObject({ ended: null, failing_since: null });
      await expect.poll(attempts).toEqual([
        ['/moved', 200],
        ['/events', status],
      ]);
    },
  );

  it('took its events, which are not sent again', async () => {
    await moveDuringCall(200);
    await expect.poll(() => textsAt('/moved')).toEqual(['two']);
    expect(textsAt('/events')).toEqual(['one']);
    expect(await attempts()).toEqual([['/events', 200]]);
  });
});

describe('what happens after a decision', () => {
  /** Something is posted, and `decide` runs after the server has begun to read it and before it has the rows. */
  async function whileRead(decide: () => Promise<unknown>): Promise<void> {
    const { db } = server.running;
    const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const all = db.all.bind(db);
    const reading = vi.spyOn(db, 'all').mockImplementation(async (sql, parameters) => {
      if (/from "events" where .* order by "place"/.test(sql) && parameters.includes(team)) {
        reading.mockRestore();
        begun.resolve();
        await go.promise;
      }
      return all(sql, parameters) as never;
    });
    await post('before');
    await begun.promise;
    try {
      await decide();
      await post('after');
      await allPlaced(server);
    } finally {
      go.resolve();
    }
  }
  const uninstall = () => ada.client.delete(`/v1/teams/${team}/applications/${app.id}`);

  it('is not told to an application that the team removed', async () => {
    await whileRead(uninstall);
    await install(ada, team, app);
    await post('once more');
    await expect.poll(() => textsAt('/events').at(-1)).toBe('once more');
    expect(textsAt('/events')).not.toContain('after');
  });

  it.each([
    ['kinds', { kinds: ['message.edited'] }],
    ['teams', { teams: ['00000000-0000-7000-8000-000000000000'] }],
  ])('is told by the %s that were decided', async (_, before) => {
    await edit(before);
    await whileRead(() => edit({ kinds: ['message.posted'], teams: null }));
    await expect.poll(() => textsAt('/events')).toEqual(['after']);
  });
});
