import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Client } from '../../../test/support/client.ts';
import { makeTeam, signUp } from '../../../test/support/people.ts';
import { PushService } from '../../../test/support/push-service.ts';
import { scene } from '../../../test/support/scene.ts';
import { startTestServer } from '../../../test/support/server.ts';
import { runSql } from '../../../test/support/tables.ts';
import { until } from '../../../test/support/until.ts';

const PATH = '/v1/users/me/push_subscriptions';
const PASSWORD = 'a password of length';

const { server, ada, ben } = scene({ people: ['Ada', 'Ben'], options: { workerIntervalMs: 20 } });
const service = new PushService();
beforeAll(() => service.start());
afterAll(() => service.stop());

const devicesOf = async (client: Client) => (await client.get(PATH)).data;
const sendTest = (client: Client, id: string) => client.post(`${PATH}/${id}/test`);

async function signIn(email: string): Promise<Client> {
  const client = new Client(server.url);
  expect((await client.post('/v1/sessions', { email, password: PASSWORD })).status).toBe(200);
  return client;
}

describe('a device', () => {
  it('subscribes with the key of the server, is listed without its endpoint, and gets what it alone can read', async () => {
    const [{ enabled, public_key }] = (await ada.client.get('/v1/push')).data;
    expect([enabled, Buffer.from(public_key, 'base64url').length]).toEqual([true, 65]);
    const id = await service.subscribe(ada.client, 'phone');
    const [listed] = await devicesOf(ada.client);
    expect(listed).toMatchObject({ id, current: true, told_at: null, failing: false });
    expect(JSON.stringify(listed)).not.toContain(service.url);

    expect((await sendTest(ada.client, id)).status).toBe(200);
    const { headers, content } = await service.next('phone');
    expect(content).toMatchObject({ kind: 'test', title: 'Parley', url: '/settings/notifications' });
    expect(headers.authorization).toContain(`k=${public_key}`);
    expect(headers).toMatchObject({ urgency: 'high', 'content-encoding': 'aes128gcm' });
    await until(async () => (await devicesOf(ada.client))[0].told_at !== null);
    expect(service.faults).toEqual([]);

    const stored = await runSql(server.running.db, 'SELECT secret_ciphertext FROM push_subscriptions');
    expect(JSON.stringify(stored)).not.toContain('/push/phone');
  });

  it('that subscribes in several windows at once is one', async () => {
    const device = service.device('windows');
    const answers = await Promise.all(Array.from({ length: 8 }, () => ada.client.post(PATH, device)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(new Set(answers.map(({ data }) => data[0].id)).size).toBe(1);
  });

  it('that subscribes while its session ends is none', async () => {
    const client = await signIn(ben.email);
    const ids = async () => (await devicesOf(ben.client)).map(({ id }) => id);
    const before = await ids();
    const asked = client.post(PATH, service.device('leaving'));
    const [answer] = await Promise.all([asked, client.delete('/v1/sessions/current')]);
    expect([200, 401]).toContain(answer.status);
    expect(await ids()).toEqual(before);
  });

  it('says it in the language of its owner', async () => {
    await ben.client.patch('/v1/users/me', { language: 'de' });
    await sendTest(ben.client, await service.subscribe(ben.client, 'tablet'));
    expect((await service.next('tablet')).content.body).toBe('Benachrichtigungen erreichen dieses Gerät.');
  });

  it.each(['404', '410'])(
    'that its push service does not know any more (%s) is forgotten',
    async (status) => {
      const device = `gone-${status}`;
      const id = await service.subscribe(ada.client, device);
      service.answers.set(device, { status: Number(status) });
      await sendTest(ada.client, id);
      await until(async () => !(await devicesOf(ada.client)).some((one) => one.id === id));
    },
  );

  it('whose push service is busy is tried again after the time that it asked for', async () => {
    const id = await service.subscribe(ada.client, 'busy');
    service.answers.set('busy', { status: 429, headers: { 'Retry-After': '3600' } });
    await sendTest(ada.client, id);
    const failing = async () => (await devicesOf(ada.client)).find((one) => one.id === id).failing;
    await until(failing);
    service.answers.delete('busy');
    server.clock.advance(3000);
    // Another one does not go earlier.
    await sendTest(ada.client, await service.subscribe(ada.client, 'beside-busy'));
    await service.next('beside-busy');
    expect(service.to('busy')).toEqual([]);
    server.clock.advance(700);
    await service.next('busy');
    await until(async () => !(await failing()));
  });

  it('renews its subscription, and keeps it through it', async () => {
    const device = service.device('again');
    const [first] = (await ada.client.post(PATH, device)).data;
    const [second] = (await ada.client.post(PATH, device)).data;
    expect(second.id).toBe(first.id);
  });

  it('moves to the account that signs in at the same browser', async () => {
    const device = service.device('shared');
    const [{ id }] = (await ada.client.post(PATH, device)).data;
    await sendTest(ada.client, id);
    await service.next('shared');
    const [moved] = (await ben.client.post(PATH, device)).data;
    expect((await devicesOf(ada.client)).map((one) => one.id)).not.toContain(id);
    expect((await devicesOf(ben.client)).map((one) => one.id)).toContain(moved.id);
  });

  it('is removed by its owner', async () => {
    const id = await service.subscribe(ada.client, 'removed');
    expect((await ben.client.delete(`${PATH}/${id}`)).status).toBe(404);
    expect((await ada.client.delete(`${PATH}/${id}`)).status).toBe(200);
    expect((await ada.client.delete(`${PATH}/${id}`)).status).toBe(404);
  });
});

describe('the session of a device ends it (claim: push-with-session)', () => {
  it('by signing out, and by the end of all other sessions', async () => {
    for (const end of ['out', 'others'] as const) {
      const other = await signIn(ada.email);
      const id = await service.subscribe(other, `session-${end}`);
      expect((await devicesOf(ada.client)).find((one) => one.id === id)).toMatchObject({ current: false });
      if (end === 'out') await other.delete('/v1/sessions/current');
      else
        await ada.client.post('/v1/users/me/password', {
          current: PASSWORD,
          password: `${PASSWORD} again`,
        });
      const gone = async () => !(await devicesOf(ada.client)).some((one) => one.id === id);
      expect(await gone()).toBe(true);
    }
  });
});

it('all messages of one team, pushed to one member, cost the posts to other teams nothing', async () => {
  const idle = await startTestServer();
  // No job is carried out here, so each one stays to be counted.
  const write = idle.running.db.write.bind(idle.running.db);
  vi.spyOn(idle.running.db, 'write').mockImplementation((work, options) =>
    new Error().stack?.includes('locked-work.ts') ? Promise.resolve(false as never) : write(work, options),
  );
  const [eve, finn] = [await signUp(idle, 'Eve'), await signUp(idle, 'Finn')];
  const [read, other] = [await makeTeam(eve, [finn], 'Read'), await makeTeam(eve, [finn], 'Other')];
  const numJobs = async () => (await runSql(idle.running.db, 'SELECT id FROM notice_jobs')).length;
  const writesJob = async (team: string) => {
    const before = await numJobs();
    await eve.client.post('/v1/messages', { text: 'plain', addressed_teams: [team] });
    return (await numJobs()) > before;
  };
  const id = await service.subscribe(finn.client, 'finn');
  expect([await writesJob(read), await writesJob(other)]).toEqual([false, false]);
  const set = (change: object) => finn.client.patch('/v1/users/me/push_settings', change);
  await set({ team_default: 'nothing', teams: [{ team: read, level: 'all' }] });
  await until(() => writesJob(read));
  const lookedUp = () => sendTest(finn.client, id);
  await until(async () => (await lookedUp()).status === 200 && !(await writesJob(other)));
  expect([await writesJob(read), await writesJob(other)]).toEqual([true, false]);
  await set({ team_default: 'all', teams: [{ team: read, level: 'mentions' }] });
  await until(async () => (await lookedUp()).status === 200 && !(await writesJob(read)));
  expect([await writesJob(read), await writesJob(other)]).toEqual([false, true]);
  await idle.stop();
});

describe('a server with PUSH=off', () => {
  it('offers no key, takes no device and says why', async () => {
    const quiet = await startTestServer({ PUSH: 'off' });
    const client = new Client(quiet.url);
    await client.post('/v1/users', {
      email: 'quiet@example.org',
      password: PASSWORD,
      first_name: 'Quiet',
      last_name: 'Test',
    });
    expect((await client.get('/v1/push')).data).toEqual([{ enabled: false, public_key: null }]);
    const refused = await client.post(PATH, service.device('quiet'));
    expect(refused.body.errors).toMatchObject([{ code: 4030, reason: 'push_off' }]);
    await quiet.stop();
  });
});
