import { beforeAll, describe, expect, it } from 'vitest';
import {
  allowPublic,
  askForToken,
  codeForm,
  newVerifier,
  type PublicClient,
  registerPublic,
  signInTo,
} from '../../../test/support/native.ts';
import {
  exchangeForm,
  install,
  makeTeam,
  openForCode,
  type Person,
  type RegisteredApplication,
  register,
} from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';

const { server, host, owner, member } = scene({
  people: ['Owner', 'Member'],
  environment: { DELIVERY_RETENTION: '7' },
  options: { housekeepingMs: 100 },
});
let team: string;

beforeAll(async () => {
  team = await makeTeam(owner, [member]);
});

const failuresOf = ({ id }: { id: string }, who: Person = owner) =>
  who.client.get(`/v1/applications/${id}/token_failures`);
/** As `reason: count`. */
const reasonsOf = async (of: { id: string }) =>
  Object.fromEntries((await failuresOf(of)).data.map(({ reason, count }) => [reason, count]));

async function installed(): Promise<RegisteredApplication> {
  const made = await register(owner, host, { scopes: ['messages:read'] });
  await install(owner, team, made);
  return made;
}
async function installedPublic(): Promise<PublicClient> {
  const made = await registerPublic(owner);
  await owner.client.post(`/v1/teams/${team}/applications`, { application: made.id });
  return made;
}
const ask = (form: Record<string, string>, headers?: Record<string, string>) =>
  askForToken(server.url, form, headers);

