/*
 * What is decided now and carried out later is outdated by then: an address that was changed because its host is somebody
 * else's, a name that a person no longer bears, a notification that its reader does not want any more, an archive that a
 * thief goes on to read. docs/security.md lists what waits, and what is checked when it is delivered.
 */
import { randomBytes } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { CALLS_OF_OWNER, callTurns } from '../../src/platform/outbound/index.ts';
import { subscribe } from '../support/feed.ts';
import {
  ApplicationHost,
  install,
  join,
  makeTeam,
  type Person,
  type Received,
  type RegisteredApplication,
  register,
  signUp,
} from '../support/people.ts';
import { PushService } from '../support/push-service.ts';
import { scene } from '../support/scene.ts';
import { runSql } from '../support/tables.ts';
import { until } from '../support/until.ts';

const turns = callTurns(600_000);
const { server, host, ada, ben, dev } = scene({
  people: ['Ada', 'Ben', 'Dev'],
  options: { workerIntervalMs: 20, callTurns: turns },
});
const elsewhere = new ApplicationHost();
const service = new PushService();
let team: string;
let app: RegisteredApplication;

beforeAll(async () => {
  await elsewhere.start();
  await service.start();
});
afterAll(async () => {
  await elsewhere.stop();
  await service.stop();
});
beforeEach(async () => {
  host.clear();
  elsewhere.clear();
  team = await makeTeam(ada, [ben], 'Design');
  app = await register(dev, host, { scopes: ['messages:read'], team_update_url: `${host.url}/team` });
  await install(ada, team, app);
});

const post = async (fields: object): Promise<string> =>
  (await ada.client.post('/v1/messages', fields)).data[0].id;
const deliveries = async (of = app) => (await dev.client.get(`/v1/applications/${of.id}/deliveries`)).data;
/** Until a call of a kind has failed. */
const failedCall = (kind: string) =>
  until(async () => (await deliveries()).find((one) => one.kind === kind && one.num_attempts > 0));
/** Lets time pass until a call arrives. */
const later = (to: ApplicationHost, fits: (call: Received) => boolean) =>
  until(() => {
    const call = to.received.find(fits);
    if (!call) server.clock.advance(5);
    return call;
  });
const change = (fields: object) => dev.client.patch(`/v1/applications/${app.id}`, fields);
const uninstall = () => ada.client.delete(`/v1/teams/${team}/applications/${app.id}`);

describe('a call that failed (claim: calls-to-current-address)', () => {
  it('goes to the address that the application has by then, as the log tells', async () => {
    host.status = 500;
    await uninstall();
    const { id } = await failedCall('uninstall');
    expect((await change({ uninstall_url: `${elsewhere.url}/gone` })).status).toBe(200);
    host.clear();
    const call = await later(elsewhere, ({ path }) => path === '/gone');
    expect(call.headers['webhook-id']).toBe(id);
    await until(async () => (await deliveries()).find((one) => one.id === id).status === 'delivered');
    expect(host.received).toEqual([]);
    const { data } = await dev.client.get(`/v1/applications/${app.id}/deliveries/${id}`);
    expect(data[0].attempts.map(({ request }: { request: { url: string } }) => request.url)).toEqual([
      `${elsewhere.url}/gone`,
      ...data[0].attempts.slice(1).map(() => `${host.url}/uninstall`),
    ]);
    expect(data[0].attempts.length).toBeGreaterThan(1);
  });

  it('is made no more without an address, and by hand neither', async () => {
    host.status = 500;
    await join(ada, team, await signUp(server, 'Guest'));
    const { id } = await failedCall('team_update');
    expect((await change({ team_update_url: null })).status).toBe(200);
    host.clear();
    await until(async () => {
      server.clock.advance(5);
      return (await deliveries()).find((one) => one.id === id).status === 'failed';
    });
    const path = `/v1/applications/${app.id}/deliveries/${id}`;
    const [last] = (await dev.client.get(path)).data[0].attempts;
    expect(last).toMatchObject({ reason: 'address_removed', response: null });
    expect((await dev.client.post(`${path}/redeliver`)).data[0].attempts[0].reason).toBe('address_removed');
    expect(host.received).toEqual([]);
  });

  it('goes by hand to the new address, too', async () => {
    await uninstall();
    const { id } = await failedCall('uninstall');
    await until(async () => (await deliveries()).find((one) => one.id === id).status === 'delivered');
    await change({ uninstall_url: `${elsewhere.url}/gone` });
    host.clear();
    await dev.client.post(`/v1/applications/${app.id}/deliveries/${id}/redeliver`);
    expect(elsewhere.received.map(({ path }) => path)).toEqual(['/gone']);
    expect(host.received).toEqual([]);
  });
});

