/*
 * A developer registers an application whose redirect address is a page for phishing, and sends people a link to our
 * authorization endpoint with something wrong in it, such as `prompt=none`. The link begins with our name, and should
 * lead them to the phishing page without a question. A person who never let the application act for them gets our own
 * page, which says what is wrong and leads nowhere.
 */
import { beforeAll, expect, it } from 'vitest';
import {
  install,
  makeTeam,
  openForCode,
  type RegisteredApplication,
  register,
  signUp,
} from '../support/people.ts';
import { scene } from '../support/scene.ts';

const { server, host, developer } = scene({ people: ['Developer'] });
let team: string;
let application: RegisteredApplication;

beforeAll(async () => {
  team = await makeTeam(developer);
  application = await register(developer, host);
  await install(developer, team, application);
});

const queryOf = (changed: Record<string, string>, of = application) =>
  `${new URLSearchParams({
    response_type: 'code',
    client_id: of.id,
    redirect_uri: of.redirectUri,
    code_challenge: 'A'.repeat(43),
    code_challenge_method: 'S256',
    ...changed,
  })}`;
const HTML = { headers: { Accept: 'text/html' } };
const mistakes: Record<string, string>[] = [
  { prompt: 'none' },
  { response_type: 'token' },
  { scope: 'everything' },
  { code_challenge: '' },
  { team: 'x' },
];

it.each(mistakes)(
  '%j leads nobody away who does not know the application (claim: no-open-redirect)',
  async (wrong) => {
    const query = queryOf(wrong);
    const victim = await signUp(server, 'Victim');
    for (const client of [server.anonymous(), victim.client]) {
      const page = await client.get(`/v1/oauth2/authorize?${query}`, HTML);
      expect([page.status, page.headers.get('location')]).toEqual([303, `/oauth2/authorize?${query}`]);
      expect((await client.get(`/v1/oauth2/authorize?${query}`)).code).toBe(4002);
    }
    expect((await victim.client.get(`/v1/oauth2/consent?${query}`)).code).toBe(4002);
  },
);

it('an application that the person let act for them is told, until they end that', async () => {
  const person = await signUp(server, 'Person');
  const own = await makeTeam(developer, [person]);
  await install(developer, own, application);
  await openForCode(person, own, application);
  const path = `/v1/oauth2/authorize?${queryOf({ prompt: 'none' })}`;
  const told = await person.client.get(path, HTML);
  expect(
    told.headers.get('location')?.startsWith(`${application.redirectUri}?error=interaction_required`),
  ).toBe(true);
  const [grant] = (await person.client.get('/v1/users/me/grants')).data;
  await person.client.delete(`/v1/users/me/grants/${grant.id}`);
  const ended = await person.client.get(path, HTML);
  expect(ended.headers.get('location')?.startsWith('/oauth2/authorize?')).toBe(true);
});

it('PKCE is demanded unless the owner switches it off, and is then all or nothing', async () => {
  const person = await signUp(server, 'Person');
  const old = await register(developer, host);
  const ask = async (changed: Record<string, string>) =>
    (await person.client.get(`/v1/oauth2/consent?${queryOf(changed, old)}`)).code ?? 200;
  const without = { code_challenge: '', code_challenge_method: '' };
  expect(await ask(without)).toBe(4002);
  const changed = await developer.client.patch(`/v1/applications/${old.id}`, { require_pkce: false });
  expect(changed.data[0].require_pkce).toBe(false);
  expect(await ask(without)).toBe(200);
  expect(await ask({ code_challenge: '' })).toBe(4002);
  expect(await ask({ code_challenge_method: 'plain' })).toBe(4002);
  expect(await ask({})).toBe(200);
});