describe('the owner reads why a request for a token failed', () => {
  it('of a client with a secret', async () => {
    const made = await installed();
    const right = exchangeForm(made, await openForCode(member, team, made));
    const credentials = { client_id: made.id, client_secret: made.secret };
    const { client_secret, ...named } = right;
    const wrong: [string, Record<string, string>][] = [
      ['no_secret', named],
      ['wrong_secret', { ...right, client_secret: 'x' }],
      ['no_grant_type', credentials],
      ['unknown_grant_type', { ...credentials, grant_type: 'password' }],
      ['no_code', { ...credentials, grant_type: 'authorization_code' }],
      ['no_redirect_uri', { ...credentials, grant_type: 'authorization_code', code: 'x' }],
      ['no_refresh_token', { ...credentials, grant_type: 'refresh_token' }],
      ['no_team', { ...credentials, grant_type: 'client_credentials' }],
      ['unknown_team', { ...credentials, grant_type: 'client_credentials', team: made.id }],
      ['wider_scope', { ...credentials, grant_type: 'client_credentials', team, scope: 'messages:write' }],
      ['unknown_code', { ...right, code: 'x' }],
      ['other_redirect_uri', { ...right, redirect_uri: 'https://a.example/' }],
      ['verifier_without_challenge', { ...right, code_verifier: newVerifier() }],
      ['unknown_refresh_token', { ...credentials, grant_type: 'refresh_token', refresh_token: 'x' }],
    ];
    for (const [reason, form] of wrong) {
      const { body } = await ask(form);
      expect(Object.keys(body)).toEqual(['error']);
      const [last] = (await failuresOf(made)).data;
      expect(last).toMatchObject({
        reason,
        error: body.error,
        count: 1,
        message: expect.stringMatching(/\w/),
      });
      server.clock.advance(1);
    }
    expect((await ask(right)).status).toBe(200);
    await ask(right);
    expect((await reasonsOf(made)).used_code).toBe(1);
  });

  it('of a public one', async () => {
    const made = await installedPublic();
    const verifier = newVerifier();
    const code = await allowPublic(member, team, made, verifier);
    const right = codeForm(made, code, verifier);
    const { code_verifier, ...without } = right;
    await ask(without);
    await ask({ ...right, code_verifier: newVerifier() });
    await ask({ ...right, client_secret: 'x' });
    await ask({ grant_type: 'client_credentials', client_id: made.id, team });
    server.clock.advance(121);
    await ask(right);
    const tokens = await signInTo(made, member, team);
    const refresh = { grant_type: 'refresh_token', client_id: made.id, refresh_token: tokens.refresh_token };
    await ask(refresh);
    server.clock.advance(11);
    await ask(refresh);
    await ask(refresh);
    expect(await reasonsOf(made)).toEqual({
      no_verifier: 1,
      wrong_verifier: 1,
      secret_of_public: 1,
      public_client: 1,
      expired_code: 1,
      reused_refresh_token: 1,
      ended_refresh_token: 1,
    });
  });

  it('also of a body that is no form', async () => {
    const made = await installed();
    const post = (raw: string, type: string, headers: Record<string, string> = {}) =>
      server
        .anonymous()
        .ask('POST', '/v1/oauth2/token', { raw, headers: { 'Content-Type': type, ...headers } });
    const Authorization = `Basic ${Buffer.from(`${made.id}:${made.secret}`).toString('base64')}`;
    const named = { client_id: made.id, client_secret: made.secret, grant_type: 'refresh_token' };
    const answers = [
      await post(JSON.stringify(named), 'application/json'),
      await post('{', 'application/json', { Authorization }),
      await post('null', 'application/json; charset=utf-8', { Authorization }),
      await post('x', 'text/plain', { Authorization }),
      await post(`client_id=${made.id}&code=1&code=2`, 'application/x-www-form-urlencoded'),
      await post('grant_type=x&client_secret=x', 'application/x-www-form-urlencoded', { Authorization }),
    ];
    for (const { status, body } of answers)
      expect([status, body]).toEqual([400, { error: 'invalid_request' }]);
    const { data } = await failuresOf(made);
    expect(data.map(({ reason, grant_type, count }) => [reason, grant_type, count]).toSorted()).toEqual([
      ['json_body', 'none', 2],
      ['json_body', 'refresh_token', 1],
      ['no_form', 'none', 1],
      ['repeated_parameter', 'none', 1],
      ['two_credentials', 'other', 1],
    ]);
  });

  it('and nobody else does, and nothing of the request is in it (claim: token-failures-for-owner)', async () => {
    const made = await installed();
    const secrets = { code: 'code-of-somebody', client_secret: 'secret-of-somebody', grant_type: '<b>x' };
    await ask({ ...secrets, client_id: made.id, scope: 'scope-of-somebody' });
    const { text, data } = await failuresOf(made);
    expect(text).not.toMatch(/somebody|<b>/);
    expect(data[0].grant_type).toBe('other');
    expect((await failuresOf(made, member)).code).toBe(4040);
  });

  it('the program of the application does, with its secret (claim: token-failures-for-owner)', async () => {
    const [made, other] = [await installed(), await installed()];
    await ask({ client_id: made.id, client_secret: made.secret });
    const path = `/v1/applications/${made.id}/token_failures`;
    expect((await made.credentials.get(path)).data).toMatchObject([{ reason: 'no_grant_type', count: 1 }]);
    expect((await other.credentials.get(path)).code).toBe(4010);
    expect((await made.credentials.withCredentials(made.id, 'wrong').get(path)).code).toBe(4010);
    const closed = await installedPublic();
    const named = `/v1/applications/${closed.id}/token_failures?client_id=${closed.id}`;
    expect((await server.anonymous().get(named)).code).toBe(4010);
    expect((await server.anonymous().get(`${named}&client_secret=x`)).code).toBe(4010);
  });

  it('for some days (claim: token-failures-bounded)', async () => {
    const made = await installed();
    await ask({ client_id: made.id });
    server.clock.advance(8 * 24 * 3600);
    await expect.poll(async () => (await failuresOf(made)).data).toEqual([]);
  });
});

describe('somebody who sends wrong requests in the name of an application', () => {
  it('fills nothing and pushes nothing out (claim: token-failures-bounded)', async () => {
    const made = await installed();
    await ask({
      client_id: made.id,
      client_secret: made.secret,
      grant_type: 'refresh_token',
      refresh_token: 'x',
    });
    server.clock.advance(1);
    await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        ask({ client_id: made.id, client_secret: `${n}`, grant_type: `${n % 10}`, code: `${n}` }),
      ),
    );
    const { data } = await failuresOf(made);
    expect(data.map(({ reason, count }) => [reason, count])).toEqual([
      ['wrong_secret', 60],
      ['unknown_refresh_token', 1],
    ]);
  });

  it('writes nothing for one that there is not', async () => {
    expect((await ask({ client_id: crypto.randomUUID() })).body).toEqual({ error: 'invalid_client' });
    expect((await ask({ client_id: 'x' })).body).toEqual({ error: 'invalid_client' });
  });
});
