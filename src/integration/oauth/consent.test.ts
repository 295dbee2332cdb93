import { hash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  exchangeForm,
  install,
  makeTeam,
  openForCode,
  type Person,
  type RegisteredApplication,
  register,
  signUp,
} from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';
import { startTestServer } from '../../../test/support/server.ts';

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = hash('sha256', VERIFIER, 'base64url');

const { server, host } = scene();
let owner: Person;
let member: Person;
let team: string;
let second: string;
let application: RegisteredApplication;

beforeAll(async () => {
  owner = await signUp(server, 'Owner', { last_name: 'Of It' });
  member = await signUp(server, 'Member');
  team = await makeTeam(owner, [member], 'Alpha');
  second = await makeTeam(owner, [member], 'Beta');
  await makeTeam(member, [], 'Without it');
  application = await register(owner, host, {
    description: 'Tracks',
    icon: '🧭',
    scopes: ['messages:read', 'messages:write'],
    redirect_uris: [`${host.url}/redirect?kept=1`, `${host.url}/other`],
  });
  await install(owner, team, application);
  await install(owner, second, application);
});

const redirectUri = () => `${host.url}/redirect?kept=1`;

/** A right request; undefined leaves a parameter out. */
function parameters(changed: Record<string, string | undefined> = {}): Record<string, string> {
  const given: Record<string, string | undefined> = {
    response_type: 'code',
    client_id: application.id,
    redirect_uri: redirectUri(),
    state: 'a state & more',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...changed,
  };
  return Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

const queryOf = (changed?: Record<string, string | undefined>) =>
  `${new URLSearchParams(parameters(changed))}`;
const HTML = { headers: { Accept: 'text/html,application/xhtml+xml' } };

const authorize = (query: string, asked = {}) =>
  server.anonymous().get(`/v1/oauth2/authorize?${query}`, asked);
const show = (query: string, who = member) => who.client.get(`/v1/oauth2/consent?${query}`);
const decide = (body: object, who = member) =>
  who.client.post('/v1/oauth2/consent', { ...parameters(), ...body });
const answerOf = (url: string) => Object.fromEntries(new URL(url).searchParams);

it('many who decide at once need no more connections than there are', async () => {
  const few = await startTestServer({ DATABASE_CONNECTIONS: '2' });
  const people = [await signUp(few, 'One'), await signUp(few, 'Two'), await signUp(few, 'Three')];
  const [ada] = people as [Person, Person, Person];
  const alpha = await makeTeam(ada, people.slice(1));
  const made = await register(ada, host);
  await install(ada, alpha, made);
  const asked = { ...parameters({ client_id: made.id, redirect_uri: made.redirectUri }), decision: 'allow' };
  const answers = await Promise.all(
    people.map(({ client }) => client.post('/v1/oauth2/consent', { ...asked, team: alpha })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  await few.stop();
});

describe('the authorization endpoint', () => {
  it('sends a right request to the page, with the same parameters', async () => {
    const query = queryOf({ scope: 'messages:read', team, prompt: 'consent' });
    const answer = await authorize(query);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/oauth2/authorize?${query}`]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  const nowhere: [string, Record<string, string | undefined>, string][] = [
    ['no client', { client_id: undefined }, 'client_id'],
    ['an unknown client', { client_id: '00000000-0000-4000-8000-000000000000' }, 'client_id'],
    ['a client that is no id', { client_id: 'x\u0000' }, 'client_id'],
    ['no redirect address', { redirect_uri: undefined }, 'redirect_uri'],
    ['an address that is not registered', { redirect_uri: 'https://evil.example' }, 'redirect_uri'],
    ['an address that begins as a registered one', { redirect_uri: 'REGISTERED/more' }, 'redirect_uri'],
  ];
  it.each(nowhere)('redirects no one with %s', async (_, changed, field) => {
    const fixed = { ...changed };
    if (fixed.redirect_uri) fixed.redirect_uri = fixed.redirect_uri.replace('REGISTERED', redirectUri());
    const answer = await authorize(queryOf(fixed));
    expect([answer.status, answer.code, answer.body.errors[0].reason]).toEqual([400, 4002, field]);
    const browser = await authorize(queryOf(fixed), HTML);
    expect([browser.status, browser.headers.get('location')]).toEqual([
      303,
      `/oauth2/authorize?${queryOf(fixed)}`,
    ]);
  });

  it('redirects no one when the client or the address is given twice', async () => {
    for (const repeated of [
      `client_id=${application.id}`,
      `redirect_uri=${encodeURIComponent(redirectUri())}`,
    ]) {
      expect((await authorize(`${queryOf()}&${repeated}`)).code).toBe(4002);
    }
  });

  const wrong: [string, Record<string, string | undefined>, string][] = [
    ['no response type', { response_type: undefined }, 'invalid_request'],
    ['the implicit grant', { response_type: 'token' }, 'unsupported_response_type'],
    ['no challenge', { code_challenge: undefined }, 'invalid_request'],
    ['a malformed challenge', { code_challenge: 'short' }, 'invalid_request'],
    ['no method', { code_challenge_method: undefined }, 'invalid_request'],
    ['the method "plain"', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a scope that was not registered', { scope: 'messages:read admin' }, 'invalid_scope'],
    ['a team that is no id', { team: 'x' }, 'invalid_request'],
    ['no question to the person', { prompt: 'none' }, 'interaction_required'],
    ['contradictory questions', { prompt: 'none login' }, 'invalid_request'],
  ];
  it.each(wrong)('reports %s to an application that the person knows', async (_, changed, error) => {
    await openForCode(member, team, application);
    const answer = await member.client.get(`/v1/oauth2/authorize?${queryOf(changed)}`, HTML);
    const location = answer.headers.get('location') as string;
    expect(answer.status).toBe(303);
    expect(location.startsWith(`${redirectUri()}&`)).toBe(true);
    expect(answerOf(location)).toEqual({
      kept: '1',
      error,
      error_description: expect.any(String),
      state: 'a state & more',
      iss: server.running.url,
    });
    expect((await show(queryOf(changed))).code).toBe(4002);
  });

  it('reports a repeated parameter to the application', async () => {
    await openForCode(member, team, application);
    const told = await member.client.get(`/v1/oauth2/authorize?${queryOf()}&state=again`);
    const answer = answerOf(told.headers.get('location') as string);
    expect(answer.error).toBe('invalid_request');
    expect(answer).not.toHaveProperty('state');
  });

  it('answers without a state that was not given', async () => {
    await openForCode(member, team, application);
    const query = queryOf({ state: undefined, response_type: 'token' });
    const answer = await member.client.get(`/v1/oauth2/authorize?${query}`);
    expect(answerOf(answer.headers.get('location') as string)).not.toHaveProperty('state');
  });

  it('is in the metadata', async () => {
    const { body } = await server.anonymous().get('/.well-known/oauth-authorization-server');
    expect(body).toMatchObject({
      issuer: server.running.url,
      authorization_endpoint: `${server.running.url}/v1/oauth2/authorize`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      scopes_supported: expect.arrayContaining([
        'messages:read',
        'messages:write',
        'direct:read',
        'direct:write',
      ]),
    });
  });
});

it('a mistake is named, with what would be right', async () => {
  const messageOf = async (changed: Record<string, string>) =>
    (await authorize(queryOf(changed))).body.errors[0].message;
  expect(await messageOf({ code_challenge: '' })).toBe('is missing: PKCE is required (RFC 7636)');
  const registered = 'and the application registered only messages:read messages:write';
  expect(await messageOf({ scope: 'messages:read files:all' })).toBe(`has files:all, ${registered}`);
  for (const scope of ['"x"', 'ö', '\\', 'x'.repeat(101)])
    expect(await messageOf({ scope })).toBe(`has a scope with characters that no scope has, ${registered}`);
});

describe('the page of consent', () => {
  it('shows the application, the scopes and the possible teams', async () => {
    const { data } = await show(queryOf({ team: second, scope: 'messages:read' }));
    expect(data).toEqual([
      {
        application: {
          id: application.id,
          name: 'Tracker',
          description: 'Tracks',
          icon: '🧭',
          base_url: `${host.url}/`,
          link_prefixes: [],
          owner_name: 'Owner Of It',
        },
        redirect_host: new URL(host.url).host,
        native: true,
        scopes: ['messages:read'],
        teams: [
          {
            id: team,
            name: 'Alpha',
            color: expect.any(String),
            icon: '',
            scopes: ['messages:read'],
            agreed: expect.any(Array),
          },
          {
            id: second,
            name: 'Beta',
            color: expect.any(String),
            icon: '',
            scopes: ['messages:read'],
            agreed: expect.any(Array),
          },
        ],
        team: second,
      },
    ]);
  });

  it('preselects no team that is not the person’s, and shows every scope where none is asked for', async () => {
    const foreign = await makeTeam(owner);
    await install(owner, foreign, application);
    const { data } = await show(queryOf({ team: foreign }));
    expect(data[0]).toMatchObject({ team: null, scopes: ['messages:read', 'messages:write'] });
    expect(data[0].teams).toHaveLength(2);
    const stranger = await show(queryOf(), await signUp(server, 'Stranger'));
    expect(stranger.data[0]).toMatchObject({ teams: [], team: null });
  });

  it('says what is wrong with the client or its address', async () => {
    expect((await show(queryOf({ client_id: 'x' }))).code).toBe(4040);
    const elsewhere = await show(queryOf({ redirect_uri: `${host.url}/elsewhere` }));
    expect([elsewhere.code, elsewhere.body.errors[0].reason]).toEqual([4002, 'redirect_uri']);
  });

  it('shows no scope that the team’s admin did not grant', async () => {
    const late = await register(owner, host);
    const old = await makeTeam(owner, [member]);
    await install(owner, old, late);
    await owner.client.patch(`/v1/applications/${late.id}`, { scopes: ['messages:read'] });
    const asked = { client_id: late.id, redirect_uri: late.redirectUri, scope: 'messages:read' };
    expect((await show(queryOf(asked))).data[0].scopes).toEqual([]);
    const { data } = await decide({ ...parameters(asked), team: old, decision: 'allow' });
    const tokens = await exchange(codeOf(data[0].url), { verifier: VERIFIER, from: late });
    expect(tokens.body).not.toHaveProperty('scope');
    // Another one of the person's teams can have more of it than the one that was named.
    const fresh = await makeTeam(owner, [member]);
    await install(owner, fresh, late);
    const shown = await show(queryOf({ ...asked, team: old }));
    const { scopes, teams } = shown.data[0];
    const ofTeams = teams.map((one: { id: string; scopes: string[] }) => [one.id, one.scopes]);
    expect([scopes, Object.fromEntries(ofTeams)]).toEqual([[], { [old]: [], [fresh]: ['messages:read'] }]);
  });
});

const codeOf = (url: string) => new URL(url).searchParams.get('code') as string;

function exchange(
  code: string,
  given: { verifier?: string; from?: RegisteredApplication; redirect?: string },
) {
  const from = given.from ?? application;
  return server.anonymous().ask('POST', '/v1/oauth2/token', {
    form: {
      ...exchangeForm(from, code),
      redirect_uri: given.redirect ?? (given.from ? from.redirectUri : redirectUri()),
      ...(given.verifier !== undefined && { code_verifier: given.verifier }),
    },
  });
}

describe('the decision', () => {
  const allowed = async (changed: Record<string, string | undefined> = {}) => {
    const { data } = await decide({ ...parameters(changed), team, decision: 'allow' });
    return data[0].url as string;
  };

  it('gives the application a code for the team, the state and the issuer', async () => {
    const url = await allowed();
    expect(url.startsWith(`${redirectUri()}&`)).toBe(true);
    expect(answerOf(url)).toEqual({
      kept: '1',
      code: expect.any(String),
      platform_team_id: team,
      state: 'a state & more',
      iss: server.running.url,
    });
    const tokens = await exchange(codeOf(url), { verifier: VERIFIER });
    expect(tokens.status).toBe(200);
    expect(tokens.body.scope).toBe('messages:read messages:write');
    const me = await server.anonymous().withToken(tokens.body.access_token).get('/v1/users/me');
    expect(me.data[0].id).toBe(member.id);
  });

  it('grants no more than was asked for', async () => {
    const tokens = await exchange(codeOf(await allowed({ scope: 'messages:read' })), { verifier: VERIFIER });
    expect(tokens.body.scope).toBe('messages:read');
  });

  it('is tied to the verifier, and to the redirect address that was asked for', async () => {
    const refused = [400, '{"error":"invalid_grant"}'];
    const attempt = async (given: Parameters<typeof exchange>[1]) => {
      const { status, text } = await exchange(code, given);
      return [status, text];
    };
    const code = codeOf(await allowed());
    expect(await attempt({})).toEqual(refused);
    expect(await attempt({ verifier: '' })).toEqual(refused);
    expect(await attempt({ verifier: `${VERIFIER.slice(0, -1)}x` })).toEqual(refused);
    expect(await attempt({ verifier: CHALLENGE })).toEqual(refused);
    expect(await attempt({ verifier: VERIFIER, redirect: `${host.url}/other` })).toEqual(refused);
    expect((await exchange(code, { verifier: VERIFIER })).status).toBe(200);
  });

  it('a verifier for a code without a challenge is refused', async () => {
    const code = await openForCode(member, team, application);
    const answer = await exchange(code, { verifier: VERIFIER });
    expect([answer.status, answer.text]).toEqual([400, '{"error":"invalid_grant"}']);
    expect((await exchange(code, {})).status).toBe(200);
  });

  it('may be no', async () => {
    const { data } = await decide({ decision: 'deny', team: null });
    expect(answerOf(data[0].url)).toMatchObject({
      error: 'access_denied',
      state: 'a state & more',
      iss: server.running.url,
    });
    expect(answerOf(data[0].url)).not.toHaveProperty('code');
  });

  it('needs a team of the person’s that has it installed', async () => {
    const without = await decide({ decision: 'allow' });
    expect([without.code, without.body.errors[0].reason]).toEqual([4002, 'team']);
    const foreign = await makeTeam(owner);
    await install(owner, foreign, application);
    expect((await decide({ decision: 'allow', team: foreign })).code).toBe(4040);
    const bare = await makeTeam(member);
    expect((await decide({ decision: 'allow', team: bare })).code).toBe(4030);
  });

  it('goes through the same checks as the request', async () => {
    const allow = { team, decision: 'allow' };
    expect((await decide({ ...allow, client_id: 'x' })).code).toBe(4040);
    expect((await decide({ ...allow, redirect_uri: 'https://evil.example' })).code).toBe(4002);
    expect((await decide({ ...allow, code_challenge: '' })).code).toBe(4002);
    expect((await decide({ ...allow, scope: 'admin' })).code).toBe(4002);
    expect((await decide({ ...allow, decision: 'perhaps' })).code).toBe(4002);
  });

  it('is the person’s own: another site cannot take it', async () => {
    const answer = await member.client.ask('POST', '/v1/oauth2/consent', {
      json: { ...parameters(), team, decision: 'allow' },
      headers: { 'Sec-Fetch-Site': 'cross-site' },
    });
    expect(answer.code).toBe(4030);
  });
});
