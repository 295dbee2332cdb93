import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, it } from 'vitest';
import { ASK, press } from '../../../test/support/clicks.ts';
import { Feed } from '../../../test/support/feed.ts';
import { install, makeTeam, type RegisteredApplication, register } from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';

const { server, host, dev, ada, bob } = scene({ people: ['Dev', 'Ada', 'Bob'] });
let team: string;
let app: RegisteredApplication;
let path: string;

beforeEach(async () => {
  host.clear();
  team = await makeTeam(ada, [bob]);
  app = await register(dev, host, { name: 'Holidays', scopes: ['messages:read', 'messages:write'] });
  await install(ada, team, app);
  path = `/v1/applications/${app.id}`;
});

async function ask(): Promise<string> {
  const form = { grant_type: 'client_credentials', team };
  const { body } = await app.credentials.ask('POST', '/v1/oauth2/token', { form });
  const itself = server.anonymous().withToken(body.access_token);
  return (await itself.post('/v1/messages', { addressed_teams: [team], blocks: [ASK] })).data[0].id;
}
const statusOf = async (id: string, fields: object) => (await press(bob, id, fields)).data[0].status;

describe('the stream of an application (claim: own-stream)', () => {
  it('brings clicks without a subscription, and acknowledging one ends it', async () => {
    const message = await ask();
    const deaf = await press(bob, message);
    expect([deaf.code, deaf.body.errors[0].reason]).toEqual([4030, 'no_listener']);
    const feed = await Feed.open(app.credentials, path);
    expect(feed.begin).toBe('ready');
    const click = randomUUID();
    const { data } = await press(bob, message, { click });
    await feed.until((events) => events.length === 1);
    const [event] = feed.events;
    expect(event).toMatchObject({ type: 'interaction', data: { id: data[0].id, user: bob.id, team } });
    const done = `${path}/subscriptions/own/consumers/default/acknowledgements`;
    expect((await app.credentials.post(done, { events: [event?.id] })).data).toEqual([{ acknowledged: 1 }]);
    expect((await press(bob, message, { click })).data[0].status).toBe('done');
    feed.close();
  });

  it('goes on where it stopped, for a program that comes back', async () => {
    (await Feed.open(app.credentials, path)).close();
    const message = await ask();
    const [{ id }] = (await press(bob, message)).data;
    const feed = await Feed.open(app.credentials, path);
    await feed.until((events) => events.length === 1);
    expect(feed.events[0]?.data.id).toBe(id);
    feed.close();
  });

  it('is one, however many programs open it at the same moment', async () => {
    const feeds = await Promise.all([1, 2, 3, 4].map(() => Feed.open(app.credentials, path)));
    expect(feeds.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { data } = await app.credentials.get(`${path}/subscriptions`);
    expect(data).toMatchObject([
      {
        own: true,
        kinds: ['interaction', 'application.opened', 'direct.posted', 'direct.edited', 'direct.deleted'],
        teams: null,
        webhook: null,
      },
    ]);
    for (const feed of feeds) feed.close();
  });

  it('is for the application alone, and names no other one', async () => {
    const other = await register(dev, host);
    const refused = [
      await other.credentials.get(`${path}/stream`),
      await ada.client.get(`${path}/stream`),
      await dev.client.get(`${path}/stream`),
      await server.anonymous().get(`${path}/stream`),
    ];
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    expect((await app.credentials.get(`${path}/subscriptions/own`)).code).toBe(4040);
  });

  it('keeps what it hears, and can be paused, replayed and deleted as others', async () => {
    (await Feed.open(app.credentials, path)).close();
    const own = `${path}/subscriptions/own`;
    for (const change of [{ kinds: ['message.posted'] }, { teams: [team] }, { own_messages: true }])
      expect((await app.credentials.patch(own, change)).body.errors[0].reason).toBe('own_subscription');
    expect((await app.credentials.get(own)).data[0]).toMatchObject({ own: true, teams: null });
    expect((await app.credentials.delete(own)).status).toBe(200);
    const deaf = await press(bob, await ask());
    expect(deaf.body.errors[0].reason).toBe('no_listener');
  });
});

describe('the address for clicks', () => {
  it('is registered with the application, and called with each click', async () => {
    const url = `${host.url}/clicks`;
    const made = await dev.client.patch(path, { interaction_url: url });
    expect(made.data[0]).toMatchObject({ interaction_url: url, interaction_key: expect.any(String) });
    const [id, key] = [await ask(), made.data[0].interaction_key];
    const [click] = (await press(bob, id)).data;
    await expect.poll(() => host.received.filter(({ path: at }) => at === '/clicks').length).toBe(1);
    const [call] = host.received.filter(({ path: at }) => at === '/clicks');
    expect(call?.body.data.id).toBe(click.id);
    expect(() => new Webhook(key).verify(call?.raw ?? '', call?.headers as never)).not.toThrow();
    await expect.poll(() => statusOf(id, { action_id: 'no' })).toBe('pending');

    const shown = await dev.client.get(path);
    expect(shown.data[0].interaction_url).toBe(url);
    expect(shown.text).not.toContain(key);
    const listed = await dev.client.get('/v1/applications');
    expect(listed.data.find((one: { id: string }) => one.id === app.id).interaction_url).toBe(url);
  });

  it('can be changed and taken away; the key stays with the second address', async () => {
    const first = await dev.client.patch(path, { interaction_url: `${host.url}/one` });
    const second = await dev.client.patch(path, { interaction_url: `${host.url}/two` });
    expect(first.data[0].interaction_key).toMatch(/^whsec_/);
    expect(second.data[0]).not.toHaveProperty('interaction_key');
    const gone = await dev.client.patch(path, { interaction_url: null });
    expect(gone.data[0].interaction_url).toBeNull();
    const { data } = await app.credentials.get(`${path}/subscriptions`);
    expect(data).toMatchObject([{ own: true, webhook: null }]);
  });

  it('is given at the registration as well', async () => {
    const fields = { name: 'Poll', redirect_uris: [`${host.url}/r`], base_url: host.url };
    const made = await dev.client.post('/v1/applications', {
      ...{ ...fields, preinstall_url: `${host.url}/install`, interaction_url: `${host.url}/clicks` },
    });
    expect(made.data[0]).toMatchObject({
      interaction_url: `${host.url}/clicks`,
      interaction_key: expect.stringMatching(/^whsec_/),
    });
  });

  it('is refused where a webhook would be, and to a public application', async () => {
    const wrong = await dev.client.patch(path, { interaction_url: 'http://10.0.0.1/clicks' });
    expect(wrong.body.errors).toMatchObject([{ code: 4002, reason: 'interaction_url' }]);
    const open = await dev.client.post('/v1/applications', {
      ...{ name: 'Editor', redirect_uris: ['http://127.0.0.1/r'], interaction_url: `${host.url}/clicks` },
      token_endpoint_auth_method: 'none',
    });
    expect(open.body.errors).toMatchObject([{ code: 4002, reason: 'interaction_url' }]);
    await dev.client.patch(path, { interaction_url: `${host.url}/clicks` });
    const hidden = { preinstall_url: null, uninstall_url: null, team_update_url: null };
    const turned = await dev.client.patch(path, { ...hidden, token_endpoint_auth_method: 'none' });
    expect(turned.body.errors[0].reason).toBe('has_subscriptions');
  });
});
