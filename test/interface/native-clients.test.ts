import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as webapi from 'oauth4webapi';
import * as oauth from 'openid-client';
import { Passport } from 'passport';
import OAuth2Strategy from 'passport-oauth2';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { ParleyApplication } from '#sdk';
import { type PublicClient, registerPublic } from '../support/native.ts';
import { install, makeTeam, register } from '../support/people.ts';
import { scene } from '../support/scene.ts';

/* Checks that clients without a secret, written as their libraries say, sign people in on a port that they get. */

const { server, host, person } = scene({ people: ['Person'] });
let team: string;
let editor: PublicClient;

beforeAll(async () => {
  team = await makeTeam(person);
  editor = await registerPublic(person, {
    redirect_uris: ['http://127.0.0.1/callback', 'com.example.editor:/callback'],
    scopes: ['messages:read'],
  });
  await person.client.post(`/v1/teams/${team}/applications`, { application: editor.id });
});

/** The port of a program that listens as its operating system lets it. */
async function listen(answer: Parameters<typeof createServer>[1]): Promise<string> {
  const program: Server = createServer(answer).listen(0, '127.0.0.1');
  await once(program, 'listening');
  onTestFinished(() => {
    program.closeAllConnections();
    program.close();
  });
  return `http://127.0.0.1:${(program.address() as AddressInfo).port}`;
}

/** Says yes on our page, as its button does. @returns where the browser goes */
async function allow(asked: URL): Promise<URL> {
  const { search, searchParams } = asked;
  const page = await person.client.get(`/v1/oauth2/authorize${search}`);
  expect(page.headers.get('location')).toBe(`/oauth2/authorize${search}`);
  const body = { ...Object.fromEntries(searchParams), team, decision: 'allow' };
  return new URL((await person.client.post('/v1/oauth2/consent', body)).data[0].url);
}

const me = async (token: string) =>
  (await server.anonymous().withToken(token).get('/v1/users/me')).data?.[0].id;

it('openid-client without a secret, on loopback', async () => {
  const client = await oauth.discovery(new URL(server.running.url), editor.id, undefined, oauth.None(), {
    algorithm: 'oauth2',
    execute: [oauth.allowInsecureRequests],
  });
  const url = await listen((_, response) => response.end());
  const [verifier, state] = [oauth.randomPKCECodeVerifier(), oauth.randomState()];
  const asked = oauth.buildAuthorizationUrl(client, {
    redirect_uri: `${url}/callback`,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
  });
  const checks = { pkceCodeVerifier: verifier, expectedState: state };
  const tokens = await oauth.authorizationCodeGrant(client, await allow(asked), checks);
  expect(await me(tokens.access_token)).toBe(person.id);
  const next = await oauth.refreshTokenGrant(client, tokens.refresh_token ?? '');
  expect(next.refresh_token).not.toBe(tokens.refresh_token);
  await oauth.tokenRevocation(client, next.refresh_token ?? '');
  expect(await me(next.access_token)).toBeUndefined();
});

it.each(['http://127.0.0.1:61423/callback', 'com.example.editor:/callback'])(
  'oauth4webapi without a secret, at %s',
  async (redirect) => {
    const issuer = new URL(server.running.url);
    const insecure = { [webapi.allowInsecureRequests]: true };
    const found = await webapi.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
    const as = await webapi.processDiscoveryResponse(issuer, found);
    expect(as.token_endpoint_auth_methods_supported).toContain('none');
    const client = { client_id: editor.id };
    const [verifier, state] = [webapi.generateRandomCodeVerifier(), webapi.generateRandomState()];
    const asked = new URL(as.authorization_endpoint ?? '');
    asked.search = `${new URLSearchParams({
      response_type: 'code',
      client_id: editor.id,
      redirect_uri: redirect,
      scope: 'messages:read',
      code_challenge: await webapi.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
    })}`;
    const answer = webapi.validateAuthResponse(as, client, await allow(asked), state);
    const none = webapi.None();
    const exchanged = await webapi.authorizationCodeGrantRequest(
      as,
      client,
      none,
      answer,
      redirect,
      verifier,
      insecure,
    );
    const tokens = await webapi.processAuthorizationCodeResponse(as, client, exchanged);
    expect([await me(tokens.access_token), tokens.scope]).toEqual([person.id, 'messages:read']);
    const refresh = tokens.refresh_token ?? '';
    const refreshed = await webapi.refreshTokenGrantRequest(as, client, none, refresh, insecure);
    const next = await webapi.processRefreshTokenResponse(as, client, refreshed);
    expect(await me(next.access_token)).toBe(person.id);
    const revoked = await webapi.revocationRequest(as, client, none, next.access_token, insecure);
    expect(await webapi.processRevocationResponse(revoked)).toBeUndefined();
    expect(await me(next.access_token)).toBeUndefined();
  },
);

