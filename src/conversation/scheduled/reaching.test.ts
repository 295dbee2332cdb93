import { afterAll, beforeAll, expect, it } from 'vitest';
import { mailsGo } from '../../../test/support/mailbox.ts';
import { makeTeam } from '../../../test/support/people.ts';
import { PushService } from '../../../test/support/push-service.ts';
import { scene } from '../../../test/support/scene.ts';
import { until } from '../../../test/support/until.ts';

const { server, mailbox, ada, bob } = scene({
  people: ['Ada', 'Bob'],
  mail: true,
  environment: { MAIL_BATCH_SECONDS: '1' },
  options: { workerIntervalMs: 20 },
});

const service = new PushService();
beforeAll(() => service.start());
afterAll(() => service.stop());

const HOUR = 3600;
const inAnHour = () => ({
  local: new Date(server.clock.now() + HOUR * 1000).toISOString().slice(0, 16),
  zone: 'Etc/UTC',
});

it('a reminder is pushed and mailed as a direct message is', async () => {
  await ada.client.patch('/v1/users/me', { prefs: { email_on_direct_message: true } });
  await ada.client.patch('/v1/users/me/push_settings', { content: 'all', direct: true, mail_too: true });
  await service.subscribe(ada.client, 'phone');
  const { data } = await ada.client.post('/v1/users/me/reminders', {
    at: inAnHour(),
    text: 'water the plants',
  });
  expect(data[0].status).toBe('pending');
  server.clock.advance(HOUR + 120);
  const { content } = await service.next('phone');
  expect(content).toMatchObject({ title: 'Reminder', body: 'Reminder: water the plants' });
  await mailsGo(server);
  await until(() => mailbox.received.some(({ text }) => text.includes('Reminder: water the plants')));
});

it('a scheduled message reaches whom it mentions', async () => {
  const team = await makeTeam(ada, [bob]);
  const { username } = (await bob.client.get('/v1/users/me')).data[0];
  await ada.client.post('/v1/users/me/scheduled_messages', {
    send_at: inAnHour(),
    message: { text: `@${username} please look`, addressed_teams: [team] },
  });
  server.clock.advance(HOUR + 120);
  await until(async () => (await bob.client.get('/v1/users/me/inbox/counts')).data[0].mentions === 1);
  const [entry] = (await bob.client.get('/v1/users/me/inbox')).data;
  expect(entry.reasons).toContain('mention');
});
