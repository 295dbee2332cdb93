import { beforeAll, describe, expect, it } from 'vitest';
import {
  askForToken,
  newVerifier,
  type PublicClient,
  registerPublic,
  requestOf,
  signInTo,
} from '../../../test/support/native.ts';
import { authorize, install, makeTeam, register } from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';

const { server, host, owner, member } = scene({
  people: ['Owner', 'Member'],
  environment: { ALLOW_LOOPBACK_APPS: 'yes' },
});
let team: string;
let editor: PublicClient;

beforeAll(async () => {
  team = await makeTeam(owner, [member]);
  editor = await registerPublic(owner);
  await installPublic(editor);
});

async function installPublic(of: PublicClient): Promise<void> {
  const answer = await owner.client.post(`/v1/teams/${team}/applications`, { application: of.id });
  expect([answer.status, answer.data?.[0].status]).toEqual([200, 'active']);
}
const me = (token: string) => server.anonymous().withToken(token).get('/v1/users/me');
const change = (id: string, fields: object) => owner.client.patch(`/v1/applications/${id}`, fields);
const PUBLIC = {
  token_endpoint_auth_method: 'none',
  preinstall_url: null,
  uninstall_url: null,
  team_update_url: null,
};

describe('a public application', () => {
  it('is registered without a secret and without addresses that are called', async () => {
    const { data } = await owner.client.get(`/v1/applications/${editor.id}`);
    expect(data[0]).toMatchObject({
      token_endpoint_auth_method: 'none',
      base_url: null,
      preinstall_url: null,
      require_pkce: true,
      openable: false,
    });
    const made = await owner.client.post('/v1/applications', {
      name: 'Site',
      base_url: 'https://editor.example',
      redirect_uris: ['https://editor.example/cb'],
      token_endpoint_auth_method: 'none',
    });
    expect(made.data[0]).not.toHaveProperty('client_secret');
    expect(made.data[0].base_url).toBe('https://editor.example/');
  });

  it('signs its person in, refreshes, and ends its own tokens (RFC 7009)', async () => {
    const first = await signInTo(editor, member, team);
    expect((await me(first.access_token)).data[0].id).toBe(member.id);
    const refreshed = await askForToken(server.url, {
      grant_type: 'refresh_token',
      client_id: editor.id,
      refresh_token: first.refresh_token,
    });
    expect(refreshed.body.refresh_token).not.toBe(first.refresh_token);
    expect((await me(refreshed.body.access_token)).status).toBe(200);
    const form = { client_id: editor.id, token: refreshed.body.refresh_token };
    expect((await server.anonymous().ask('POST', '/v1/oauth2/revoke', { form })).status).toBe(200);
    expect((await me(refreshed.body.access_token)).code).toBe(4012);
  });

  it('may leave its secret empty, in the form or as Basic', async () => {
    const { refresh_token } = await signInTo(editor, member, team);
    const form = { grant_type: 'refresh_token', client_id: editor.id, refresh_token };
    expect((await askForToken(server.url, { ...form, client_secret: '' })).status).toBe(200);
    const Authorization = `Basic ${Buffer.from(`${editor.id}:`).toString('base64')}`;
    const { client_id, ...rest } = form;
    expect((await askForToken(server.url, rest, { Authorization })).status).toBe(200);
  });

  it('asks its person each time (claim: public-asks-each-time)', async () => {
    await signInTo(editor, member, team);
    const query = new URLSearchParams(requestOf(editor, newVerifier()));
    const asked = await member.client.get(`/v1/oauth2/authorize?${query}`);
    expect(asked.headers.get('location')).toBe(`/oauth2/authorize?${query}`);
    query.set('prompt', 'none');
    const silent = await member.client.get(`/v1/oauth2/authorize?${query}`);
    expect(silent.headers.get('location')).toContain('error=interaction_required');
  });

  it('posts as its person and is told of in the message', async () => {
    const { access_token } = await signInTo(editor, member, team);
    const posted = await server
      .anonymous()
      .withToken(access_token)
      .post('/v1/messages', { text: 'Hello', addressed_teams: [team] });
    expect(posted.data[0].via_app).toMatchObject({ id: editor.id, name: 'Editor' });
  });

  it('is installed and uninstalled without a call', async () => {
    const made = await registerPublic(owner, { scopes: ['messages:read'] });
    await installPublic(made);
    const installed = (await owner.client.get(`/v1/teams/${team}/applications`)).data;
    expect(installed.find(({ application }) => application.id === made.id)).toMatchObject({
      status: 'active',
      scopes: ['messages:read'],
    });
    const { access_token } = await signInTo(made, member, team);
    await owner.client.delete(`/v1/teams/${team}/applications/${made.id}`);
    expect((await me(access_token)).code).toBe(4012);
    expect((await owner.client.get(`/v1/applications/${made.id}/deliveries`)).data).toEqual([]);
  });

  it('has nothing that needs a secret', async () => {
    const path = `/v1/applications/${editor.id}`;
    const refused = [{ code: 4090, reason: 'public_client' }];
    expect((await owner.client.post(`${path}/secret`)).body.errors).toMatchObject(refused);
    expect((await owner.client.post(`${path}/test_callback`)).body.errors).toMatchObject(refused);
    const subscribed = await owner.client.post(`${path}/subscriptions`, { kinds: ['message.posted'] });
    expect(subscribed.body.errors).toMatchObject(refused);
    for (const [field, value] of Object.entries({
      preinstall_url: 'https://editor.example/install',
      uninstall_url: 'https://editor.example/uninstall',
      team_update_url: 'https://editor.example/team',
      link_prefixes: ['https://editor.example/'],
      require_pkce: false,
    })) {
      const answer = await change(editor.id, { [field]: value });
      expect(answer.body.errors).toMatchObject([{ code: 4002, reason: field }]);
    }
  });

  it('opens where it starts, if it has an address for that', async () => {
    const made = await registerPublic(owner, {
      redirect_uris: ['https://editor.example/cb'],
      initiate_login_uri: 'https://editor.example/login',
    });
    await installPublic(made);
    const opened = await member.client.post(`/v1/applications/${made.id}/opening`, { team });
    const { searchParams } = new URL(opened.data[0].url);
    expect([...searchParams.keys()].toSorted()).toEqual(['iss', 'platform_team_id']);
  });

  it('is taken over without a secret', async () => {
    const made = await registerPublic(owner);
    const given = await owner.client.ask('PUT', `/v1/admin/applications/${made.id}/owner`, {
      json: { user: member.id },
    });
    expect(given.data[0].suspended).toBe(true);
    const taken = await member.client.post(`/v1/applications/${made.id}/secret`);
    expect([taken.status, taken.data[0].client_secret]).toEqual([200, undefined]);
    expect((await member.client.get(`/v1/applications/${made.id}`)).data[0].suspended).toBe(false);
  });

  it('is in the metadata (RFC 8414)', async () => {
    const { body } = await server.anonymous().get('/.well-known/oauth-authorization-server');
    const methods = ['client_secret_basic', 'client_secret_post'];
    expect(body).toMatchObject({
      token_endpoint_auth_methods_supported: [...methods, 'none'],
      revocation_endpoint_auth_methods_supported: [...methods, 'none'],
      introspection_endpoint_auth_methods_supported: methods,
    });
  });
});

