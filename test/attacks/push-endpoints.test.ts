/**
 * The attacker is any person with an account. They subscribe "devices" whose endpoints are programs on the server's machine
 * or in its network, other people's devices, or push services of their own that redirect, answer without end or not at
 * all: to read what is not theirs, or to keep notifications from the others.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Person, setUp, signUp } from '../support/people.ts';
import { freePort } from '../support/process.ts';
import { PushService, receiverKeys } from '../support/push-service.ts';
import { scene } from '../support/scene.ts';
import { startTestServer } from '../support/server.ts';
import { runSql } from '../support/tables.ts';
import { until } from '../support/until.ts';

const PATH = '/v1/users/me/push_subscriptions';
const OPTIONS = { workerIntervalMs: 20, lookup: async () => [{ address: '10.0.0.7' }] };
const { server, mallory, ada } = scene({
  people: ['Mallory', 'Ada'],
  environment: { CALLBACK_TIMEOUT: '2' },
  options: OPTIONS,
});
const service = new PushService();
beforeAll(() => service.start());
afterAll(() => service.stop());

const { public: keys } = receiverKeys();
const subscribe = (endpoint: string, given: object = keys) =>
  mallory.client.post(PATH, { endpoint, keys: given });

/** Pushes of one person wait for each other, and these hang. */
const signUpSome = (count: number) => Promise.all(Array.from({ length: count }, () => signUp(server)));

describe('an endpoint', () => {
  it('at an address of the network is refused, in any spelling (claim: push-endpoints)', async () => {
    for (const endpoint of [
      'https://10.0.0.1/push',
      'https://192.168.1.1/',
      'https://169.254.169.254/latest/meta-data/',
      'https://2852039166/latest/meta-data/',
      'https://[fd00:ec2::254]/',
      'https://[::ffff:10.0.0.1]/',
      'https://0.0.0.0/',
      'http://push.example.org/',
      'ftp://push.example.org/',
      'https://user@push.example.org/',
      'javascript:alert(1)',
      'push.example.org',
      `https://push.example.org/${'a'.repeat(2000)}`,
    ]) {
      const { body } = await subscribe(endpoint);
      expect([endpoint, body.errors?.[0].reason]).toEqual([endpoint, 'endpoint']);
    }
  });

  it('whose name leads into the network is not called', async () => {
    const [{ id }] = (await subscribe('https://push.example.org/internal')).data;
    await mallory.client.post(`${PATH}/${id}/test`);
    const isFailing = async () => (await mallory.client.get(PATH)).data.find((one) => one.id === id).failing;
    await until(isFailing);
    const waiting = 'SELECT id FROM pushes WHERE subscription_id = ?';
    expect(await runSql(server.running.db, waiting, [id])).toEqual([]);
    await mallory.client.delete(`${PATH}/${id}`);
  });

  it('on the machine itself is refused where people reach the server from elsewhere', async () => {
    const port = await freePort();
    const environment = {
      PORT: String(port),
      ALLOW_LOOPBACK_APPS: 'auto',
      BASE_URL: 'https://chat.example.org',
    };
    const open = await startTestServer(environment);
    const eve = await signUp(open, 'Eve', setUp(open));
    for (const endpoint of [`http://127.0.0.1:${port}/`, `https://localhost:${port}/`, 'https://127.1/']) {
      const { body } = await eve.client.post(PATH, { endpoint, keys });
      expect([endpoint, body.errors?.[0].reason]).toEqual([endpoint, 'endpoint']);
    }
    await open.stop();
  });

  it('with keys that are none is refused', async () => {
    for (const given of [
      { p256dh: 'BAAA', auth: keys.auth },
      { p256dh: Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)]).toString('base64url'), auth: keys.auth },
      { p256dh: keys.p256dh, auth: 'AAAA' },
    ]) {
      expect((await subscribe(`${service.url}/push/x`, given)).body.errors[0].reason).toBe('keys');
    }
  });

  it('of another person’s device is not taken over without the keys of that device', async () => {
    const device = service.device('of-ada');
    const [{ id }] = (await ada.client.post(PATH, device)).data;
    const taken = await subscribe(device.endpoint);
    expect(taken.body.errors).toMatchObject([{ code: 4090, reason: 'subscription' }]);
    await ada.client.post(`${PATH}/${id}/test`);
    await service.next('of-ada');
    const { status } = await mallory.client.delete(`${PATH}/${id}`);
    expect(status).toBe(404);
    expect((await mallory.client.post(`${PATH}/${id}/test`)).status).toBe(404);
  });
});

