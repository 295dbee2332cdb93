import { expect, it } from 'vitest';
import { subscribe } from '../../../test/support/feed.ts';
import { install, makeTeam, register } from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';

const { server, host, dev, ada } = scene({ people: ['Dev', 'Ada'] });

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
