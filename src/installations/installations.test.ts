import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  ApplicationHost,
  install,
  join,
  makeTeam,
  type Person,
  type RegisteredApplication,
  register,
  signUp,
} from '../../test/support/people.ts';
import { startTestServer, type TestServer } from '../../test/support/server.ts';

let server: TestServer;
let host: ApplicationHost;
let admin: Person;
let member: Person;
let team: string;
let application: RegisteredApplication;

beforeAll(async () => {
  server = await startTestServer({ CALLBACK_TIMEOUT: '1' });
  host = await new ApplicationHost().start();
  admin = await signUp(server, 'Admin');
  member = await signUp(server, 'Member');
});

beforeEach(async () => {
  host.status = 200;
  host.received.length = 0;
  team = await makeTeam(admin, [member]);
  application = await register(admin, host, { team_update_url: `${host.url}/team` });
});

afterAll(async () => {
  await server.stop();
  await host.stop();
});

const attempt = (application_ = application) =>
  admin.client.post(`/v1/teams/${team}/applications`, { application: application_.id });

describe('the pre-install callback', () => {
  it('carries installer, team, users and the secret, signed', async () => {
    await install(admin, team, application);
    const [call] = host.received;
    expect(Object.keys(call?.body).sort()).toEqual(['client_secret', 'installer', 'team', 'type', 'users']);
    expect(call?.body).toMatchObject({ type: 'team', client_secret: application.secret, team: { id: team } });
    expect(call?.body.installer).toMatchObject({ id: admin.id, primary_email: { address: admin.email } });
    for (const kept of ['prefs', 'unread_counts', 'password', 'facebook_id', 'online_info']) {
      expect(call?.body.installer).not.toHaveProperty(kept);
    }
    expect(call?.body.users.map((user: { id: string }) => user.id).sort()).toEqual(
      [admin.id, member.id].sort(),
    );
    expect(call?.body.users[0].image.icon).toMatch(/^http/);
    const webhook = new Webhook(application.secret, { format: 'raw' });
    expect(() => webhook.verify(call?.raw ?? '', call?.headers as Record<string, string>)).not.toThrow();
  });

  it.each([500, 201, 204, 302, 404])('installs nothing when it answers %i', async (status) => {
    host.status = status;
    const answer = await attempt();
    expect([answer.status, answer.body.errors[0].code, answer.body.errors[0].reason]).toEqual([
      424,
      4240,
      `status_${status}`,
    ]);
    const listed = await member.client.get(`/v1/teams/${team}/applications`);
    expect(listed.data).toMatchObject([{ status: 'failed', reason: `status_${status}` }]);
    const opened = await admin.client.get(`/v1/applications/${application.id}/open?team=${team}`);
    expect(opened.body.errors[0]).toMatchObject({ code: 4030, reason: 'app_not_installed' });
    host.status = 200;
    expect((await attempt()).status).toBe(200);
  });

  it('installs nothing when nobody answers', async () => {
    const gone = await new ApplicationHost().start();
    const unreachable = await register(admin, gone);
    await gone.stop();
    expect((await attempt(unreachable)).body.errors[0]).toMatchObject({ code: 4240, reason: 'connection' });
  });
});

describe('installing', () => {
  it('twice answers the same installation', async () => {
    const [first, second] = [await attempt(), await attempt()];
    expect(second.data[0].id).toBe(first.data[0].id);
    expect(host.received).toHaveLength(1);
  });

  it('by several at once installs once', async () => {
    const answers = await Promise.all([attempt(), attempt(), attempt(), attempt()]);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    for (const { status, code } of answers) expect(status === 200 || code === 4090).toBe(true);
    expect(host.received).toHaveLength(1);
    const listed = await admin.client.get(`/v1/teams/${team}/applications`);
    expect(listed.data).toHaveLength(1);
  });

  it('is for admins of the team, and of unlisted applications for the owner’s teams', async () => {
    const refused = await member.client.post(`/v1/teams/${team}/applications`, {
      application: application.id,
    });
    expect(refused.code).toBe(4030);
    const stranger = await signUp(server, 'Stranger');
    const elsewhere = await makeTeam(stranger);
    const unlisted = await register(admin, host, { listed: false });
    const path = `/v1/teams/${elsewhere}/applications`;
    expect((await stranger.client.post(path, { application: unlisted.id })).code).toBe(4040);
    await join(stranger, elsewhere, admin);
    expect((await stranger.client.post(path, { application: unlisted.id })).status).toBe(200);
  });
});

