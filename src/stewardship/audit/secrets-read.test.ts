import { beforeEach, expect, it } from 'vitest';
import { install, makeTeam, type Person, register, setUp, signUp } from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';

const { server, host } = scene({ environment: { TRUST_PROXY: '127.0.0.1' }, each: true });
const HOUR_S = 3600;
let root: Person;
let ada: Person;

beforeEach(async () => {
  root = await signUp(server, 'Root', setUp(server));
  ada = await signUp(server, 'Ada');
});

/** The entries of an action, the oldest first. */
const entries = async (action: string) =>
  (await root.client.get(`/v1/admin/audit?limit=200&action=${action}`)).data.reverse();

it('tells who read mails that are kept, whose links open accounts (claim: reading-is-told)', async () => {
  const team = await makeTeam(ada);
  await ada.client.post(`/v1/teams/${team}/invitations`, { emails: ['bob@example.org'] });
  const { data: listed } = await root.client.get('/v1/admin/mails');
  const invitation = listed.find(({ kind }) => kind === 'invitation');
  expect((await root.client.get(`/v1/admin/mails/${invitation.id}`)).status).toBe(200);
  const told = await entries('mail.read');
  expect(told).toHaveLength(2);
  const kept = listed.filter(({ status }) => status === 'kept').length;
  const where = { actor: root.id, actor_kind: 'user', address: '127.0.0.1' };
  expect(told[0]).toMatchObject({ ...where, target: null, detail: { kept } });
  expect(told[1]).toMatchObject({ ...where, target: invitation.id, target_kind: 'mail', detail: {} });
});

it('tells who confirmed a password, and of no wrong one (claim: reading-is-told)', async () => {
  const path = '/v1/sessions/current/confirmation';
  await ada.client.post(path, { password: 'wrong' });
  await ada.client.post(path, { password: 'a password of length' });
  expect(await entries('password.confirmed')).toMatchObject([
    { actor: ada.id, target: ada.id, target_kind: 'user', address: '127.0.0.1' },
  ]);
});

it('tells of an application’s own tokens once a day, and of another address (claim: own-tokens-are-told)', async () => {
  const team = await makeTeam(ada);
  const other = await makeTeam(ada);
  const app = await register(root, host, { scopes: ['messages:read', 'messages:write'] });
  for (const one of [team, other]) await install(ada, one, app);
  const ask = async (form: Record<string, string>, from = '192.0.2.1') => {
    const answer = await app.credentials.ask('POST', '/v1/oauth2/token', {
      form: { grant_type: 'client_credentials', ...form },
      headers: { 'X-Forwarded-For': from },
    });
    expect(answer.status).toBe(200);
  };
  const told = async () =>
    (await entries('application.token_issued')).map((entry) => [
      entry.team,
      entry.address,
      entry.detail.scopes.join(' '),
    ]);
  for (let n = 0; n < 3; n++) await ask({ team });
  await ask({ team, scope: 'messages:read' });
  await ask({ team: other });
  const both = 'messages:read messages:write';
  const first = [
    [team, '192.0.2.1', both],
    [team, '192.0.2.1', 'messages:read'],
    [other, '192.0.2.1', both],
  ];
  expect(await told()).toEqual(first);
  const [entry] = await entries('application.token_issued');
  expect(entry).toMatchObject({ actor: app.id, actor_kind: 'application', target: app.id });
  // Programs on many machines do not fill the log.
  await ask({ team }, '192.0.2.2');
  expect(await told()).toEqual(first);
  server.clock.advance(HOUR_S);
  await ask({ team });
  await ask({ team }, '192.0.2.2');
  await ask({ team }, '192.0.2.3');
  expect(await told()).toEqual([...first, [team, '192.0.2.2', both]]);
  server.clock.advance(24 * HOUR_S);
  await ask({ team }, '192.0.2.2');
  expect(await told()).toHaveLength(5);
});

it('tells who gave an incoming webhook another address (claim: reading-is-told)', async () => {
  const team = await makeTeam(ada);
  const [made] = (await ada.client.post(`/v1/teams/${team}/webhooks`, { name: 'CI' })).data;
  await ada.client.post(`/v1/teams/${team}/webhooks/${made.id}/address`);
  const told = (await entries('team.changed')).map(({ actor, detail }) => [actor, detail.fields]);
  expect(told).toEqual([
    [ada.id, ['webhooks']],
    [ada.id, ['webhook_address']],
  ]);
});
