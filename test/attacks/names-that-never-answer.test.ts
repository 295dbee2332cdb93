/*
 * The attacker is any developer. Addresses of theirs have names that no name server answers for, or lead to hosts that hang,
 * and they have the server call them, by all ways that they find, so that nobody else's calls are made. Names are resolved
 * without the few threads that the system has for it, and calls take turns by the owner of the address.
 */
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { subscribe } from '../support/feed.ts';
import { NameServer } from '../support/name-server.ts';
import { ApplicationHost, install, makeTeam, type Person, register, signUp } from '../support/people.ts';
import { scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

const names = await new NameServer().start();
afterAll(() => names.stop());
const { server, host, mallory, ada } = scene({
  people: ['Mallory', 'Ada'],
  environment: { DNS_SERVERS: names.address, CALLBACK_TIMEOUT: '60' },
});
const silent: ApplicationHost[] = [];
afterEach(async () => {
  for (const one of silent.splice(0)) await one.stop();
});

async function hanging(): Promise<ApplicationHost> {
  const one = await new ApplicationHost().start();
  one.silent = true;
  silent.push(one);
  return one;
}

/** An application that is called at one address. */
async function calledAt(owner: Person, preinstall_url: string): Promise<string> {
  return (await register(owner, host, { preinstall_url })).id;
}

const test = (owner: Person, id: string) => owner.client.post(`/v1/applications/${id}/test_callback`);
const reasonOf = async (owner: Person, id: string) => (await test(owner, id)).data[0].attempts[0].reason;

describe('60 tests of one developer', () => {
  it('delay no test of another one where the name is never answered (claim: calls-of-one-owner)', async () => {
    const answer = names.hold('never.example');
    const bad = await calledAt(mallory, 'https://app.never.example/');
    const good = await calledAt(ada, `${host.url}/good`);
    names.know('good.example', { A: ['127.0.0.1'] });
    const named = await calledAt(ada, `https://good.example:${new URL(host.url).port}/`);
    const order: string[] = [];
    const refused: (string | null)[] = [];
    const flood = Array.from({ length: 60 }, async () => {
      const { status, headers, body } = await test(mallory, bad);
      if (status !== 429) return void order.push(`mallory ${status}`);
      expect(body.errors[0]).toMatchObject({ code: 4290, reason: 'calls' });
      refused.push(headers.get('retry-after'));
    });
    await until(() => refused.length === 50 && names.timesAsked('app.never.example') > 0);
    expect(refused.every((seconds) => Number(seconds) > 0)).toBe(true);
    expect((await test(ada, good)).data[0].status).toBe('delivered');
    // It was resolved and connected to, but speaks no TLS.
    expect(await reasonOf(ada, named)).toBe('tls');
    order.push('ada');
    answer();
    await Promise.all(flood);
    expect(order[0]).toBe('ada');
    expect(order.slice(1)).toEqual(Array.from({ length: 10 }, () => 'mallory 200'));
    // A refused test has left nothing.
    const { data } = await mallory.client.get(`/v1/applications/${bad}/deliveries?limit=50`);
    expect(data).toHaveLength(10);
  });

  it('have two calls under way where the host hangs, with redeliveries and installations', async () => {
    const far = await hanging();
    const bad = await register(mallory, far);
    const team = await makeTeam(mallory);
    const waiting = Array.from({ length: 8 }, () => test(mallory, bad.id));
    const installing = mallory.client.post(`/v1/teams/${team}/applications`, { application: bad.id });
    await until(() => far.received.length === 2);
    expect((await test(ada, await calledAt(ada, `${host.url}/good`))).data[0].status).toBe('delivered');
    expect(far.received).toHaveLength(2);
    await far.stop();
    const outcomes = await Promise.all([...waiting, installing]);
    expect(outcomes.map(({ status }) => status)).toEqual([...waiting.map(() => 200), 424]);
    const { id } = outcomes[0]?.data[0] ?? {};
    const again = await mallory.client.post(`/v1/applications/${bad.id}/deliveries/${id}/redeliver`);
    expect(again.data[0].attempts).toHaveLength(2);
  });
});

describe('many applications of one developer, whose hosts hang (claim: calls-of-one-owner)', () => {
  const MANY = 40;

  it('delay no notice of a change in a team to another one', async () => {
    const far = await hanging();
    far.silent = false;
    const member = await signUp(server, 'Member');
    const teams: string[] = [];
    for (let n = 0; n < MANY; n++) {
      const bad = await register(mallory, far, { team_update_url: `${far.url}/team` });
      teams.push(await makeTeam(mallory, [member]));
      await install(mallory, teams[n] as string, bad);
    }
    const near = await new ApplicationHost().start();
    silent.push(near);
    const team = await makeTeam(ada, [member]);
    await install(ada, team, await register(ada, near, { team_update_url: `${near.url}/team` }));
    far.clear();
    far.silent = true;
    for (const one of teams)
      await mallory.client.patch(`/v1/teams/${one}/users/${member.id}`, { membership_type: 1 });
    await ada.client.patch(`/v1/teams/${team}/users/${member.id}`, { membership_type: 1 });
    await near.next(({ path }) => path === '/team');
    expect(far.received.length).toBeLessThanOrEqual(2);
  });

  it('delay no event to the webhook of another one', async () => {
    const far = await hanging();
    const team = await makeTeam(mallory);
    for (let n = 0; n < MANY; n++) {
      const bad = await register(mallory, host, { scopes: ['messages:read'] });
      await install(mallory, team, bad);
      await subscribe(bad, { webhook: { url: `${far.url}/events` } });
    }
    const near = await register(ada, host, { scopes: ['messages:read'] });
    const theirs = await makeTeam(ada);
    await install(ada, theirs, near);
    await subscribe(near, { webhook: { url: `${host.url}/events` } });
    await mallory.client.post('/v1/messages', { text: 'far', addressed_teams: [team] });
    await until(() => far.received.length > 0);
    await ada.client.post('/v1/messages', { text: 'near', addressed_teams: [theirs] });
    await host.next(({ path }) => path === '/events');
    expect(far.received.length).toBeLessThanOrEqual(6);
  });
});

describe('receivers of one developer that hang, on every road (claim: calls-of-one-owner)', () => {
  it('have a number of calls under way that other roads do not raise, and delay no call to others', async () => {
    const far = await hanging();
    far.silent = false;
    const member = await signUp(server, 'Member');
    const admins = await Promise.all(Array.from({ length: 16 }, () => signUp(server, 'Admin')));
    const [first, ...rest] = await Promise.all(admins.map((admin) => makeTeam(admin)));
    const teams = [first as string, ...rest];
    const heard = await makeTeam(mallory, [member]);
    for (let n = 0; n < 4; n++) {
      const scopes = ['messages:read'];
      const bad = await register(mallory, far, { team_update_url: `${far.url}/team`, scopes });
      await install(mallory, heard, bad);
      await subscribe(bad, { webhook: { url: `${far.url}/events` } });
    }
    const popular = await register(mallory, far);
    const near = await register(ada, host);
    far.clear();
    far.silent = true;
    // Notices, events and installations, the last ones by people who have nothing to do with the developer.
    await mallory.client.patch(`/v1/teams/${heard}/users/${member.id}`, { membership_type: 1 });
    await mallory.client.post('/v1/messages', { text: 'far', addressed_teams: [heard] });
    const installing = admins.map(({ client }, at) =>
      client.post(`/v1/teams/${teams[at]}/applications`, { application: popular.id }),
    );
    await until(() => far.received.filter(({ path }) => path === '/install').length >= 4);
    await install(ada, await makeTeam(ada), near);
    const [mine] = admins as [Person];
    expect((await mine.client.post(`/v1/teams/${first}/applications`, { application: near.id })).status).toBe(
      200,
    );
    expect(far.received.length).toBeLessThanOrEqual(12);
    await far.stop();
    expect((await Promise.all(installing)).map(({ status }) => status)).not.toContain(500);
  });
});

describe('a name', () => {
  it('that does not exist is asked for once a minute (claim: failed-names-kept)', async () => {
    const id = await calledAt(ada, 'https://missing.example/');
    for (let n = 0; n < 3; n++) expect(await reasonOf(ada, id)).toBe('dns');
    expect(names.timesAsked('missing.example')).toBe(1);
    server.clock.advance(61);
    expect(await reasonOf(ada, id)).toBe('dns');
    expect(names.timesAsked('missing.example')).toBe(2);
  });

  it('of this machine works, and no name server is asked', async () => {
    const { port } = new URL(host.url);
    for (const name of ['localhost', 'app.localhost'])
      expect(await reasonOf(ada, await calledAt(ada, `http://${name}:${port}/`))).toBe(null);
    expect(names.asked.filter((one) => one.name.endsWith('localhost'))).toEqual([]);
  });

  it('that leads into the network is refused, also as one of several addresses', async () => {
    names.know('inside.example', { A: ['10.0.0.1'] });
    names.know('mixed.example', { A: ['127.0.0.1'], AAAA: ['fd00::1'] });
    for (const name of ['inside.example', 'mixed.example'])
      expect(await reasonOf(ada, await calledAt(ada, `https://${name}/`))).toBe('refused_address');
  });

  it('that changes with each answer leads nowhere else between check and use', async () => {
    const port = new URL(host.url).port;
    const id = await calledAt(ada, `https://rebound.example:${port}/`);
    names.know('rebound.example', { A: ['127.0.0.1'], ttl: 0 });
    expect(await reasonOf(ada, id)).toBe('tls');
    // One look-up, whose addresses were both checked and used.
    expect(names.timesAsked('rebound.example')).toBe(1);
    names.know('rebound.example', { A: ['10.0.0.1'], ttl: 0 });
    server.clock.advance(10);
    expect(await reasonOf(ada, id)).toBe('refused_address');
    expect(names.timesAsked('rebound.example')).toBe(2);
  });
});
