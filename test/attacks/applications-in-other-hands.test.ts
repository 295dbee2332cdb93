/*
 * An application acts with what teams granted to its owner. A dismissed developer, a former owner, who held an account
 * before it was reset, and an administrator who takes an application go on or begin to read by it. It sleeps when its
 * hands change: until its owner has made a new secret, and an admin of each team has agreed again.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, it } from 'vitest';
import { CALLS_IN_TURN } from '../../src/api/index.ts';
import { MOST_OWNED } from '../../src/integration/applications/index.ts';
import type { Client } from '../support/client.ts';
import { countStatements } from '../support/counting.ts';
import { allPlaced, Feed, type Heard, pathOf, pullAll, subscribe } from '../support/feed.ts';
import {
  agreeAndOpen,
  authorize,
  install,
  join,
  makeTeam,
  type Person,
  type RegisteredApplication,
  register,
  signUp,
} from '../support/people.ts';
import { scene } from '../support/scene.ts';
import { runSql } from '../support/tables.ts';
import { until } from '../support/until.ts';

const { server, host, root, dev, eve, ada, bob } = scene({
  people: ['Root', 'Dev', 'Eve', 'Ada', 'Bob'],
  options: { housekeepingMs: 50, workerIntervalMs: 20 },
});
const SCOPES = ['messages:read', 'messages:write'];
let team: string;
let app: RegisteredApplication;

beforeEach(async () => {
  host.clear();
  team = await makeTeam(ada, [bob]);
  app = await register(dev, host, { scopes: SCOPES, team_update_url: `${host.url}/team_update` });
  await install(ada, team, app);
});

const ownToken = (of = app, inTeam = team) =>
  of.credentials.ask('POST', '/v1/oauth2/token', {
    form: { grant_type: 'client_credentials', team: inTeam },
  });
const give = (to: Person, id = app.id) =>
  root.client.put(`/v1/admin/applications/${id}/owner`, { user: to.id });
const testApp = (of = app) =>
  server.anonymous().get(`/v1/oauth2/test/app?client_id=${of.id}&client_secret=${of.secret}`);
const problemOf = ({ body }: { body: { errors?: { code: number; reason?: string }[] } }) =>
  body.errors?.map(({ code, reason }) => [code, reason])[0];
const SUSPENDED = [4030, 'application_suspended'];
const post = async (text: string): Promise<string> =>
  (await ada.client.post('/v1/messages', { text, addressed_teams: [team] })).data[0].id;
const installation = async (admin = ada) =>
  (await admin.client.get(`/v1/teams/${team}/applications`)).data.find(
    ({ application }) => application.id === app.id,
  );
const confirm = (fields: object = {}) =>
  ada.client.put(`/v1/teams/${team}/applications/${app.id}/scopes`, { scopes: SCOPES, ...fields });

async function takeOver(owner: Person, of = app): Promise<RegisteredApplication & { keys: object[] }> {
  const answer = await owner.client.post(`/v1/applications/${of.id}/secret`, { overlap_seconds: 3600 });
  expect(answer.status).toBe(200);
  const { client_secret: secret, webhook_keys: keys } = answer.data[0];
  return { ...of, secret, keys, credentials: owner.client.withCredentials(of.id, secret) };
}

/** What an application that sleeps is answered. */
async function expectAsleep(of: RegisteredApplication, tokens: readonly Client[]): Promise<void> {
  for (const token of tokens) {
    expect(problemOf(await token.get('/v1/oauth2/test/app_as_user'))).toEqual([4012, 'access_denied']);
    expect(problemOf(await token.get('/v1/users/me/teams'))).toEqual([4012, 'access_denied']);
  }
  expect(problemOf(await testApp(of))).toEqual(SUSPENDED);
  const objects = `/v1/applications/${of.id}/objects`;
  const object = { name: 'Task', team, type: 'task', url: '/1' };
  expect(problemOf(await of.credentials.post(objects, object))).toEqual(SUSPENDED);
  expect(problemOf(await of.credentials.get(`/v1/applications/${of.id}/subscriptions`))).toEqual(SUSPENDED);
  const refused = await ownToken(of);
  expect([refused.status, refused.body]).toEqual([400, { error: 'unauthorized_client' }]);
  // A wrong secret learns nothing.
  expect((await testApp({ ...of, secret: crypto.randomUUID() })).code).toBe(4010);
  expect(problemOf(await bob.client.get(`/v1/applications/${of.id}/open?team=${team}`))).toEqual(SUSPENDED);
  const asked = `/v1/oauth2/authorize?response_type=code&client_id=${of.id}&redirect_uri=${of.redirectUri}`;
  expect(problemOf(await bob.client.get(asked))).toEqual(SUSPENDED);
}