it('our SDK without a secret, on loopback', async () => {
  const url = await listen((_, response) => response.end());
  const app = new ParleyApplication({
    baseUrl: server.running.url,
    clientId: editor.id,
    redirectUri: `${url}/callback`,
    issuer: server.running.url,
  });
  const begun = app.authorize({ scope: 'messages:read' });
  const signedIn = await app.finishAuthorization(begun, `${await allow(new URL(begun.url))}`);
  expect([await me(signedIn.tokens.access_token), signedIn.team]).toEqual([person.id, team]);
  const next = await app.refresh(signedIn.tokens.refresh_token);
  expect(await me(next.access_token)).toBe(person.id);
  await app.revoke(next.refresh_token);
  expect(await me(next.access_token)).toBeUndefined();
  const needsSecret = expect.objectContaining({ message: expect.stringContaining('clientSecret') });
  await expect(app.test()).rejects.toEqual(needsSecret);
  await expect(app.inTeam(team).postMessage({ text: 'Hello' })).rejects.toThrow();
  expect(() => app.verifyCallback({}, '')).toThrow(TypeError);
});

/** A small site with Passport. @returns its address and where it sends a browser */
async function siteWith(clientID: string, clientSecret?: string) {
  const session = {};
  const passport = new Passport();
  const url = await listen((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://site');
    // What Express and its sessions add.
    const asked: IncomingMessage = Object.assign(request, {
      session,
      query: Object.fromEntries(searchParams),
    });
    passport.authenticate('oauth2', { session: false })(asked, response, (error) => {
      const { user } = request as IncomingMessage & { user?: unknown };
      response.writeHead(error ? 500 : 200).end(error ? String(error) : `${pathname} ${user}`);
    });
  });
  passport.use(
    new OAuth2Strategy(
      {
        authorizationURL: `${server.running.url}/v1/oauth2/authorize`,
        tokenURL: `${server.running.url}/v1/oauth2/token`,
        clientID,
        ...(clientSecret && { clientSecret }),
        callbackURL: `${url}/callback`,
        state: true,
        pkce: true,
      },
      (access, _refresh, _profile, done) => {
        me(access).then((id) => done(null, id), done);
      },
    ),
  );
  const login = await fetch(`${url}/login`, { redirect: 'manual' });
  return new URL(login.headers.get('location') ?? '');
}

it('Passport without a secret, on loopback', async () => {
  const back = await fetch(await allow(await siteWith(editor.id)));
  expect([back.status, await back.text()]).toEqual([200, `/callback ${person.id}`]);
});

it('Passport with a secret, on loopback', async () => {
  const made = await register(person, host, { redirect_uris: ['http://127.0.0.1/callback'] });
  await install(person, team, made);
  const back = await fetch(await allow(await siteWith(made.id, made.secret)));
  expect([back.status, await back.text()]).toEqual([200, `/callback ${person.id}`]);
  const wrong = await fetch(await allow(await siteWith(made.id)));
  expect(wrong.status).toBe(500);
  const { data } = await person.client.get(`/v1/applications/${made.id}/token_failures`);
  expect(data).toMatchObject([{ reason: 'no_secret', grant_type: 'authorization_code', count: 1 }]);
});
