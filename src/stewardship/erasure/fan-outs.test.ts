import { expect, it } from 'vitest';
import { countStatements } from '../../../test/support/counting.ts';
import { allPlaced, pathOf, pullAll, subscribe } from '../../../test/support/feed.ts';
import {
  install,
  makeTeam,
  type Person,
  type RegisteredApplication,
  register,
  signUp,
} from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';
import { runSql } from '../../../test/support/tables.ts';
import { until } from '../../../test/support/until.ts';

/*
 * What one request does to all teams of a person or an application is done in portions: no transaction grows with their number,
 * and nobody waits for it.
 */

const MANY = 240;
const QUARTER = 60;

const { server, host, ada, dev } = scene({ people: ['Ada', 'Dev'] });

const rows = <Row>(sql: string, values: unknown[] = []) => runSql<Row>(server.running.db, sql, values);
const count = async (sql: string, values: unknown[]) =>
  Number((await rows<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`, values))[0]?.n);

const PLACES = {
  teams: ['id'],
  memberships: ['team_id'],
  installations: ['id', 'team_id'],
} as const;

/** Copies a team with its members and applications. @param column the key that differs, with the id of the team */
async function copyTeam(team: string, copies: number): Promise<void> {
  for (const [table, own] of Object.entries(PLACES)) {
    const [row] = await rows<object>(`SELECT * FROM ${table} LIMIT 1`);
    const of = table === 'teams' ? 'id' : 'team_id';
    const numbered = (name: string) =>
      `CAST(substr(CAST(${name} AS text), 1, 30) || substr(CAST(1000000 + n AS text), 2) AS ${
        server.running.db.dialect === 'postgres' ? 'uuid' : 'text'
      })`;
    const names = Object.keys(row ?? {});
    const values = names.map((name) => ((own as readonly string[]).includes(name) ? numbered(name) : name));
    await rows(
      `INSERT INTO ${table} (${names.join(', ')})
        WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${copies})
        SELECT ${values.join(', ')} FROM ${table}, numbers WHERE ${of} = ?`,
      [team],
    );
  }
}

interface World {
  readonly member: Person;
  readonly application: RegisteredApplication;
  readonly subscription: string;
  readonly teams: number;
}

/** A person who is in many teams that have an application. */
async function makeWorld(teams: number): Promise<World> {
  const member = await signUp(server, 'Member');
  const team = await makeTeam(ada, [member]);
  const application = await register(dev, host, { scopes: ['members:read'] });
  await install(ada, team, application);
  await allPlaced(server);
  const { id: subscription } = await subscribe(application, { kinds: ['person.changed'] });
  await copyTeam(team, teams - 1);
  return { member, application, subscription, teams };
}

const worlds: World[] = [];

/** @returns how much the heaviest transaction did, in each world */
async function heaviest(
  act: (world: World) => Promise<unknown>,
): Promise<{ statements: number; length: number }[]> {
  const found: { statements: number; length: number }[] = [];
  for (const world of worlds) {
    const counting = countStatements(server.running.db);
    await act(world);
    // The later steps of a deleted person wait for some minutes.
    const waiting = "SELECT 1 FROM erasures WHERE kind <> 'person' OR step = 0";
    await until(async () => (await rows(waiting)).length === 0);
    await allPlaced(server);
    const batches = counting.stop();
    found.push({
      statements: Math.max(...batches.map(({ texts }) => texts.length)),
      length: Math.max(...batches.map(({ length }) => length)),
    });
  }
  return found;
}

/** A quarter has some portions too; the last one of them may be shorter. */
function expectEqual(found: readonly { statements: number; length: number }[]): void {
  const [quarter, whole] = found;
  expect(whole?.statements).toBeLessThanOrEqual((quarter?.statements ?? 0) * 1.5);
  expect(whole?.length).toBeLessThanOrEqual((quarter?.length ?? 0) * 1.5);
}

const heard = async ({ application, subscription }: World) =>
  new Set(
    (await pullAll(application.credentials, pathOf(application, subscription))).events.map(
      ({ data }) => (data as { team: string }).team,
    ),
  );

it('what people and applications of many teams change is told, and ends, in portions', async () => {
  worlds.length = 0;
  for (const teams of [QUARTER, MANY]) worlds.push(await makeWorld(teams));
  const status = { emoji: '🌴', text: 'On holiday' };
  expectEqual(
    await heaviest(({ member }) =>
      Promise.all(
        [1, 2, 3].map((n) => member.client.patch('/v1/users/me', { status: { ...status, text: `${n}` } })),
      ),
    ),
  );
  for (const world of worlds) expect((await heard(world)).size).toBe(world.teams);

  const events = "events WHERE kind = 'installation.updated' AND data_json LIKE ?";
  const changed = ({ application }: World) => count(events, [`%${application.id}%standing%`]);
  const suspension = ({ application }: World) => `/v1/admin/applications/${application.id}/suspension`;
  expectEqual(await heaviest((world) => ada.client.put(suspension(world), {})));
  for (const world of worlds) expect(await changed(world)).toBe(world.teams);
  for (const world of worlds) await ada.client.delete(suspension(world));

  const owner = { user: ada.id };
  await heaviest(({ application }) =>
    ada.client.put(`/v1/admin/applications/${application.id}/owner`, owner),
  );
  const asleep = 'installations WHERE application_id = ? AND asleep_since IS NOT NULL';
  for (const { application, teams } of worlds) expect(await count(asleep, [application.id])).toBe(teams);

  expectEqual(
    await heaviest(async ({ application, teams }) => {
      const deleted = await ada.client.delete(`/v1/applications/${application.id}`);
      expect([deleted.status, deleted.text]).toEqual([200, deleted.text]);
      const live = "installations WHERE application_id = ? AND status = 'active'";
      await until(async () => (await count(live, [application.id])) === 0);
      const notices = "deliveries WHERE application_id = ? AND kind = 'uninstall'";
      expect(await count(notices, [application.id])).toBe(teams);
    }),
  );

  expectEqual(
    await heaviest(async ({ member }) => {
      const json = { password: member.client.password };
      expect((await member.client.ask('DELETE', '/v1/users/me', { json })).status).toBe(200);
      const of = 'memberships WHERE user_id = ?';
      await until(async () => (await count(of, [member.id])) === 0);
      expect(
        await count("audit_log WHERE action = 'member.removed' AND target_id = ?", [member.id]),
      ).toBeGreaterThan(0);
    }),
  );
  const left = "events WHERE kind = 'team.members' AND audience = 'team' AND data_json LIKE ?";
  for (const { member, teams } of worlds)
    expect(await count(left, [`%${member.id}%member_removed%`])).toBe(teams);
});
