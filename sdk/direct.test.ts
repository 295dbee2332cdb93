import { expect, it } from 'vitest';
import { allPlaced } from '../test/support/feed.ts';
import { makeTeam, register } from '../test/support/people.ts';
import { scene } from '../test/support/scene.ts';
import { ParleyApplication } from './index.ts';

const { server, host, dev, ada, bob } = scene({ people: ['Dev', 'Ada', 'Bob'] });

it('what a person writes is answered where it was written, and nothing twice (claim: direct-handled)', async () => {
  const { id, secret } = await register(dev, host, { name: 'Helper', scopes: ['direct:app'] });
  const team = await makeTeam(ada, [bob]);
  await ada.client.post(`/v1/teams/${team}/applications`, { application: id });
  const app = new ParleyApplication({ baseUrl: server.url, clientId: id, clientSecret: secret });
  let attempts = 0;
  app.direct(async ({ message, user, reply, bot }) => {
    await reply(`You said: ${message.text}`);
    attempts += 1;
    if (attempts === 1) throw new Error('crashed after the answer');
    if (message.text === 'history') {
      const texts: string[] = [];
      for await (const { text } of bot.conversation(user)) texts.push(text);
      await reply(texts.join(' < '));
    }
  });
  const errors: unknown[] = [];
  const listening = await app.listen({ onError: (error) => errors.push(error), retryAfterMs: [0] });
  const bot = app.inTeam(team);
  const first = await bot.writeTo(bob.id, 'Welcome, Bob');
  const write = (text: string) => bob.client.post('/v1/messages', { text, addressed_application: id, team });
  expect((await write('hello')).status).toBe(200);
  const texts = async () =>
    (await bob.client.get(`/v1/messages?application=${id}&team=${team}`)).data.map(({ text }) => text);
  await expect.poll(() => attempts).toBe(2);
  await bob.client.post(`/v1/messages/${first.id}/replies`, { text: 'in a thread' });
  const answers = async () =>
    (await bob.client.get(`/v1/messages/${first.id}/replies`)).data.map(({ text }) => text);
  await expect.poll(answers).toEqual(['in a thread', 'You said: in a thread']);
  await write('history');
  await expect.poll(async () => (await texts()).length).toBe(6);
  const [history, ...before] = await texts();
  expect(before).toEqual(['You said: history', 'history', 'You said: hello', 'hello', 'Welcome, Bob']);
  expect(history).toBe(before.join(' < '));
  expect(errors).toHaveLength(1);
  await allPlaced(server);
  await listening.stop();
  await bob.client.put(`/v1/users/me/blocked_applications/${id}`);
  await expect(bot.writeTo(bob.id, 'again')).rejects.toMatchObject({
    code: 4030,
    reason: 'application_blocked',
  });
  await expect(bot.writeTo(dev.id, 'hello')).rejects.toMatchObject({ code: 4008 });
});