it('a call about a member has the name that they bear by then (claim: calls-name-people-as-now)', async () => {
  const guest = await signUp(server, 'Formerly');
  host.status = 500;
  await join(ada, team, guest);
  await failedCall('team_update');
  await guest.client.patch('/v1/users/me', { first_name: 'Nowadays' });
  host.clear();
  const { body } = await later(host, ({ path }) => path === '/team');
  expect(body).toMatchObject({ change: 'member_added', user: { id: guest.id, first_name: 'Nowadays' } });
  expect(JSON.stringify(body)).not.toContain('Formerly');
});

describe('a push that failed (claim: pushes-checked-when-sent)', () => {
  let device: string;
  let devices = 0;
  beforeEach(async () => {
    const level = [{ team, level: 'mentions' }];
    await ben.client.patch('/v1/users/me/push_settings', { direct: true, content: 'all', teams: level });
    device = `ben-${++devices}`;
    await service.subscribe(ben.client, device);
  });

  /** A mention whose first push is refused for now. */
  async function mention(): Promise<void> {
    const { username } = (await ben.client.get('/v1/users/me')).data[0];
    service.answers.set(device, { status: 503 });
    const refused = new Promise<void>((resolve) => {
      service.meanwhile.set(device, async () => resolve());
    });
    await post({ text: `@${username} the secret plan`, addressed_teams: [team] });
    await refused;
    service.answers.delete(device);
    service.meanwhile.delete(device);
  }

  /** @returns the titles and texts that a device got before a direct message that comes last */
  async function told(): Promise<string> {
    await ben.client.patch('/v1/users/me/push_settings', { direct: true });
    const mark = await post({ text: 'the mark', addressed_users: [ben.id] });
    const isMark = ({ content }: { content: { url?: string } }) => content.url === `/messages/${mark}`;
    await until(() => {
      server.clock.advance(5);
      return service.to(device).some(isMark);
    });
    return JSON.stringify(service.to(device).filter((one) => !isMark(one)));
  }

  it('comes later where nothing has changed', async () => {
    await mention();
    expect(await told()).toContain('the secret plan');
  });

  it('does not come where its reader wants none of that team by then', async () => {
    await mention();
    await ben.client.patch('/v1/users/me/push_settings', { teams: [{ team, level: 'nothing' }] });
    expect(await told()).toBe('[]');
  });

  it('shows no more than its reader wants by then', async () => {
    await mention();
    await ben.client.patch('/v1/users/me/push_settings', { content: 'none' });
    expect(await told()).not.toContain('secret');
  });

  it('does not come to somebody who has left the team', async () => {
    await mention();
    // They may still write to each other.
    await makeTeam(ada, [ben], 'Elsewhere');
    await ada.client.delete(`/v1/teams/${team}/users/${ben.id}`);
    expect(await told()).toBe('[]');
  });

  it('and what a device shows of a team goes away with the membership', async () => {
    const { username } = (await ben.client.get('/v1/users/me')).data[0];
    await post({ text: `@${username} the secret plan`, addressed_teams: [team] });
    const { content } = await service.next(device);
    // Looked at once more, and at rest since.
    server.clock.advance(2);
    expect(await told()).toContain('the secret plan');
    await ada.client.delete(`/v1/teams/${team}/users/${ben.id}`);
    const withdrawn = await until(() => {
      server.clock.advance(1);
      return service.to(device).find(({ content: sent }) => sent.kind === 'read');
    });
    expect(withdrawn?.content).toEqual({ kind: 'read', tag: content.tag });
  });
});