describe('uninstalling', () => {
  it('tells the application, again and again until it answers 200', async () => {
    await install(admin, team, application);
    host.status = 500;
    await admin.client.delete(`/v1/teams/${team}/applications/${application.id}`);
    await host.next((call) => call.path === '/uninstall');
    const [delivery] = await deliveriesOnce((all) => all[0]?.num_attempts === 1);
    expect(delivery).toMatchObject({ kind: 'uninstall', status: 'pending', team });
    host.status = 200;
    host.received.length = 0;
    server.clock.advance(6);
    const call = await host.next(({ path }) => path === '/uninstall');
    expect(call.body).toMatchObject({
      type: 'uninstall',
      team: { id: team },
      client_secret: application.secret,
    });
    expect(call.headers['webhook-id']).toBe(delivery.id);
    await deliveriesOnce((all) => all[0]?.status === 'delivered');
    const shown = await admin.client.get(`/v1/applications/${application.id}/deliveries/${delivery.id}`);
    const attempts = shown.data[0].attempts as { reason: string | null; response: { status: number } }[];
    expect(attempts.map(({ reason, response }) => [reason, response.status])).toEqual([
      [null, 200],
      ['status_500', 500],
    ]);
    expect(shown.text).not.toContain(application.secret);
    const again = await admin.client.post(
      `/v1/applications/${application.id}/deliveries/${delivery.id}/redeliver`,
    );
    expect(again.data[0]).toMatchObject({ num_attempts: 3, status: 'delivered' });
  });
});

/** Asks until the list is as wanted: the worker records an attempt a moment after the application has seen it. */
// biome-ignore lint/suspicious/noExplicitAny: deliveries as they come
async function deliveriesOnce(wanted: (deliveries: any[]) => boolean): Promise<any[]> {
  for (;;) {
    const { data } = await admin.client.get(`/v1/applications/${application.id}/deliveries`);
    if (wanted(data)) return data;
  }
}

it('a change of members or roles is told to the application', async () => {
  await install(admin, team, application);
  const guest = await signUp(server, 'Guest');
  await join(admin, team, guest);
  await admin.client.patch(`/v1/teams/${team}/users/${guest.id}`, { membership_type: 1 });
  await admin.client.delete(`/v1/teams/${team}/users/${guest.id}`);
  const told = async (change: string) => (await host.next((call) => call.body?.change === change)).body;
  expect(await told('member_added')).toMatchObject({
    type: 'team_update',
    user: { id: guest.id },
    membership_type: 2,
  });
  expect(await told('role_changed')).toMatchObject({ membership_type: 1 });
  expect(await told('member_removed')).toMatchObject({
    membership_type: null,
    client_secret: application.secret,
  });
});

it('a test callback needs no team', async () => {
  host.status = 418;
  const answer = await admin.client.post(`/v1/applications/${application.id}/test_callback`);
  expect(answer.data[0]).toMatchObject({ kind: 'test', status: 'failed', team: null });
  expect(answer.data[0].attempts[0]).toMatchObject({ reason: 'status_418', response: { status: 418 } });
  expect(host.received[0]?.body).toMatchObject({ type: 'team', client_secret: application.secret });
});

it('deliveries are for the owner, and a team’s for its admins', async () => {
  const owner = await signUp(server, 'Owner');
  const listed = await register(owner, host);
  await install(admin, team, listed);
  const other = await signUp(server, 'Other');
  const otherTeam = await makeTeam(other);
  await install(other, otherTeam, listed);
  const list = async (person: Person) => {
    const { code, data } = await person.client.get(`/v1/applications/${listed.id}/deliveries`);
    return code ?? data.map((delivery) => delivery.team).sort();
  };
  expect(await list(owner)).toEqual([team, otherTeam].sort());
  expect(await list(admin)).toEqual([team]);
  expect(await list(member)).toBe(4040);
});

it('addresses that may not be called are refused where they are given', async () => {
  const strict = await startTestServer({ ALLOW_LOOPBACK_APPS: 'no' });
  const owner = await signUp(strict, 'Owner');
  const answer = await owner.client.post('/v1/applications', {
    name: 'Bad',
    base_url: 'http://example.org',
    preinstall_url: 'https://2130706433/install',
    uninstall_url: 'https://[::ffff:169.254.169.254]/',
    redirect_uris: ['https://example.org/ok', 'https://user@example.org/', 'javascript:alert(1)'],
  });
  expect(answer.status).toBe(400);
  expect(answer.body.errors.map((error: { reason: string }) => error.reason)).toEqual([
    'base_url',
    'preinstall_url',
    'uninstall_url',
    'redirect_uris.1',
    'redirect_uris.2',
  ]);
  await strict.stop();
});
