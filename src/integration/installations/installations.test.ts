import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EventStream } from '../../../test/support/event-stream.ts';
import {
  ApplicationHost,
  agreeAndOpen,
  authorize,
  install,
  join,
  makeTeam,
  type Person,
  type RegisteredApplication,
  register,
  signUp,
} from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';
import { startTestServer } from '../../../test/support/server.ts';
import { until } from '../../../test/support/until.ts';

const { server, admin, member } = scene({
  people: ['Admin', 'Member'],
  environment: { CALLBACK_TIMEOUT: '1' },
});
let host: ApplicationHost;
let team: string;
let application: RegisteredApplication;

beforeEach(async () => {
  // A host of its own: another test's pending deliveries are retried whenever the clock moves.
  host = await new ApplicationHost().start();
  team = await makeTeam(admin, [member]);
  application = await register(admin, host, { team_update_url: `${host.url}/team` });
});

afterEach(() => host.stop());

const attempt = (application_ = application) =>
  admin.client.post(`/v1/teams/${team}/applications`, { application: application_.id });

describe('the pre-install callback', () => {
  it('carries installer, team, users and the secret, signed', async () => {
    await install(admin, team, application);
    const [call] = host.received;
    expect(Object.keys(call?.body).sort()).toEqual([
      'client_secret',
      'installation',
      'installer',
      'team',
      'type',
      'users',
    ]);
    expect(call?.body).toMatchObject({ type: 'team', client_secret: application.secret, team: { id: team } });
    expect(call?.body.installer).toMatchObject({ id: admin.id, primary_email: { address: admin.email } });
    expect(call?.body.installer).toMatchObject({
      email: admin.email,
      image: { icon: expect.stringMatching(/^http/) },
    });
    expect(call?.body.team).toMatchObject({ team_id: team, unread_count: 0 });
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

  it('installs nothing when the answer does not come in time', async () => {
    host.silent = true;
    expect((await attempt()).body.errors[0]).toMatchObject({ code: 4240, reason: 'timeout' });
    const listed = await admin.client.get(`/v1/teams/${team}/applications`);
    expect(listed.data).toMatchObject([{ status: 'failed', reason: 'timeout' }]);
    const { data } = await admin.client.get(`/v1/applications/${application.id}/deliveries`);
    expect(data).toMatchObject([
      { kind: 'install', status: 'failed', num_attempts: 1, next_attempt_at: null },
    ]);
  });

  it.each([
    ['the application is deleted', () => admin.client.delete(`/v1/applications/${application.id}`)],
    ['the team is deleted', () => admin.client.delete(`/v1/teams/${team}`)],
  ])('installs nothing when %s meanwhile', async (_, happens) => {
    host.beforeAnswer = async () => expect((await happens()).status).toBe(200);
    expect((await attempt()).body.errors[0]).toMatchObject({ code: 4240, reason: 'interrupted' });
    const rows = await server.running.db.all<{ status: string; team_id: string }>(
      'SELECT status, team_id FROM installations',
      [],
    );
    expect(rows.filter(({ team_id }) => team_id === team).map(({ status }) => status)).toEqual(['failed']);
  });

  it('installs nothing when the installer is no admin any more', async () => {
    const other = await signUp(server, 'Other');
    await join(admin, team, other, 1);
    host.beforeAnswer = () => admin.client.delete(`/v1/teams/${team}/users/${other.id}`);
    const path = `/v1/teams/${team}/applications`;
    const answer = await other.client.post(path, { application: application.id });
    expect(answer.body.errors[0]).toMatchObject({ code: 4240, reason: 'interrupted' });
    expect((await admin.client.get(path)).data).toMatchObject([{ status: 'failed' }]);
  });

  it('installs nothing without an answer', async () => {
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

  it('by several admins at once installs once', async () => {
    await admin.client.patch(`/v1/teams/${team}/users/${member.id}`, { membership_type: 1 });
    const path = `/v1/teams/${team}/applications`;
    const other = () => member.client.post(path, { application: application.id });
    const answers = await Promise.all([attempt(), other(), attempt(), other()]);
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

describe('opening', () => {
  const path = (of = application) => `/v1/applications/${of.id}/open?team=${team}`;

  it('leads to the first redirect address, with a code and the team', async () => {
    const redirect_uris = [`${host.url}/first?kept=1`, `${host.url}/second`];
    const own = await register(admin, host, { redirect_uris });
    await install(admin, team, own);
    await agreeAndOpen(member, team, own);
    const { status, headers } = await member.client.get(path(own));
    const location = new URL(headers.get('location') ?? '');
    expect([status, location.pathname, headers.get('cache-control')]).toEqual([303, '/first', 'no-store']);
    expect([...location.searchParams.keys()]).toEqual(['kept', 'code', 'platform_team_id', 'iss']);
    // RFC 9207: lets a client of several servers know which one issued the code.
    expect(location.searchParams.get('iss')).toBe(server.running.url);
    expect(location.searchParams.get('platform_team_id')).toBe(team);
    const json = await member.client.get(path(own), { headers: { Accept: 'application/json' } });
    expect(json.status).toBe(200);
    const second = new URL(json.data[0].url);
    expect(second.searchParams.get('code')).not.toBe(location.searchParams.get('code'));
  });

  it('is for members of a team that has it', async () => {
    expect((await member.client.get(path())).body.errors[0]).toMatchObject({
      code: 4030,
      reason: 'app_not_installed',
    });
    await install(admin, team, application);
    const stranger = await signUp(server, 'Stranger');
    expect((await stranger.client.get(path())).code).toBe(4040);
    expect((await server.anonymous().get(path())).code).toBe(4010);
    expect((await member.client.get(`/v1/applications/nonsense/open?team=${team}`)).code).toBe(4040);
  });
});

describe('an application that is changed several times at once', () => {
  const path = () => `/v1/applications/${application.id}`;

  it('has one secret afterwards', async () => {
    const rotate = () => admin.client.post(`${path()}/secret`, { overlap_seconds: 0 });
    const answers = await Promise.all(Array.from({ length: 8 }, rotate));
    const rotated = answers.filter(({ status }) => status === 200);
    expect(rotated).toHaveLength(1);
    const refused = answers.filter(({ body }) => body.errors?.[0].reason === 'just_rotated');
    expect(refused.map(({ code }) => code)).toEqual(Array(7).fill(4090));
    const good = rotated.map(async ({ data }) => {
      const client = server.anonymous().withCredentials(application.id, data[0].client_secret);
      return (await client.get('/v1/oauth2/test/app')).status === 200;
    });
    expect((await Promise.all(good)).filter(Boolean)).toHaveLength(1);
  });

  it('has all the changes', async () => {
    const fields = {
      name: 'New',
      description: 'Other',
      icon: '🧭',
      listed: false,
      scopes: ['messages:read'],
    };
    const changes = Object.entries(fields).map(([name, value]) =>
      admin.client.patch(path(), { [name]: value }),
    );
    await Promise.all(changes);
    expect((await admin.client.get(path())).data).toMatchObject([fields]);
  });

  it('stays deleted', async () => {
    for (let n = 0; n < 5; n++) {
      application = await register(admin, host);
      const change = () => admin.client.patch(path(), { name: 'New' });
      await Promise.all([change(), change(), change(), admin.client.delete(path()), change(), change()]);
      expect((await admin.client.get(path())).code).toBe(4040);
    }
  });
});

it('the directory shows listed applications', async () => {
  const unlisted = await register(admin, host, { listed: false });
  const { data, text } = await member.client.get('/v1/directory');
  const ids = data.map(({ id }) => id);
  expect([ids.includes(application.id), ids.includes(unlisted.id)]).toEqual([true, false]);
  expect(text).not.toContain('preinstall_url');
});

describe('uninstalling', () => {
  it('revokes the tokens before the application is notified', async () => {
    await install(admin, team, application);
    const { access_token } = await authorize(member, team, application);
    const asUser = server.anonymous().withToken(access_token);
    expect((await asUser.get('/v1/users/me')).status).toBe(200);
    const seen = new Promise((resolve) => {
      host.beforeAnswer = async () => resolve((await asUser.get('/v1/users/me')).code);
    });
    await admin.client.delete(`/v1/teams/${team}/applications/${application.id}`);
    expect(await seen).toBe(4012);
    expect((await attempt()).status).toBe(200);
    expect((await asUser.get('/v1/users/me')).code).toBe(4012);
  });

  it('takes what had failed before off the list, and not what fails later', async () => {
    const list = async () => (await admin.client.get(`/v1/teams/${team}/applications`)).data;
    host.status = 500;
    await attempt();
    host.status = 200;
    await attempt();
    expect((await list()).map(({ status }) => status)).toEqual(['active', 'failed']);
    await admin.client.delete(`/v1/teams/${team}/applications/${application.id}`);
    expect(await list()).toEqual([]);
    host.status = 404;
    await attempt();
    expect(await list()).toMatchObject([{ status: 'failed', reason: 'status_404' }]);
  });

  it('gives the application up after the last wait', async () => {
    // A server of its own: its time goes far ahead.
    const other = await startTestServer();
    const owner = await signUp(other, 'Owner');
    const home = await makeTeam(owner);
    const own = await register(owner, host);
    await install(owner, home, own);
    host.status = 503;
    await owner.client.delete(`/v1/teams/${home}/applications/${own.id}`);
    for (const [index, seconds] of [5, 30, 120, 600, 3600, 6 * 3600, 24 * 3600].entries()) {
      const [delivery] = await deliveriesOnce((all) => all[0]?.num_attempts === index + 1, owner, own);
      expect(delivery.status).toBe('pending');
      expect(delivery.next_attempt_at - delivery.updated_at).toBeCloseTo(seconds, 3);
      other.clock.advance(seconds);
    }
    const [delivery] = await deliveriesOnce((all) => all[0]?.num_attempts === 8, owner, own);
    expect(delivery).toMatchObject({ status: 'failed', next_attempt_at: null });
    await other.stop();
  });

  it('a delivery by hand that fails does not end the retries', async () => {
    await install(admin, team, application);
    host.status = 500;
    await admin.client.delete(`/v1/teams/${team}/applications/${application.id}`);
    const [delivery] = await deliveriesOnce((all) => all[0]?.num_attempts === 1);
    const path = `/v1/applications/${application.id}/deliveries/${delivery.id}/redeliver`;
    const byHand = await admin.client.post(path);
    expect(byHand.data[0]).toMatchObject({ num_attempts: 2, status: 'pending' });
    host.status = 200;
    server.clock.advance(31);
    await deliveriesOnce((all) => all[0]?.status === 'delivered');
    expect((await member.client.post(path)).code).toBe(4040);
  });

  it('is retried as planned, whatever the attempts by hand', async () => {
    // A server of its own, so that nothing else moves its clock.
    const other = await startTestServer();
    const owner = await signUp(other, 'Owner');
    const home = await makeTeam(owner);
    const own = await register(owner, host);
    await install(owner, home, own);
    host.status = 500;
    await owner.client.delete(`/v1/teams/${home}/applications/${own.id}`);
    const [{ id }] = await deliveriesOnce((all) => all[0]?.num_attempts === 1, owner, own);
    const path = `/v1/applications/${own.id}/deliveries/${id}`;
    for (let n = 0; n < 7; n++) await owner.client.post(`${path}/redeliver`);
    other.clock.advance(6);
    const [delivery] = await deliveriesOnce((all) => all[0]?.num_attempts === 9, owner, own);
    expect(delivery.status).toBe('pending');
    expect(delivery.next_attempt_at - delivery.updated_at).toBeCloseTo(30, 3);
    await other.stop();
  });

  it('cancels pending calls about members, too', async () => {
    await install(admin, team, application);
    const guest = await signUp(server, 'Guest');
    host.status = 500;
    await join(admin, team, guest);
    await deliveriesOnce((all) => all[0]?.kind === 'team_update' && all[0].num_attempts === 1);
    host.status = 200;
    await admin.client.delete(`/v1/teams/${team}/applications/${application.id}`);
    const [, update] = await deliveriesOnce((all) => all[0]?.status === 'delivered');
    expect(update).toMatchObject({ kind: 'team_update', status: 'failed', next_attempt_at: null });
  });

  it('is not called about a team that has installed the application again', async () => {
    await install(admin, team, application);
    host.status = 500;
    await admin.client.delete(`/v1/teams/${team}/applications/${application.id}`);
    await deliveriesOnce((all) => all[0]?.num_attempts === 1);
    host.status = 200;
    await install(admin, team, application);
    const { data } = await admin.client.get(`/v1/applications/${application.id}/deliveries`);
    expect(data).toMatchObject([
      { kind: 'install', status: 'delivered' },
      { kind: 'uninstall', status: 'failed', next_attempt_at: null },
      { kind: 'install', status: 'delivered' },
    ]);
  });

  it('notifies the application, again when it answers an error', async () => {
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

// biome-ignore lint/suspicious/noExplicitAny: deliveries as they come
type Shown = any;

/** Asks until the list is as wanted: the worker records an attempt a moment after the application has seen it. */
async function deliveriesOnce(
  wanted: (all: Shown[]) => boolean,
  owner = admin,
  of = application,
): Promise<Shown[]> {
  return until(async () => {
    const { data } = await owner.client.get(`/v1/applications/${of.id}/deliveries`);
    return wanted(data) && data;
  });
}

it('a change of members or roles is reported to the application', async () => {
  await install(admin, team, application);
  const guest = await signUp(server, 'Guest');
  const told = async (change: string) => (await host.next((call) => call.body?.change === change)).body;
  await join(admin, team, guest);
  await told('member_added');
  await admin.client.patch(`/v1/teams/${team}/users/${guest.id}`, { membership_type: 1 });
  await told('role_changed');
  await admin.client.delete(`/v1/teams/${team}/users/${guest.id}`);
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

it('an abandoned call has failed, and is not made again', async () => {
  // A server of its own: its time goes ahead, while the answer that will not come is still waited for.
  const other = await startTestServer({ CALLBACK_TIMEOUT: '60' });
  const owner = await signUp(other, 'Owner');
  const own = await register(owner, host);
  host.silent = true;
  const sent = owner.client.post(`/v1/applications/${own.id}/test_callback`);
  await host.next(({ path }) => path === '/install');
  const [pending] = await deliveriesOnce(() => true, owner, own);
  expect(pending).toMatchObject({ kind: 'test', status: 'pending', next_attempt_at: null });
  other.clock.advance(66);
  const [{ id }] = await deliveriesOnce((all) => all[0].status === 'failed', owner, own);
  const { data } = await owner.client.get(`/v1/applications/${own.id}/deliveries/${id}`);
  expect(data[0].attempts).toMatchObject([{ number: 1, reason: 'interrupted', response: null }]);
  expect(host.received).toHaveLength(1);
  await host.stop();
  await sent;
  await other.stop();
});

it('calls that are over are kept for some days, and those still to be made until then', async () => {
  const other = await startTestServer(
    { DELIVERY_RETENTION: '1', SESSION_LIFETIME: '864000' },
    { housekeepingMs: 100 },
  );
  const owner = await signUp(other, 'Owner');
  const own = await register(owner, host);
  const kinds = async () =>
    (await owner.client.get(`/v1/applications/${own.id}/deliveries`)).data.map(({ kind }) => kind);
  await owner.client.post(`/v1/applications/${own.id}/test_callback`);
  const ownTeam = await makeTeam(owner);
  await install(owner, ownTeam, own);
  host.status = 500;
  await owner.client.delete(`/v1/teams/${ownTeam}/applications/${own.id}`);
  await deliveriesOnce((all) => all[0].num_attempts > 0, owner, own);
  other.clock.advance(0.9 * 86_400);
  expect(await kinds()).toEqual(['uninstall', 'install', 'test']);
  other.clock.advance(0.2 * 86_400);
  await until(async () => (await kinds()).length <= 1);
  expect(await kinds()).toEqual(['uninstall']);
  await other.stop();
});

it('a delivery hides the secret, also one that the application sends back', async () => {
  const echo = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { client_secret } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    response.writeHead(500, { 'x-secret': client_secret }).end(`I know ${client_secret}`);
  });
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`;
  const own = await register(admin, host, { preinstall_url: `${url}/install` });
  const { data, text } = await admin.client.post(`/v1/applications/${own.id}/test_callback`);
  echo.close();
  const { request, response } = data[0].attempts[0];
  expect(text).not.toContain(own.secret);
  expect(JSON.parse(request.body).client_secret).toBe('(hidden)');
  expect([response.body, response.headers['x-secret']]).toEqual(['I know (hidden)', '(hidden)']);
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

it('deliveries of one team are for the owner, and for that team’s admins', async () => {
  const owner = await signUp(server, 'Owner');
  const listed = await register(owner, host);
  await install(admin, team, listed);
  const other = await signUp(server, 'Other');
  const otherTeam = await makeTeam(other);
  await install(other, otherTeam, listed);
  const list = async (person: Person, of: string) => {
    const { code, data } = await person.client.get(`/v1/applications/${listed.id}/deliveries?team=${of}`);
    return code ?? data.map((delivery) => delivery.team);
  };
  expect(await list(owner, team)).toEqual([team]);
  expect(await list(admin, team.toUpperCase())).toEqual([team]);
  expect(await list(admin, otherTeam)).toBe(4040);
  expect(await list(other, otherTeam)).toEqual([otherTeam]);
  expect(await list(member, team)).toBe(4040);
  expect(await list(owner, 'x')).toBe(4040);
});

it('a team’s list holds all that its page shows', async () => {
  const shown = await register(admin, host, { description: 'Tracks', icon: '🧭', scopes: ['messages:read'] });
  await install(admin, team, shown);
  host.status = 500;
  await attempt();
  const { data } = await member.client.get(`/v1/teams/${team}/applications`);
  expect(data).toMatchObject([
    { status: 'failed', reason: 'status_500', application: { id: application.id } },
    {
      status: 'active',
      reason: null,
      application: {
        name: 'Tracker',
        icon: '🧭',
        description: 'Tracks',
        scopes: ['messages:read'],
        base_url: `${host.url}/`,
      },
      installed_by: { id: admin.id, first_name: 'Admin', last_name: 'Test' },
      created_at: expect.any(Number),
    },
  ]);
});

describe('the event installation.updated', () => {
  const states = (stream: EventStream) =>
    stream
      .of('installation.updated')
      .map(({ data }) => [data.installation.application.id, data.installation.status]);

  it('announces each state to members, and to no others', async () => {
    const stranger = await EventStream.open((await signUp(server, 'Stranger')).client);
    const stream = await EventStream.open(member.client);
    host.beforeAnswer = () =>
      stream.until((events) => events.some(({ kind }) => kind === 'installation.updated'));
    await install(admin, team, application);
    host.beforeAnswer = undefined;
    await admin.client.delete(`/v1/teams/${team}/applications/${application.id}`);
    host.status = 500;
    await attempt();
    // A marker behind them. Each event shows the state at the time of sending, so two may be alike.
    await admin.client.post('/v1/messages', { text: 'That was it.', addressed_teams: [team] });
    await stream.until((events) => events.some(({ kind }) => kind === 'message.created'));
    const seen = states(stream);
    expect(seen[0]).toEqual([application.id, 'pending']);
    expect(new Set(seen.map(([id]) => id))).toEqual(new Set([application.id]));
    expect(seen.length).toBe(5);
    const { data } = await member.client.get(`/v1/teams/${team}/applications`);
    expect(stream.of('installation.updated').at(-1)?.data).toEqual({ installation: data[0] });
    expect(stranger.of('installation.updated')).toEqual([]);
    stream.close();
    stranger.close();
  });
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
