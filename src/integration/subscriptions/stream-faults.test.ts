import { Writable } from 'node:stream';
import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { allPlaced, Feed, pathOf, subscribe } from '../../../test/support/feed.ts';
import { install, makeTeam, type RegisteredApplication, register } from '../../../test/support/people.ts';
import { refuseChanges } from '../../../test/support/refusing.ts';
import { scene } from '../../../test/support/scene.ts';
import { runSql } from '../../../test/support/tables.ts';

let logged = '';
const memory = new Writable({
  write(chunk, _encoding, done) {
    logged += chunk;
    done();
  },
});
const { server, host, dev, ada } = scene({
  people: ['Dev', 'Ada'],
  options: { logger: pino({ level: 'error' }, memory) },
});
let team: string;
let app: RegisteredApplication;

beforeAll(async () => {
  team = await makeTeam(ada);
  app = await register(dev, host, { scopes: ['messages:read'] });
  await install(ada, team, app);
});

const post = (text: string) => ada.client.post('/v1/messages', { text, addressed_teams: [team] });
const copies = async (path: string) => (await app.credentials.get(`${path}/consumers`)).data[0].copies;
const arrives = (feed: Feed, text: string) =>
  feed.until((events) => events.some(({ data }) => data.message.text === text));

/** A subscription, and the stream of one who has heard an event of it. */
async function heard(text: string): Promise<{ path: string; feed: Feed }> {
  await allPlaced(server);
  const path = pathOf(app, (await subscribe(app)).id);
  const feed = await Feed.open(app.credentials, path);
  await post(text);
  await arrives(feed, text);
  return { path, feed };
}

describe('while the database fails', () => {
  it('a stream whose first acknowledgement is not stored keeps no team from the next one', async () => {
    const { path, feed } = await heard('before');
    feed.close();
    await expect.poll(() => copies(path)).toBe(0);
    const lastId = feed.events[0]?.id as string;
    const heal = await refuseChanges(server.running.db, 'event_cursors', 'NEW.place > OLD.place');
    try {
      expect((await Feed.open(app.credentials, path, { lastId })).status).toBe(500);
    } finally {
      await heal();
    }
    expect(await copies(path)).toBe(0);
    const next = await Feed.open(app.credentials, path, { lastId });
    await post('after');
    await arrives(next, 'after');
    next.close();
  });

  it('a stream that ends gives its teams back as soon as the database is there again', async () => {
    const { path, feed } = await heard('held');
    const { db } = server.running;
    logged = '';
    // Its lease does not lapse.
    const goOn = server.clock.hold();
    const heal = await refuseChanges(db, 'event_cursors', 'NEW.copy_id IS NULL AND OLD.copy_id IS NOT NULL');
    try {
      feed.close();
      await expect.poll(() => logged).toContain('refused by the test');
    } finally {
      await heal();
    }
    await expect.poll(() => copies(path)).toBe(0);
    goOn();
    const next = await Feed.open(app.credentials, path);
    await arrives(next, 'held');
    next.close();
  });
});

describe('after the clock was set back', () => {
  const HOUR = 3600;

  it('a stream renews its lease, and ends when nothing is acknowledged', async () => {
    const { path, feed } = await heard('unacknowledged');
    server.clock.advance(-HOUR);
    try {
      const query = `SELECT lease_until FROM event_copies JOIN event_consumers ON event_consumers.id = consumer_id
        WHERE subscription_id = ?`;
      const leases = () =>
        runSql<{ lease_until: number }>(server.running.db, query, [path.split('/').at(-1)]);
      await expect
        .poll(async () => Number((await leases())[0]?.lease_until) - server.clock.now())
        .toBeLessThan(HOUR * 1000);
      // In steps that its lease outlasts.
      for (let passed = 0; passed <= 60 && !feed.isOver; passed += 6) {
        const before = Number((await leases())[0]?.lease_until);
        server.clock.advance(6);
        await expect
          .poll(async () => feed.isOver || Number((await leases())[0]?.lease_until ?? Infinity) > before)
          .toBe(true);
      }
      await feed.ended();
    } finally {
      server.clock.advance(HOUR);
    }
    expect(feed.isOver).toBe(true);
  });
});