describe('an application that becomes public', () => {
  it('loses its secrets and tokens, and people are asked again (claim: method-change-ends-tokens)', async () => {
    const made = await register(owner, host, { scopes: ['messages:read'] });
    await install(owner, team, made);
    const { access_token, refresh_token } = await authorize(member, team, made);
    const own = { grant_type: 'client_credentials', team };
    const itself = await made.credentials.ask('POST', '/v1/oauth2/token', { form: own });
    expect(itself.status).toBe(200);
    await owner.client.post(`/v1/applications/${made.id}/secret`, { overlap_seconds: 3600 });

    const changed = await change(made.id, { ...PUBLIC, redirect_uris: ['http://127.0.0.1/callback'] });
    expect(changed.data[0]).toMatchObject({ token_endpoint_auth_method: 'none', preinstall_url: null });
    expect((await made.credentials.get('/v1/oauth2/test/app')).code).toBe(4010);
    for (const token of [access_token, itself.body.access_token]) expect((await me(token)).code).toBe(4012);
    const form = { grant_type: 'refresh_token', client_id: made.id, refresh_token };
    expect((await askForToken(server.url, form)).body).toEqual({ error: 'invalid_grant' });
    expect(
      (await member.client.get('/v1/users/me/grants')).data.map(({ application }) => application.id),
    ).not.toContain(made.id);

    const native = { id: made.id, redirectUri: 'http://127.0.0.1:4000/callback' };
    const tokens = await signInTo(native, member, team);
    const back = { token_endpoint_auth_method: 'client_secret_basic' };
    expect((await change(made.id, back)).status).toBe(200);
    expect((await me(tokens.access_token)).code).toBe(4012);
    const again = { ...form, refresh_token: tokens.refresh_token };
    expect((await askForToken(server.url, again)).body).toEqual({ error: 'invalid_client' });
    expect((await made.credentials.get('/v1/oauth2/test/app')).code).toBe(4010);
    const secret = await owner.client.post(`/v1/applications/${made.id}/secret`);
    const renewed = server.anonymous().withCredentials(made.id, secret.data[0].client_secret);
    expect((await renewed.get('/v1/oauth2/test/app')).status).toBe(200);
  });

  it('says what stands in the way, and changes nothing then', async () => {
    const made = await register(owner, host);
    const path = `/v1/applications/${made.id}`;
    const bare = await change(made.id, { token_endpoint_auth_method: 'none' });
    expect(bare.body.errors.map(({ reason }: { reason: string }) => reason)).toEqual([
      'preinstall_url',
      'uninstall_url',
    ]);
    const subscribed = await owner.client.post(`${path}/subscriptions`, { kinds: ['message.posted'] });
    const refused = await change(made.id, PUBLIC);
    expect(refused.body.errors).toMatchObject([{ code: 4090, reason: 'has_subscriptions' }]);
    expect((await made.credentials.get('/v1/oauth2/test/app')).status).toBe(200);
    await owner.client.delete(`${path}/subscriptions/${subscribed.data[0].id}`);
    expect((await change(made.id, PUBLIC)).status).toBe(200);
  });

  it('demands PKCE from then on', async () => {
    const made = await register(owner, host, { require_pkce: false });
    expect((await change(made.id, PUBLIC)).data[0].require_pkce).toBe(true);
  });

  it.each(['client_secret_post', 'client_secret_basic'])(
    'may have %s, which is the way it names',
    async (method) => {
      const made = await register(owner, host, { token_endpoint_auth_method: method });
      expect((await made.credentials.get('/v1/oauth2/test/app')).status).toBe(200);
      const { data } = await owner.client.get(`/v1/applications/${made.id}`);
      expect(data[0].token_endpoint_auth_method).toBe(method);
    },
  );

  it('is refused for a way that there is not, and a public one without a redirect address', async () => {
    const answer = await owner.client.post('/v1/applications', {
      name: 'Editor',
      redirect_uris: ['http://127.0.0.1/callback'],
      token_endpoint_auth_method: 'private_key_jwt',
    });
    expect(answer.body.errors).toMatchObject([{ code: 4002, reason: 'token_endpoint_auth_method' }]);
    const bare = await owner.client.post('/v1/applications', {
      name: 'Editor',
      token_endpoint_auth_method: 'none',
    });
    expect(bare.body.errors).toMatchObject([{ code: 4002, reason: 'redirect_uris' }]);
  });
});
