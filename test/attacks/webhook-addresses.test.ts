/**
 * The attacker is any member of a server. They give a webhook an address of the server's own network, at once or later, or a
 * name that leads there, to reach what only the server reaches and to read what it answers.
 */
import { expect, it } from 'vitest';
import { pathOf, subscribe } from '../support/feed.ts';
import { install, makeTeam, register } from '../support/people.ts';
import { scene } from '../support/scene.ts';

const { host, mallory } = scene({
  people: ['Mallory'],
  options: { lookup: async () => [{ address: '10.0.0.1' }] },
});

it('reaches nothing inside by the address of a webhook, and shows no answer', async () => {
  const team = await makeTeam(mallory);
  const app = await register(mallory, host, { scopes: ['messages:read'] });
  await install(mallory, team, app);
  const inside = [
    'http://10.0.0.1/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::ffff:10.0.0.1]/',
    'http://internal.example/',
    'https://user@example.org/',
    'https://example.org\\@10.0.0.1/',
    'file:///etc/passwd',
  ];
  const path = pathOf(app, (await subscribe(app)).id);
  for (const url of inside) {
    const made = await app.credentials.post(`/v1/applications/${app.id}/subscriptions`, {
      kinds: ['message.posted'],
      webhook: { url },
    });
    expect([url, made.code]).toEqual([url, 4002]);
    expect([url, (await app.credentials.patch(path, { webhook: { url } })).code]).toEqual([url, 4002]);
  }
  // A name is resolved when it is called.
  await app.credentials.patch(path, { webhook: { url: 'https://internal.example/' } });
  await mallory.client.post('/v1/messages', { text: 'hello', addressed_teams: [team] });
  const calls = async () =>
    (await mallory.client.get(`/v1/applications/${app.id}/deliveries`)).data.filter(
      ({ kind }) => kind === 'events',
    );
  await expect.poll(async () => (await calls()).length).toBe(1);
  const [call] = await calls();
  const shown = await mallory.client.get(`/v1/applications/${app.id}/deliveries/${call.id}`);
  expect(shown.data[0].attempts[0]).toMatchObject({ reason: 'refused_address', response: null });
});
