/*
 * A thief copies a refresh token and uses it in the seconds in which the client renews it too, so that both uses are
 * good. The thief hopes for a branch of their own, which goes on for ever beside the client's without being noticed.
 * All uses within the grace give the same successor: there is one living branch, and the second of the two to renew it
 * later shows that the token was stolen, which ends everything.
 */
import { beforeAll, expect, it } from 'vitest';
import { authorize, install, makeTeam, type RegisteredApplication, register } from '../support/people.ts';
import { scene } from '../support/scene.ts';
import { dumpTables, runSql } from '../support/tables.ts';

const { server, host, member } = scene({ people: ['Member'], options: { housekeepingMs: 100 } });
let team: string;
let application: RegisteredApplication;

beforeAll(async () => {
  team = await makeTeam(member);
  application = await register(member, host);
  await install(member, team, application);
});

const refresh = (refresh_token: string) =>
  application.credentials.ask('POST', '/v1/oauth2/token', {
    form: { grant_type: 'refresh_token', refresh_token },
  });
const works = async (token: string) =>
  (await server.anonymous().withToken(token).get('/v1/oauth2/test/app_as_user')).status === 200;

it('fifty uses at once all succeed, with one successor (claim: one-living-branch)', async () => {
  const first = await authorize(member, team, application);
  const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(first.refresh_token)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const successors = new Set(answers.map(({ body }) => body.refresh_token));
  expect(successors.size).toBe(1);
  expect(successors.has(first.refresh_token)).toBe(false);
  for (const { body } of answers) expect(await works(body.access_token)).toBe(true);
});

it('of thief and client, the second to go on ends the family', async () => {
  const first = await authorize(member, team, application);
  const client = (await refresh(first.refresh_token)).body;
  const thief = (await refresh(first.refresh_token)).body;
  const next = (await refresh(client.refresh_token)).body;
  server.clock.advance(11);
  expect((await refresh(thief.refresh_token)).body).toEqual({ error: 'invalid_grant' });
  expect((await refresh(next.refresh_token)).body).toEqual({ error: 'invalid_grant' });
  expect(await works(next.access_token)).toBe(false);
});

it('among tokens that are renewed at once, a stolen one ends its own family alone', async () => {
  const families = await Promise.all(Array.from({ length: 6 }, () => authorize(member, team, application)));
  const [stolen, ...others] = families as [(typeof families)[number], ...typeof families];
  const client = (await refresh(stolen.refresh_token)).body;
  server.clock.advance(11);
  const answers = await Promise.all([
    refresh(stolen.refresh_token),
    ...others.map(({ refresh_token }) => refresh(refresh_token)),
    refresh('unknown'),
    application.credentials.ask('POST', '/v1/oauth2/token', {
      form: {
        grant_type: 'refresh_token',
        refresh_token: others[0]?.refresh_token as string,
        scope: 'direct:read',
      },
    }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([400, 200, 200, 200, 200, 200, 400, 400]);
  expect(answers.map(({ body }) => body.error).filter(Boolean)).toEqual([
    'invalid_grant',
    'invalid_grant',
    'invalid_scope',
  ]);
  const renewed = answers.slice(1, 6).map(({ body }) => body);
  expect(new Set(renewed.map(({ refresh_token }) => refresh_token)).size).toBe(5);
  for (const one of renewed) {
    expect(await works(one.access_token)).toBe(true);
    expect((await refresh(one.refresh_token)).status).toBe(200);
  }
  expect(await works(client.access_token)).toBe(false);
  expect((await refresh(client.refresh_token)).body).toEqual({ error: 'invalid_grant' });
});

it('a stolen token and the one that followed it, used at once, leave nothing of their family', async () => {
  const first = await authorize(member, team, application);
  const next = (await refresh(first.refresh_token)).body;
  server.clock.advance(11);
  const tokens = [next, first, next, first, next].map(({ refresh_token }) => refresh_token);
  const answers = await Promise.all(tokens.map(refresh));
  expect(answers.filter(({ status }) => status !== 200).length).toBeGreaterThanOrEqual(2);
  for (const { body } of [{ body: next }, ...answers]) {
    if (body.access_token === undefined) continue;
    expect(await works(body.access_token)).toBe(false);
    expect((await refresh(body.refresh_token)).body).toEqual({ error: 'invalid_grant' });
  }
});

it('the database holds nothing from which a token can be made, and after the grace no salt either', async () => {
  const first = await authorize(member, team, application);
  const { refresh_token: second } = (await refresh(first.refresh_token)).body;
  const dump = [...(await dumpTables(server.running.db)).values()].join();
  for (const token of [first.refresh_token, second]) expect(dump).not.toContain(token);
  server.clock.advance(11);
  const salts = () =>
    runSql(server.running.db, 'SELECT successor_salt FROM refresh_tokens WHERE successor_salt IS NOT NULL');
  await expect.poll(salts).toEqual([]);
  expect((await refresh(second)).status).toBe(200);
});