describe('a push service of the attacker', () => {
  let trap: Server;
  let numTrapped = 0;
  beforeAll(async () => {
    trap = createServer((_request, response) => {
      numTrapped++;
      response.end();
    });
    await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => void trap.close());

  it('that redirects leads nowhere', async () => {
    const id = await service.subscribe(mallory.client, 'redirects');
    const location = `http://127.0.0.1:${(trap.address() as AddressInfo).port}/`;
    service.answers.set('redirects', { status: 307, headers: { Location: location } });
    await mallory.client.post(`${PATH}/${id}/test`);
    await until(async () => (await mallory.client.get(PATH)).data.find((one) => one.id === id).failing);
    expect(numTrapped).toBe(0);
  });

  it('that does not answer delays no one else (claim: dead-push-services)', async () => {
    const good = await service.subscribe(ada.client, 'good');
    await ada.client.post(`${PATH}/${good}/test`);
    await service.next('good');
    const owners = await signUpSome(6);
    for (let device = 0; device < 18; device++) {
      const { client } = owners[device % owners.length] as Person;
      const id = await service.subscribe(client, `dead-${device}`);
      service.silent.add(`dead-${device}`);
      await client.post(`${PATH}/${id}/test`);
    }
    const before = service.numRequests;
    await ada.client.post(`${PATH}/${good}/test`);
    await service.next('good', 2);
    // The places of those that do not answer are taken, and no more of them: the good one did not wait for any.
    expect(service.numRequests - before).toBeLessThanOrEqual(9);
  });
});

describe('many devices at one host', () => {
  it('leave places to devices at others, and are pushed to in turn (claim: push-host-places)', async () => {
    const crowded = await new PushService().start();
    const names = Array.from({ length: 12 }, (_, at) => `crowd-${at}`);
    const gate = Promise.withResolvers<void>();
    const owners = await signUpSome(4);
    for (const [at, name] of names.entries()) {
      crowded.meanwhile.set(name, () => gate.promise);
      const { client } = owners[at % owners.length] as Person;
      await client.post(`${PATH}/${await crowded.subscribe(client, name)}/test`);
    }
    await until(() => crowded.numRequests === 3);
    // It has not answered yet, so it has to share the places of the crowd.
    const id = await service.subscribe(ada.client, 'newcomer');
    await ada.client.post(`${PATH}/${id}/test`);
    await service.next('newcomer');
    gate.resolve();
    for (const name of names) await crowded.next(name);
    expect(crowded.mostAtOnce).toBeLessThanOrEqual(16);
    await crowded.stop();
  });
});

describe('devices of one person at many hosts', () => {
  it('have two pushes under way, and delay nobody else (claim: calls-of-one-owner)', async () => {
    // None of them ends while the test goes on, however slow the machine is.
    const patient = await startTestServer({ CALLBACK_TIMEOUT: '60' }, OPTIONS);
    const hosts = await Promise.all(Array.from({ length: 9 }, () => new PushService().start()));
    const [{ client }, near] = [await signUp(patient), await signUp(patient)];
    for (const [at, host] of hosts.entries()) {
      host.silent.add(`far-${at}`);
      await client.post(`${PATH}/${await host.subscribe(client, `far-${at}`)}/test`);
    }
    const id = await service.subscribe(near.client, 'near');
    await near.client.post(`${PATH}/${id}/test`);
    await service.next('near');
    expect(hosts.filter(({ numRequests }) => numRequests > 0).length).toBeLessThanOrEqual(2);
    await Promise.all(hosts.map((host) => host.stop()));
    await patient.stop();
  });
});

describe('a thousand devices', () => {
  it('are twenty: the oldest are forgotten (claim: most-devices)', async () => {
    const devices = Array.from({ length: 1000 }, (_, at) => `https://push.example.org/${at}`);
    for (let at = 0; at < devices.length; at += 50) {
      await Promise.all(devices.slice(at, at + 50).map((endpoint) => subscribe(endpoint)));
    }
    expect((await mallory.client.get(PATH)).data.length).toBe(20);
  });
});
