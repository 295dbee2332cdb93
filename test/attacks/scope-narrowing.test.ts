/*
 * An application keeps its tokens while scopes are taken away from it: its developer withdraws one, the team's admin
 * grants less, or the person ends it. It hopes that tokens from before, or refreshed ones, still reach the messages.
 * Every request of a token meets what the application asks for, what the admin granted and what the person agreed to,
 * as they are at that moment.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import {
  authorize,
  install,
  makeTeam,
  type RegisteredApplication,
  register,
  type Tokens,
} from '../support/people.ts';
import { scene } from '../support/scene.ts';

const { server, host, admin, member } = scene({ people: ['Admin', 'Member'] });
let team: string;

beforeAll(async () => {
  team = await makeTeam(admin, [member]);
});

const scopes = ['messages:read', 'messages:write'];
const reads = async ({ access_token }: Tokens) =>
  (await server.anonymous().withToken(access_token).get(`/v1/messages?team=${team}`)).code ?? 200;

async function authorized(): Promise<{ made: RegisteredApplication; tokens: Tokens }> {
  const made = await register(admin, host, { scopes });
  await install(admin, team, made);
  return { made, tokens: await authorize(member, team, made) };
}

async function refresh(made: RegisteredApplication, { refresh_token }: Tokens, scope?: string) {
  const form = { grant_type: 'refresh_token', refresh_token, ...(scope && { scope }) };
  return (await made.credentials.ask('POST', '/v1/oauth2/token', { form })).body;
}

const introspect = async (made: RegisteredApplication, { access_token: token }: Tokens) =>
  (await made.credentials.ask('POST', '/v1/oauth2/introspect', { form: { token } })).body;

const narrowings: [string, (made: RegisteredApplication, left: string[]) => Promise<{ status: number }>][] = [
  [
    'the developer withdraws one',
    (made, left) => admin.client.patch(`/v1/applications/${made.id}`, { scopes: left }),
  ],
  [
    'the admin grants less',
    (made, left) => admin.client.put(`/v1/teams/${team}/applications/${made.id}/scopes`, { scopes: left }),
  ],
];

describe.each(narrowings)('when %s (claim: scopes-narrow-at-once)', (_, narrow) => {
  it('tokens lose it with the next request, and refreshed ones never had it', async () => {
    const { made, tokens } = await authorized();
    expect(await reads(tokens)).toBe(200);
    expect((await narrow(made, ['messages:write'])).status).toBe(200);
    expect(await reads(tokens)).toBe(4031);
    expect((await introspect(made, tokens)).scope).toBe('messages:write');
    // A client that asks for what it was once granted is not thrown out: it is told what is left.
    const next = await refresh(made, tokens, 'messages:read messages:write');
    expect(next.scope).toBe('messages:write');
    expect(await reads(next)).toBe(4031);
    expect((await narrow(made, [])).status).toBe(200);
    expect(await refresh(made, next)).not.toHaveProperty('scope');
  });
});

it('only an admin of the team grants, and only what the application asks for', async () => {
  const { made } = await authorized();
  const path = `/v1/teams/${team}/applications/${made.id}/scopes`;
  expect((await member.client.put(path, { scopes })).code).toBe(4030);
  const wider = await admin.client.put(path, { scopes: ['direct:read'] });
  expect([wider.code, wider.body.errors[0].reason]).toEqual([4002, 'scopes.0']);
  expect((await admin.client.put(path, { scopes: ['everything'] })).code).toBe(4002);
});
