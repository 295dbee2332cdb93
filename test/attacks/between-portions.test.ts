/*
 * Work that reaches hundreds of teams is done in portions. Between two of them a deleted application is still installed, and
 * a deleted person still a member. An attacker who is quick would use the rights of either, or join a team that is about to end.
 */
import { expect, it } from 'vitest';
import { authorize, install, makeTeam, register, signUp } from '../support/people.ts';
import { scene } from '../support/scene.ts';
import { runSql } from '../support/tables.ts';
import { until } from '../support/until.ts';

const { server, host, ada, bob, dev } = scene({ people: ['Ada', 'Bob', 'Dev'] });
/** Of an application and of a person; one transaction takes fewer. */
const MANY = 25;

const rows = <Row>(sql: string, values: unknown[] = []) => runSql<Row>(server.running.db, sql, values);

/** Has each portion fail while the work goes on, as on a server that is killed again and again. */
async function held(act: string, work: () => Promise<unknown>): Promise<void> {
  const isSqlite = server.running.db.dialect === 'sqlite';
  const fail = "BEGIN SELECT RAISE(ABORT, 'held'); END";
  if (isSqlite) await rows(`CREATE TRIGGER held BEFORE ${act} ${fail}`);
  else {
    await rows("CREATE FUNCTION hold() RETURNS trigger AS 'BEGIN RAISE ''held''; END' LANGUAGE plpgsql");
    await rows(`CREATE TRIGGER held BEFORE ${act} EXECUTE FUNCTION hold()`);
  }
  const table = / ON (\w+)/.exec(act)?.[1] as string;
  try {
    await work();
  } finally {
    await rows(isSqlite ? 'DROP TRIGGER held' : `DROP TRIGGER held ON ${table}`);
    if (!isSqlite) await rows('DROP FUNCTION hold()');
  }
  // A portion that failed is tried again after its lease.
  server.clock.advance(60);
  await until(
    async () => (await rows("SELECT 1 FROM erasures WHERE kind <> 'person' OR step = 0")).length === 0,
  );
}

it('an application that is deleted may do nothing more anywhere', async () => {
  const teams: string[] = [];
  const scopes = ['messages:read', 'messages:write', 'members:read'];
  const app = await register(dev, host, { scopes, commands: [{ name: 'brew', description: 'Brew' }] });
  for (let number = 0; number < MANY; number++) {
    teams.push(await makeTeam(ada, number === 0 ? [bob] : []));
    await install(ada, teams[number] as string, app);
  }
  const [team] = teams as [string, ...string[]];
  const person = await authorize(bob, team, app);
  const form = { grant_type: 'client_credentials', team };
  const own = (await app.credentials.ask('POST', '/v1/oauth2/token', { form })).body.access_token;
  const of = `/v1/teams/${team}/applications`;
  await held("UPDATE ON installations FOR EACH ROW WHEN (NEW.status = 'removed')", async () => {
    expect((await dev.client.delete(`/v1/applications/${app.id}`)).status).toBe(200);
    for (const token of [person.access_token, own]) {
      const client = server.anonymous().withToken(token);
      for (const answer of [
        await client.get('/v1/users/me/teams'),
        await client.post('/v1/messages', { text: 'still here', addressed_teams: [team] }),
      ])
        expect(answer.code).toBe(4012);
    }
    expect((await app.credentials.ask('POST', '/v1/oauth2/token', { form })).status).toBe(401);
    // Nobody wakes it, has it work, or gives it to somebody.
    const answers = [
      await ada.client.put(`${of}/${app.id}/scopes`, { scopes }),
      await ada.client.put(`/v1/admin/applications/${app.id}/owner`, { user: ada.id }),
      await bob.client.post('/v1/messages', { text: 'hi', addressed_application: app.id, team }),
      await bob.client.get(`/v1/applications/${app.id}/open?team=${team}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 403, 404]);
    expect((await bob.client.get(`/v1/teams/${team}/commands`)).data).toEqual([]);
  });
  expect(await rows("SELECT 1 FROM installations WHERE status = 'active'")).toEqual([]);
});

it('nobody joins a team that only a deleted person is in', async () => {
  const eve = await signUp(server, 'Eve');
  const teams: string[] = [];
  for (let number = 0; number < MANY; number++) teams.push(await makeTeam(eve));
  const [team, linked] = teams as [string, string, ...string[]];
  await eve.client.patch(`/v1/teams/${team}`, { open: true });
  const link = (await eve.client.post(`/v1/teams/${linked}/join_links`, {})).data[0];
  const invited = (await eve.client.post(`/v1/teams/${linked}/invitations`, { emails: [bob.email] })).data[0];
  await held('DELETE ON memberships FOR EACH ROW', async () => {
    const json = { password: eve.client.password };
    expect((await eve.client.ask('DELETE', '/v1/users/me', { json })).status).toBe(200);
    expect(await rows('SELECT 1 FROM memberships WHERE user_id = ?', [eve.id])).toHaveLength(MANY);
    const answers = [
      await bob.client.put(`/v1/teams/${team}/users/me`, {}),
      await bob.client.put(`/v1/join_links/${link.token}`, {}),
      await bob.client.put(`/v1/invitations/${invited.token}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
  expect(await rows('SELECT 1 FROM memberships WHERE user_id = ?', [eve.id])).toEqual([]);
  expect(await rows('SELECT 1 FROM teams WHERE active = 1 AND num_members = 0')).toEqual([]);
});