it('events that wait behind a slow call are read when it is their turn (claim: events-read-when-sent)', async () => {
  const made = await subscribe(app, { teams: [team], webhook: { url: `${host.url}/events` } });
  const go = Promise.withResolvers<void>();
  host.beforeAnswer = () => go.promise;
  const [, second] = [
    await post({ text: 'first', addressed_teams: [team] }),
    await post({ text: 'the secret plan', addressed_teams: [team] }),
    await post({ text: 'third', addressed_teams: [team] }),
  ];
  await host.next(({ path }) => path === '/events');
  await ada.client.delete(`/v1/messages/${second}`);
  server.clock.advance(2);
  await dev.client.patch(`/v1/applications/${app.id}/subscriptions/${made.id}`, {
    webhook: { url: `${elsewhere.url}/events` },
  });
  go.resolve();
  const third = await elsewhere.next(({ body }) => body?.data?.message?.text === 'third');
  expect(third.path).toBe('/events');
  const calls = host.received.filter(({ path }) => path === '/events');
  expect(calls.map(({ body }) => body.data.message.text)).toEqual(['first']);
  expect(JSON.stringify(elsewhere.received.map(({ body }) => body))).not.toContain('secret');
});

describe('while it waits for other calls of its owner (claim: calls-checked-in-turn)', () => {
  /** Takes all places of a person for calls. @returns what gives them back */
  function fillPlaces({ id }: Person): () => void {
    const gate = Promise.withResolvers<void>();
    for (let place = 0; place < CALLS_OF_OWNER; place++) void turns.run(id, () => gate.promise);
    return gate.resolve;
  }
  /** Until a call of a person waits for its turn, and long enough for what was read before. */
  async function waits({ id }: Person): Promise<void> {
    await until(() => turns.countOf(id) > CALLS_OF_OWNER);
    server.clock.advance(2);
  }
  const isDelivered = (kind: string) =>
    until(async () => (await deliveries()).find((one) => one.kind === kind && one.status === 'delivered'));

  it('a call goes to the address of its turn, with the secret of its turn', async () => {
    const release = fillPlaces(dev);
    await join(ada, team, await signUp(server, 'Guest'));
    await waits(dev);
    await change({ team_update_url: `${elsewhere.url}/team` });
    const { data } = await dev.client.post(`/v1/applications/${app.id}/secret`, { overlap_seconds: 0 });
    release();
    await isDelivered('team_update');
    expect(elsewhere.received.map(({ body }) => body.client_secret)).toEqual([data[0].client_secret]);
    expect(host.received.filter(({ path }) => path === '/team')).toEqual([]);
  });

  it('a call is not made to an application that is suspended, until it is woken', async () => {
    const release = fillPlaces(dev);
    await join(ada, team, await signUp(server, 'Guest'));
    await waits(dev);
    const suspension = `/v1/admin/applications/${app.id}/suspension`;
    expect((await ada.client.put(suspension)).status).toBe(200);
    release();
    await until(() => turns.countOf(dev.id) === 0);
    expect(host.received.filter(({ path }) => path === '/team')).toEqual([]);
    await ada.client.delete(suspension);
    await isDelivered('team_update');
    const { data } = await dev.client.get(`/v1/applications/${app.id}/deliveries`);
    expect(data.find((one) => one.kind === 'team_update').num_attempts).toBe(1);
  });

  it('events go to the address of their turn, signed with its key', async () => {
    const { id } = await subscribe(app, { teams: [team], webhook: { url: `${host.url}/turn` } });
    const release = fillPlaces(dev);
    // Calls about the tests before may wait as well.
    const others = turns.countOf(dev.id);
    await post({ text: 'waited', addressed_teams: [team] });
    await until(() => turns.countOf(dev.id) > others);
    server.clock.advance(2);
    const path = `/v1/applications/${app.id}/subscriptions/${id}`;
    await dev.client.patch(path, { webhook: { url: `${elsewhere.url}/turn` } });
    const { data } = await dev.client.post(`${path}/key`, { overlap_seconds: 0 });
    release();
    const { raw, headers } = await elsewhere.next((call) => call.path === '/turn');
    const seconds = Number(headers['webhook-timestamp']);
    const now = server.clock.now() / 1000;
    expect(Math.abs(now - seconds)).toBeLessThan(60);
    // By the server's clock, which the tests of this file may have put forward further than a receiver tolerates.
    vi.setSystemTime(server.clock.now());
    expect(() => new Webhook(data[0].key).verify(raw, headers as Record<string, string>)).not.toThrow();
    vi.useRealTimers();
    expect(host.received.filter((call) => call.path === '/turn')).toEqual([]);
  });

  it('neither a deleted text is sent, nor an event to an application that was uninstalled', async () => {
    await subscribe(app, { teams: [team], webhook: { url: `${host.url}/events` } });
    const release = fillPlaces(dev);
    const secret = await post({ text: 'the secret plan', addressed_teams: [team] });
    await waits(dev);
    await ada.client.delete(`/v1/messages/${secret}`);
    release();
    await until(() => turns.countOf(dev.id) === 0);
    const releaseAgain = fillPlaces(dev);
    await post({ text: 'for nobody', addressed_teams: [team] });
    await waits(dev);
    await uninstall();
    releaseAgain();
    await host.next(({ path }) => path === '/uninstall');
    await until(() => turns.countOf(dev.id) === 0);
    const told = JSON.stringify(host.received.filter(({ path }) => path === '/events'));
    expect(told).not.toContain('secret');
    expect(told).not.toContain('for nobody');
  });

  it('a push does not tell of a message that is deleted', async () => {
    const carl = await signUp(server, 'Carl');
    await join(ada, team, carl);
    await carl.client.patch('/v1/users/me/push_settings', { direct: true, content: 'all' });
    await service.subscribe(carl.client, carl.id);
    const release = fillPlaces(carl);
    const id = await post({ text: 'the secret plan', addressed_users: [carl.id] });
    await waits(carl);
    await ada.client.delete(`/v1/messages/${id}`);
    release();
    const mark = await post({ text: 'the mark', addressed_users: [carl.id] });
    await until(() => {
      server.clock.advance(1);
      return service.to(carl.id).some(({ content }) => content.url === `/messages/${mark}`);
    });
    expect(JSON.stringify(service.to(carl.id))).not.toContain('secret');
  });
});