async function tokensOf(of: RegisteredApplication): Promise<Client[]> {
  const { access_token } = await authorize(bob, team, of);
  const own = (await ownToken(of)).body.access_token as string;
  return [server.anonymous().withToken(access_token), server.anonymous().withToken(own)];
}

describe('an application that is handed over (claim: hands-change-suspends)', () => {
  it('sleeps until its new owner has a new secret, and the team has agreed again', async () => {
    const tokens = await tokensOf(app);
    const before = await post('before');
    expect((await tokens[1]?.get(`/v1/messages/${before}`))?.status).toBe(200);

    expect((await give(eve)).data[0].suspension).toMatchObject({ awaits_owner: 'owner_changed' });
    await expectAsleep(app, tokens);
    // The former owner has no way back; the new one changes nothing in secret but by taking over.
    expect((await dev.client.get(`/v1/applications/${app.id}`)).code).toBe(4040);
    expect(problemOf(await eve.client.post(`/v1/applications/${app.id}/test_callback`))).toEqual(SUSPENDED);

    const taken = await takeOver(eve);
    expect((await testApp(app)).code).toBe(4010);
    expect((await testApp(taken)).status).toBe(200);
    for (const token of tokens) expect((await token.get('/v1/users/me')).code).toBe(4012);
    // The team has agreed to Dev, and not to Eve.
    expect((await ownToken(taken)).body).toEqual({ error: 'unauthorized_client' });
    const opening = await bob.client.get(`/v1/applications/${app.id}/open?team=${team}`);
    expect(problemOf(opening)).toEqual([4030, 'application_unconfirmed']);
    const shown = await installation();
    expect(shown).toMatchObject({
      owner: { id: eve.id, name: 'Eve Test' },
      asleep_since: expect.any(Number),
    });
    expect(problemOf(await confirm({ owner: dev.id }))).toEqual([4090, 'other_owner']);
    expect((await confirm({ owner: eve.id })).data[0].asleep_since).toBe(null);
    expect((await ownToken(taken)).status).toBe(200);
    // People agreed to what Dev does: they are asked again.
    const asked = await bob.client.get(`/v1/applications/${app.id}/open?team=${team}`);
    expect(asked.headers.get('location')).toMatch(/^\/applications\//);
    expect(await agreeAndOpen(bob, team, app)).toContain('code=');
    for (const token of tokens) expect((await token.get('/v1/users/me')).code).toBe(4012);
  });

  it('gives an administrator who takes it no message (claim: taking-an-application-reads-nothing)', async () => {
    const message = await post('top secret of the team');
    await give(root);
    const taken = await takeOver(root);
    expect((await ownToken(taken)).body).toEqual({ error: 'unauthorized_client' });
    const hook = await root.client.post(`/v1/applications/${app.id}/subscriptions`, {
      kinds: ['message.posted'],
      webhook: { url: `${host.url}/mine` },
    });
    await root.client.patch(`/v1/applications/${app.id}`, { redirect_uris: [`${host.url}/mine`] });
    const pulled = await pullAll(taken.credentials, pathOf(app, hook.data[0].id), 'since=0');
    expect(JSON.stringify(pulled)).not.toContain('secret');
    expect((await root.client.get(`/v1/messages/${message}`)).code).toBe(4040);
    expect((await bob.client.get(`/v1/applications/${app.id}/open?team=${team}`)).code).toBe(4030);
    // An administrator cannot agree in the name of the team.
    const forced = await root.client.put(`/v1/teams/${team}/applications/${app.id}/scopes`, {
      scopes: SCOPES,
    });
    expect(forced.code).toBe(4040);
    await post('and what comes later');
    await server.clock.advance(60);
    expect(host.received.filter(({ path }) => path === '/mine')).toEqual([]);
  });

  it('is told afterwards what happened meanwhile, signed with new keys', async () => {
    const made = await subscribe(app, { webhook: { url: `${host.url}/hook` } });
    const deaf = await register(dev, host, { team_update_url: 'http://127.0.0.1:9/update' });
    await install(ada, team, deaf);
    const stream = await Feed.open(app.credentials, pathOf(app, made.id), { consumer: 'live' });
    await give(eve);
    await stream.ended();
    const carol = await signUp(server, 'Carol');
    await post('while it slept');
    const invited = await ada.client.post(`/v1/teams/${team}/invitations`, { emails: [carol.email] });
    await carol.client.put(`/v1/invitations/${invited.data[0].token}`);
    const sent = (path: string) => host.received.filter((call) => call.path === path);
    // Longer than a call may be tried, and not as long as events are kept.
    server.clock.advance(3 * 86_400);
    const updatesOf = ({ id }: { id: string }, who: Person) =>
      who.client
        .get(`/v1/applications/${id}/deliveries`)
        .then(({ data }) => data.filter(({ kind }) => kind === 'team_update').map(({ status }) => status));
    await expect.poll(() => updatesOf(deaf, dev)).toEqual(['failed']);
    expect(await updatesOf(app, eve)).toEqual(['pending']);
    const taken = await takeOver(eve);
    expect([sent('/hook'), sent('/team_update')]).toEqual([[], []]);

    await confirm();
    const update = await host.next(({ path }) => path === '/team_update');
    expect(update.body.client_secret).toBe(taken.secret);
    const call = await host.next(({ path }) => path === '/hook');
    expect((call.body as Heard).data.message.text).toBe('while it slept');
    const [key] = taken.keys as { subscription: string; key: string }[];
    expect(key?.subscription).toBe(made.id);
    const signature = (secret: string) => {
      const at = new Date(Number(call.headers['webhook-timestamp']) * 1000);
      return new Webhook(secret).sign(call.headers['webhook-id'] as string, at, call.raw);
    };
    expect(call.headers['webhook-signature']).toBe(signature(key?.key as string));
  });

  describe('of which a team had an installation before', () => {
    const uninstall = () => ada.client.delete(`/v1/teams/${team}/applications/${app.id}`);
    const hook = { kinds: ['message.posted', 'installation.removed'], webhook: { url: '' } };
    const heardAt = (path: string) =>
      host.received.filter((call) => call.path === path).map(({ body }) => (body as Heard).type);
    /** Claims of cursors in a while in which nothing happens. */
    async function claims(): Promise<number> {
      const counting = countStatements(server.running.db);
      await pause(500);
      const texts = counting.stop().flatMap(({ texts }) => texts);
      return texts.filter((text) => /^update "event_cursors"/i.test(text)).length;
    }

    it('hears of the team again once that has installed it anew', async () => {
      hook.webhook.url = `${host.url}/anew`;
      const { id } = await subscribe(app, hook);
      await give(eve);
      const taken = await takeOver(eve);
      await uninstall();
      await install(ada, team, taken);
      await post('for the new hands');
      await expect.poll(() => heardAt('/anew')).toEqual(['installation.removed', 'message.posted']);
      const { events } = await pullAll(taken.credentials, pathOf(app, id));
      expect(events.map(({ type }) => type)).toEqual(heardAt('/anew'));
      expect(await claims()).toBe(0);
    });

    it('is not called, nor tried to be, while it sleeps there', async () => {
      hook.webhook.url = `${host.url}/asleep`;
      await uninstall();
      await install(ada, team, app);
      await subscribe(app, hook);
      await give(eve);
      await takeOver(eve);
      await post('while it sleeps');
      await allPlaced(server);
      expect(await claims()).toBe(0);
      expect(heardAt('/asleep')).toEqual([]);
      await confirm();
      await expect.poll(() => heardAt('/asleep')).toEqual(['message.posted']);
    });
  });

  it('is recorded, for the team as well', async () => {
    await give(eve);
    await takeOver(eve);
    await confirm();
    const { data } = await root.client.get(`/v1/admin/audit?target=${app.id}&limit=20`);
    expect(data.map(({ action }) => action)).toEqual(
      expect.arrayContaining([
        'application.owner_changed',
        'application.suspended',
        'application.taken_over',
      ]),
    );
    const { data: ofTeam } = await root.client.get(`/v1/admin/audit?team=${team}&action=application.`);
    expect(ofTeam.map(({ action, detail }) => [action, detail.why ?? detail.confirmed_owner])).toEqual([
      ['application.scopes_granted', eve.id],
      ['application.suspended', 'owner_changed'],
      ['application.installed', undefined],
    ]);
  });

  it('has what needs no agreement in a team that granted nothing', async () => {
    const plain = await register(dev, host);
    await install(ada, team, plain);
    await give(eve, plain.id);
    const taken = await takeOver(eve, plain);
    const { access_token } = await authorize(bob, team, taken);
    expect((await server.anonymous().withToken(access_token).get('/v1/users/me')).status).toBe(200);
  });

  it('can be installed by no team while it sleeps', async () => {
    await give(eve);
    const other = await makeTeam(ada);
    const refused = await ada.client.post(`/v1/teams/${other}/applications`, { application: app.id });
    expect(problemOf(refused)).toEqual(SUSPENDED);
    const { data } = await ada.client.get('/v1/directory');
    expect(data.map(({ id }) => id)).not.toContain(app.id);
  });

  it('stays as it is when it is given to its owner', async () => {
    expect((await give(dev)).data[0].suspension).toBe(null);
    expect((await testApp()).status).toBe(200);
  });
});

describe('the application of an owner', () => {
  it('whose account an administrator closes, or who closes it, sleeps (claim: hands-change-suspends)', async () => {
    const closings: ((person: Person) => Promise<{ status: number }>)[] = [
      (person) => root.client.patch(`/v1/admin/users/${person.id}`, { active: false }),
      (person) => person.client.post('/v1/users/me/deactivation', { password: 'a password of length' }),
    ];
    for (const close of closings) {
      const owner = await signUp(server, 'Owner');
      app = await register(owner, host, { scopes: SCOPES });
      await install(ada, team, app);
      const tokens = await tokensOf(app);
      expect((await close(owner)).status).toBe(200);
      await expectAsleep(app, tokens);
      expect(await installation()).toMatchObject({ owner: null, asleep_since: expect.any(Number) });
      // Waking it is no matter of administrators: its secret would be good again.
      const wake = await root.client.delete(`/v1/admin/applications/${app.id}/suspension`);
      expect(problemOf(wake)).toEqual([4090, 'awaits_owner']);
      await root.client.patch(`/v1/admin/users/${owner.id}`, { active: true });
      await expectAsleep(app, tokens);
    }
  });

  it('whose password was reset by mail sleeps, unless they keep it', async () => {
    for (const applications of ['end', 'keep']) {
      const owner = await signUp(server, 'Owner');
      app = await register(owner, host, { scopes: SCOPES });
      await install(ada, team, app);
      const tokens = await tokensOf(app);
      await server.anonymous().post('/v1/password_resets', { email: owner.email });
      const password = 'another password of length';
      const reset = await server
        .anonymous()
        .put(`/v1/password_resets/${await resetLinkOf(owner)}`, { password, applications });
      expect(reset.status).toBe(200);
      if (applications === 'keep') expect((await testApp()).status).toBe(200);
      else await expectAsleep(app, tokens);
    }
  });

  it('whose account was closed before there was this rule sleeps after the housekeeping', async () => {
    const owner = await signUp(server, 'Owner');
    app = await register(owner, host, { scopes: SCOPES });
    await install(ada, team, app);
    const tokens = await tokensOf(app);
    await runSql(server.running.db, 'UPDATE users SET active = 0 WHERE id = ?', [owner.id]);
    await expect.poll(async () => problemOf(await testApp())).toEqual(SUSPENDED);
    await expectAsleep(app, tokens);
  });
});

describe('an owner of very many applications', () => {
  it('leaves none awake (claim: hands-change-suspends)', async () => {
    const owner = await signUp(server, 'Owner');
    const made = [await register(owner, host), await register(owner, host)];
    const { db } = server.running;
    const [row] = await runSql<object>(db, 'SELECT * FROM applications WHERE id = ?', [made[0]?.id]);
    const columns = Object.keys(row ?? {});
    const values = columns.map((name) => (name === 'id' ? '?' : name));
    const copy = `INSERT INTO applications (${columns.join(', ')})
      SELECT ${values.join(', ')} FROM applications WHERE id = '${made[0]?.id}'`;
    await db.write(async (tx) => {
      const text = db.dialect === 'postgres' ? copy.replace('?', '$1') : copy;
      for (let n = 0; n < 1000; n++) await tx.all(text, [crypto.randomUUID()]);
    });
    await server.anonymous().post('/v1/password_resets', { email: owner.email });
    const reset = { password: 'another password of length', applications: 'end' };
    await server.anonymous().put(`/v1/password_resets/${await resetLinkOf(owner)}`, reset);
    for (const one of made) expect(problemOf(await testApp(one))).toEqual(SUSPENDED);
    const awake = 'SELECT id FROM applications WHERE owner_id = ? AND awaits_owner_since IS NULL';
    expect(await runSql(db, awake, [owner.id])).toEqual([]);
  });

  it('registers no more than are allowed, and may be given more (claim: applications-of-owner)', async () => {
    const owner = await signUp(server, 'Owner');
    for (let n = 1; n < MOST_OWNED; n++) await register(owner, host, { listed: false });
    const fields = {
      name: 'One more',
      base_url: host.url,
      preinstall_url: host.url,
      redirect_uris: [host.url],
    };
    const answers = await Promise.all([1, 2, 3].map(() => owner.client.post('/v1/applications', fields)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused && problemOf(refused)).toEqual([4090, 'too_many_applications']);
    expect((await give(owner)).status).toBe(200);
    const { data } = await owner.client.get('/v1/applications');
    expect(data).toHaveLength(MOST_OWNED + 1);
    for (const { id } of data.slice(0, 2)) await owner.client.delete(`/v1/applications/${id}`);
    expect((await owner.client.post('/v1/applications', fields)).status).toBe(200);
  });
});

describe('the operator’s decision', () => {
  it('puts an application to sleep, and wakes it as it was (claim: operator-suspends)', async () => {
    const tokens = await tokensOf(app);
    const path = `/v1/admin/applications/${app.id}/suspension`;
    const made = await subscribe(app, { webhook: { url: `${host.url}/decided` } });
    for (let n = 0; n < 2; n++)
      expect((await root.client.put(path)).data[0].suspension).toMatchObject({ by_operator: true });
    await expectAsleep(app, tokens);
    await post('meanwhile');
    const { data } = await root.client.get('/v1/admin/applications');
    expect(data.find(({ id }) => id === app.id).suspension).toMatchObject({ by_operator: true });
    // Its owner cannot end it by a new secret.
    const rotated = await dev.client.post(`/v1/applications/${app.id}/secret`, { overlap_seconds: 3600 });
    expect(rotated.status).toBe(200);
    await expectAsleep(app, tokens);
    for (let n = 0; n < 2; n++) expect((await root.client.delete(path)).data[0].suspension).toBe(null);
    expect((await testApp()).status).toBe(200);
    const refusals = await Promise.all(tokens.map(async (token) => (await token.get('/v1/users/me')).code));
    expect(refusals).not.toContain(4012);
    const call = await host.next((one) => one.path === '/decided');
    expect(call.body.data.message.text).toBe('meanwhile');
    expect(made.id).toBeDefined();
    expect((await root.client.put('/v1/admin/applications/nobody/suspension')).code).toBe(4040);
  });

  it('outlasts a take-over, and a take-over outlasts it', async () => {
    const path = `/v1/admin/applications/${app.id}/suspension`;
    await root.client.put(path);
    await give(eve);
    const taken = await takeOver(eve);
    expect(problemOf(await testApp(taken))).toEqual(SUSPENDED);
    await root.client.delete(path);
    expect((await testApp(taken)).status).toBe(200);
    await root.client.put(path);
    await give(dev);
    expect((await root.client.delete(path)).data[0].suspension).toMatchObject({ by_operator: false });
    expect(problemOf(await testApp(taken))).toEqual(SUSPENDED);
  });
});

describe('a call that waits for its turn (claim: calls-checked-in-turn)', () => {
  /** Takes the places of a person for calls. @returns what ends them */
  async function fillPlaces(person: Person): Promise<() => Promise<unknown>> {
    const { promise, resolve } = Promise.withResolvers<void>();
    host.beforeAnswer = ({ path }) => (path.startsWith('/hang') ? promise : Promise.resolve());
    const calls: Promise<unknown>[] = [];
    for (const place of Array(CALLS_IN_TURN.ofSource).keys()) {
      const { id } = await register(person, host, { preinstall_url: `${host.url}/hang${place}` });
      calls.push(person.client.post(`/v1/applications/${id}/test_callback`));
      await host.next(({ path }) => path === `/hang${place}`);
    }
    return () => {
      resolve();
      return Promise.all(calls);
    };
  }

  const deliveryOf = async (kind: string) => {
    const { data } = await dev.client.get(`/v1/applications/${app.id}/deliveries`);
    return data.find((one) => one.kind === kind).id as string;
  };
  const CALLS: [string, () => Promise<string>][] = [
    ['test', async () => 'test_callback'],
    ['redelivery', async () => `deliveries/${await deliveryOf('install')}/redeliver`],
  ];

  it.each(CALLS)('is not made for a former owner: a %s', async (_, path) => {
    const way = `/v1/applications/${app.id}/${await path()}`;
    const release = await fillPlaces(dev);
    const waiting = dev.client.post(way);
    await give(eve);
    const taken = await takeOver(eve);
    await eve.client.patch(`/v1/applications/${app.id}`, { preinstall_url: `${host.url}/of-eve` });
    await release();
    const refused = await waiting;
    expect(refused.code).toBe(4040);
    expect(refused.text).not.toContain(taken.secret);
    expect(host.received.filter(({ path }) => path === '/of-eve')).toEqual([]);
  });

  it.each(CALLS)('is not made by an application that is suspended meanwhile: a %s', async (_, path) => {
    const way = `/v1/applications/${app.id}/${await path()}`;
    const release = await fillPlaces(dev);
    const before = host.received.filter(({ path }) => path === '/install').length;
    const waiting = dev.client.post(way);
    await root.client.put(`/v1/admin/applications/${app.id}/suspension`);
    await release();
    expect(problemOf(await waiting)).toEqual(SUSPENDED);
    expect(host.received.filter(({ path }) => path === '/install')).toHaveLength(before);
  });

  it.each([
    ['who is no admin any more', 4030],
    ['whose account is closed', 4010],
  ])('installs nothing for somebody %s', async (what, code) => {
    const carl = await signUp(server, 'Carl');
    await join(ada, team, carl, 1);
    const other = await register(dev, host, { preinstall_url: `${host.url}/other` });
    const release = await fillPlaces(carl);
    const waiting = carl.client.post(`/v1/teams/${team}/applications`, { application: other.id });
    if (code === 4030) await ada.client.patch(`/v1/teams/${team}/users/${carl.id}`, { membership_type: 2 });
    else await root.client.patch(`/v1/admin/users/${carl.id}`, { active: false });
    await release();
    expect([what, (await waiting).code]).toEqual([what, code]);
    expect(host.received.filter(({ path }) => path === '/other')).toEqual([]);
  });

  it('and an installation does not end well whose installer’s account was closed meanwhile', async () => {
    const carl = await signUp(server, 'Carl');
    await join(ada, team, carl, 1);
    const other = await register(dev, host, { preinstall_url: `${host.url}/other` });
    const { promise, resolve } = Promise.withResolvers<void>();
    host.beforeAnswer = ({ path }) => (path === '/other' ? promise : Promise.resolve());
    const waiting = carl.client.post(`/v1/teams/${team}/applications`, { application: other.id });
    await host.next(({ path }) => path === '/other');
    await root.client.patch(`/v1/admin/users/${carl.id}`, { active: false });
    resolve();
    expect(problemOf(await waiting)).toEqual([4240, 'interrupted']);
    const { data } = await ada.client.get(`/v1/teams/${team}/applications`);
    expect(data.find(({ application }) => application.id === other.id).status).toBe('failed');
  });
});

describe('what a team told the former owner (claim: former-owner-told)', () => {
  const pathOfCalls = () => `/v1/applications/${app.id}/deliveries`;
  const lookAt = async (person: Person, kind: string) => {
    const { data } = await person.client.get(pathOfCalls());
    const { id } = data.find((one) => one.kind === kind);
    return { id, shown: await person.client.get(`${pathOfCalls()}/${id}`) };
  };
  const redeliver = (person: Person, id: string) => person.client.post(`${pathOfCalls()}/${id}/redeliver`);

  it('is neither shown nor sent to the new one', async () => {
    expect((await lookAt(dev, 'install')).shown.text).toContain('Ada');
    server.clock.advance(1);
    await give(eve);
    for (const takes of [false, true]) {
      if (takes) await takeOver(eve);
      const { id, shown } = await lookAt(eve, 'install');
      expect(shown.data[0].redacted).toBe(true);
      expect(shown.text).not.toContain('Ada');
      const refused = problemOf(await redeliver(eve, id));
      expect(refused).toEqual(takes ? [4030, 'application_unconfirmed'] : SUSPENDED);
    }
    await confirm();
    const { id, shown } = await lookAt(eve, 'install');
    expect(shown.text).not.toContain('Ada');
    // The team tells the new owner from now on.
    expect((await redeliver(eve, id)).status).toBe(200);
    expect((await lookAt(eve, 'install')).shown.text).toContain('Ada');
  });

  it('stays with the former one where the team has the application no more', async () => {
    await ada.client.delete(`/v1/teams/${team}/applications/${app.id}`);
    server.clock.advance(1);
    await give(eve);
    await takeOver(eve);
    const { id, shown } = await lookAt(eve, 'install');
    expect(shown.text).not.toContain('Ada');
    expect(problemOf(await redeliver(eve, id))).toEqual([4090, 'uninstalled']);
  });

  it('is not shown in lists of objects and installations', async () => {
    const objects = `/v1/applications/${app.id}/objects`;
    await app.credentials.post(objects, { name: 'Secret task', team, type: 'task', url: '/1' });
    const installations = `/v1/applications/${app.id}/installations`;
    expect((await dev.client.get(installations)).data[0].team.name).toBe('Team');
    await give(eve);
    const taken = await takeOver(eve);
    expect((await taken.credentials.get(objects)).data).toEqual([]);
    expect((await eve.client.get(installations)).data[0].team).toEqual({ id: team, name: '' });
    await confirm();
    expect((await taken.credentials.get(objects)).data.map(({ name }) => name)).toEqual(['Secret task']);
    expect((await eve.client.get(installations)).data[0].team.name).toBe('Team');
  });
});

/** Without a mail server, an administrator sees the mail. Resets are prepared in the background. */
const resetLinkOf = (person: Person): Promise<string> =>
  until(async () => {
    const { data } = await root.client.get('/v1/admin/mails?limit=200');
    const texts = data.filter(({ to }) => to === person.email).map(({ text }) => text);
    return texts.map((text) => /password_resets\/([\w-]+)/.exec(text)?.[1]).find(Boolean);
  });
