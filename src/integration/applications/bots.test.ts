import { beforeAll, describe, expect, it } from 'vitest';
import { makeTeam } from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';

const { server, host, dev, ada, bob } = scene({ people: ['Dev', 'Ada', 'Bob'] });
let team: string;
let bot: { id: string; client_secret: string };

beforeAll(async () => {
  team = await makeTeam(ada, [bob, dev]);
  const fields = { name: 'Holidays', scopes: ['direct:app'] };
  const { status, data } = await dev.client.post('/v1/applications', fields);
  expect(status).toBe(200);
  bot = data[0];
});

const credentials = () => server.anonymous().withCredentials(bot.id, bot.client_secret);

describe('an application without addresses (claim: bot-without-addresses)', () => {
  it('is installed at once, and talks with people', async () => {
    const installed = await ada.client.post(`/v1/teams/${team}/applications`, { application: bot.id });
    expect(installed.data[0]).toMatchObject({
      status: 'active',
      application: { base_url: null, openable: false },
    });
    const form = { grant_type: 'client_credentials', team };
    const { body } = await credentials().ask('POST', '/v1/oauth2/token', { form });
    const itself = server.anonymous().withToken(body.access_token);
    const said = await itself.post('/v1/messages', { text: 'Sun?', addressed_users: [bob.id] });
    expect(said.status).toBe(200);
    await ada.client.delete(`/v1/teams/${team}/applications/${bot.id}`);
    expect(host.received).toEqual([]);
  });

  it('has nothing that an address is for', async () => {
    const path = `/v1/applications/${bot.id}`;
    const tested = await dev.client.post(`${path}/test_callback`);
    expect(tested.body.errors).toMatchObject([{ code: 4090, reason: 'no_preinstall_url' }]);
    await ada.client.post(`/v1/teams/${team}/applications`, { application: bot.id });
    const made = await credentials().post(`${path}/objects`, { name: 'Sun', type: 'day', url: 'sun', team });
    expect(made.code).toBe(4002);
    expect(made.body.errors).toMatchObject([{ reason: 'url' }]);
    const asked = await bob.client.get(
      `/v1/oauth2/authorize?response_type=code&client_id=${bot.id}&redirect_uri=https%3A%2F%2Fother.example%2F`,
    );
    expect(asked.status).toBe(400);
    const { data } = await dev.client.get(`${path}/progress`);
    expect(data[0].steps.map(({ step }: { step: string }) => step)).toEqual([
      'registered',
      'installed',
      'token_used',
      'message_posted',
    ]);
  });

  it('may get a base address, and then has one', async () => {
    const { data } = await dev.client.post('/v1/applications', { name: 'Settled' });
    const change = (fields: object) => dev.client.patch(`/v1/applications/${data[0].id}`, fields);
    expect((await change({ base_url: `${host.url}/` })).status).toBe(200);
    const removed = await change({ base_url: null });
    expect(removed.body.errors).toMatchObject([{ code: 4002, reason: 'base_url' }]);
  });
});