describe('a download that is under way (claim: export-ends-with-session)', () => {
  /** A download whose reader takes nothing, until `rest` is called. */
  async function slowDownload({ client }: Person, path: string) {
    const request = get(`${server.url}${path}`, { headers: { cookie: client.cookie } });
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      request.once('response', resolve).once('error', reject),
    );
    expect(response.statusCode).toBe(200);
    response.pause();
    const begun = performance.now();
    /** @returns whether all of it came */
    return async () => {
      await until(() => performance.now() - begun > 1200);
      response.on('error', () => undefined).resume();
      await new Promise((resolve) => response.once('close', resolve));
      return response.complete;
    };
  }

  const NOISE = Array.from({ length: 450 }, () => crypto.randomUUID())
    .join('')
    .slice(0, 15_000);
  /** More than the buffers on the way hold. */
  async function uploadMuch({ client }: Person): Promise<void> {
    const form = new FormData();
    form.append('file', new Blob([randomBytes(20 * 1024 * 1024)]), 'noise');
    const headers = { cookie: client.cookie, origin: server.url };
    const sent = await fetch(`${server.url}/v1/attachments`, { method: 'POST', headers, body: form });
    expect(sent.status).toBe(200);
  }

  it('ends with the session that asked for it, and goes on where that lasts', async () => {
    const eve = await signUp(server, 'Eve');
    await uploadMuch(eve);
    const other = eve.client.copy();
    const whole = await slowDownload(eve, '/v1/users/me/export');
    expect(await whole()).toBe(true);
    const cut = await slowDownload(eve, '/v1/users/me/export');
    await other.delete('/v1/sessions/current');
    expect(await cut()).toBe(false);
  });

  it('of the audit log ends with the rights of an administrator', async () => {
    const row = `INSERT INTO audit_log (id, at, actor_kind, action, detail_json) VALUES (?, ?, 'system', 'x', ?)`;
    for (let n = 0; n < 700; n++)
      await runSql(server.running.db, row, [crypto.randomUUID(), n, JSON.stringify({ noise: NOISE })]);
    const path = '/v1/admin/audit/export';
    const other = (await signUp(server, 'Second')).id;
    await ada.client.patch(`/v1/admin/users/${other}`, { superuser: true });
    const cut = await slowDownload(ada, path);
    await runSql(server.running.db, 'UPDATE users SET superuser = 0 WHERE id = ?', [ada.id]);
    expect(await cut()).toBe(false);
    await runSql(server.running.db, 'UPDATE users SET superuser = 1 WHERE id = ?', [ada.id]);
    const foreign = await fetch(`${server.url}${path}`, {
      headers: { cookie: ada.client.cookie, 'sec-fetch-site': 'cross-site' },
    });
    expect(foreign.status).toBe(403);
  });
});
