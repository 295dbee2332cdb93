import { expect, it } from 'vitest';
import { subscribe } from '../../../test/support/feed.ts';
import { install, makeTeam, register } from '../../../test/support/people.ts';
import { refuseChanges } from '../../../test/support/refusing.ts';
import { scene } from '../../../test/support/scene.ts';
import { runSql } from '../../../test/support/tables.ts';

const { server, host, dev, eve, ada } = scene({ people: ['Dev', 'Eve', 'Ada'] });

it('a webhook counts as waiting while it has unread events, and as late once its next call is due', async () => {
  const app = await register(dev, host, { scopes: ['messages:read'] });
  const team = await makeTeam(ada);
  const post = (text: string) => ada.client.post('/v1/messages', { text, addressed_teams: [team] });
  const waiting = async () => (await dev.client.get('/v1/admin/server')).data[0].queues.webhooks;
  const idle = { waiting: 0, oldest_seconds: null, reason: null };
  await expect.poll(waiting).toEqual(idle);
  await install(ada, team, app);
  host.status = 500;
  await subscribe(app, { webhook: { url: `${host.url}/waits` } });
  await post('one');
  await expect.poll(waiting).toEqual({ ...idle, waiting: 1 });
  const gate = Promise.withResolvers<void>();
  host.beforeAnswer = ({ path }) => (path === '/waits' ? gate.promise : Promise.resolve());
  host.status = 200;
  server.clock.advance(20);
  await host.next(({ path }) => path === '/waits');
  await expect.poll(async () => (await waiting()).oldest_seconds).toBeGreaterThan(10);
  gate.resolve();
  await expect.poll(waiting).toEqual(idle);
  // What is sent to nobody does not wait.
  await ada.client.delete(`/v1/teams/${team}/applications/${app.id}`);
  await post('two');
  expect(await waiting()).toEqual(idle);
});

it.each(['first', 'second'])(
  'one that cannot be claimed holds up no other: it is the %s one',
  async (turn) => {
    const { db } = server.running;
    const team = await makeTeam(ada);
    const ids: string[] = [];
    for (const [owner, path] of [
      [dev, `broken-${turn}`],
      [eve, `sound-${turn}`],
    ] as const) {
      const app = await register(owner, host, { scopes: ['messages:read'] });
      await install(ada, team, app);
      ids.push((await subscribe(app, { webhook: { url: `${host.url}/${path}` } })).id);
    }
    const [broken = '', sound = ''] = ids;
    const called = 'UPDATE event_subscriptions SET called_at = ? WHERE id = ?';
    await runSql(db, called, [turn === 'first' ? 1 : 2, broken]);
    await runSql(db, called, [turn === 'first' ? 2 : 1, sound]);
    const [consumer] = await runSql<{ id: string }>(
      db,
      "SELECT id FROM event_consumers WHERE subscription_id = ? AND kind = 'webhook'",
      [broken],
    );
    const heal = await refuseChanges(
      db,
      'event_cursors',
      `NEW.consumer_id = '${consumer?.id}' AND NEW.lease_until > 0`,
    );
    const arrives = (path: string) => expect.poll(() => host.received.some((call) => call.path === path));
    try {
      await ada.client.post('/v1/messages', { text: turn, addressed_teams: [team] });
      await arrives(`/sound-${turn}`).toBe(true);
      expect(host.received.some(({ path }) => path === `/broken-${turn}`)).toBe(false);
    } finally {
      await heal();
    }
    await arrives(`/broken-${turn}`).toBe(true);
  },
);
