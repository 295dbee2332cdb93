import * as oauth from 'openid-client';
import { beforeAll, expect, it } from 'vitest';
import { install, makeTeam, type RegisteredApplication, register, signUp } from '../support/people.ts';
import { scene } from '../support/scene.ts';

/* Checks that a widely used client accepts the answers, configured with nothing but our address. */

const { server, host, person } = scene({ people: ['Person'] });
let team: string;
let application: RegisteredApplication;
let client: oauth.Configuration;

beforeAll(async () => {
  team = await makeTeam(person);
  application = await register(person, host, { scopes: ['messages:read'] });
  await install(person, team, application);
  client = await configure(application);
});

const configure = ({ id, secret }: RegisteredApplication) =>
  oauth.discovery(new URL(server.running.url), id, secret, undefined, {
    algorithm: 'oauth2',
    execute: [oauth.allowInsecureRequests],
  });
const me = async (tokens: { access_token: string }) =>
  (await server.anonymous().withToken(tokens.access_token).get('/v1/users/me')).data[0].id;

/** Says yes on our page, as its button does. */
async function allow(asked: URL): Promise<URL> {
  const { search, searchParams } = asked;
  const page = await person.client.get(`/v1/oauth2/authorize${search}`);
  expect(page.headers.get('location')).toBe(`/oauth2/authorize${search}`);
  const body = { ...Object.fromEntries(searchParams), team, decision: 'allow' };
  return new URL((await person.client.post('/v1/oauth2/consent', body)).data[0].url);
}

it('takes the answer of an opening, with the issuer that it expects', async () => {
  const path = `/v1/applications/${application.id}/opening`;
  const { data } = await person.client.post(path, { team, scopes: ['messages:read'] });
  const tokens = await oauth.authorizationCodeGrant(client, new URL(data[0].url));
  expect(await me(tokens)).toBe(person.id);
  expect(tokens.scope).toBe('messages:read');
});

it('starts a request itself with a state and PKCE, refreshes, and revokes', async () => {
  const verifier = oauth.randomPKCECodeVerifier();
  const state = oauth.randomState();
  const asked = oauth.buildAuthorizationUrl(client, {
    redirect_uri: application.redirectUri,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
  });
  const checks = { pkceCodeVerifier: verifier, expectedState: state };
  const tokens = await oauth.authorizationCodeGrant(client, await allow(asked), checks);
  expect(await me(tokens)).toBe(person.id);
  const next = await oauth.refreshTokenGrant(client, tokens.refresh_token as string);
  expect(await me(next)).toBe(person.id);
  expect((await oauth.tokenIntrospection(client, next.access_token)).active).toBe(true);
  await oauth.tokenRevocation(client, next.refresh_token as string);
  expect((await oauth.tokenIntrospection(client, next.access_token)).active).toBe(false);
});

it('is led to the address where it starts, without a code, where it registered one', async () => {
  const made = await register(person, host, { initiate_login_uri: `${host.url}/login?from=parley` });
  await install(person, team, made);
  // A link leads to the page that asks first; a button of our own page leads there, and its `authorize` asks.
  const linked = await person.client.get(`/v1/applications/${made.id}/open?team=${team}`);
  expect(linked.headers.get('location')).toBe(`/applications/${made.id}/open?team=${team}`);
  const opened = await person.client.post(`/v1/applications/${made.id}/opening`, { team });
  const login = new URL(opened.data[0].url);
  expect(login.origin + login.pathname).toBe(`${host.url}/login`);
  expect(Object.fromEntries(login.searchParams)).toEqual({
    from: 'parley',
    iss: server.running.url,
    platform_team_id: team,
  });
  const stranger = await signUp(server, 'Stranger');
  expect((await stranger.client.get(`/v1/applications/${made.id}/open?team=${team}`)).code).toBe(4040);
});
