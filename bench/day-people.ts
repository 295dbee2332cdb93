import type { Database } from '#platform/db/index.ts';
import { newId } from '#platform/ids.ts';
import type { Client } from '../test/support/client.ts';
import { subscribe } from '../test/support/feed.ts';
import { type ApplicationHost, install, type Person, register } from '../test/support/people.ts';
import { insert, userRow } from './seed.ts';
import { seedSessions } from './sessions-seed.ts';

/** The size of a company. */
export interface Size {
  readonly people: number;
  readonly teams: number;
  /** Of a team, without the owner, who is in each. */
  readonly members: number;
}

export interface Colleague {
  readonly id: string;
  readonly name: string;
  readonly cookie: string;
  readonly teams: readonly string[];
}

export interface Company {
  readonly people: readonly Colleague[];
  readonly teams: readonly { readonly id: string; readonly members: readonly Colleague[] }[];
}

/** The programs that take part: an application with a webhook and a consumer, and an incoming webhook for each team. */
export interface Programs {
  readonly owner: Person;
  readonly application: Client;
  readonly applicationId: string;
  readonly subscription: string;
  /** The paths of incoming webhooks, by team. */
  readonly hooks: ReadonlyMap<string, string>;
}

/** Inserts people, teams and sessions. @param owner is an admin of each team */
export async function seedCompany(
  db: Database,
  owner: string,
  cookieKey: Buffer,
  size: Size,
): Promise<Company> {
  const now = Date.now();
  const made = { created_at: now, updated_at: now };
  const users = Array.from({ length: size.people }, (_, index) => userRow(index + 1));
  const teams = Array.from({ length: size.teams }, (_, index) => ({
    id: newId(),
    members: Array.from(
      { length: size.members },
      (_, place) => users[(index * Math.ceil(size.people / size.teams) + place * 7) % size.people],
    ).filter((user, place, all) => user !== undefined && all.indexOf(user) === place) as typeof users,
  }));
  const look = { color: '#1f6feb', icon: '', active: 1, message_seq: 0 };
  const plain = { is_muted: 0, is_favorite: 0, read_seq: 0, inviter_id: owner };
  await db.write(
    async (tx) => {
      for (const user of users) await insert(tx, 'users', user);
      for (const [index, { id, members }] of teams.entries()) {
        const num_members = members.length + 1;
        await insert(tx, 'teams', { id, name: `Team ${index}`, ...look, num_members, ...made });
        const all = [{ user_id: owner, membership_type: 1 }];
        for (const user of members) all.push({ user_id: user.id, membership_type: 2 });
        for (const one of all) await insert(tx, 'memberships', { team_id: id, ...one, ...plain, ...made });
      }
    },
    { patient: true },
  );
  // PostgreSQL counts new rows a minute later, and reads whole tables until then.
  if (db.dialect === 'postgres') await db.all('ANALYZE', []);
  const ids = users.map(({ id }) => id);
  const cookies = await seedSessions(db, ids, cookieKey);
  const people = users.map(({ id, username }, index) => ({
    id,
    name: String(username),
    cookie: cookies[index] as string,
    teams: teams.filter(({ members }) => members.some((one) => one.id === id)).map((team) => team.id),
  }));
  const byId = new Map(people.map((one) => [one.id, one]));
  return {
    people,
    teams: teams.map(({ id, members }) => ({
      id,
      members: members.map((user) => byId.get(user.id) as Colleague),
    })),
  };
}

/** Registers and installs what takes part, by the interface. */
export async function addPrograms(owner: Person, company: Company, host: ApplicationHost): Promise<Programs> {
  const app = await register(owner, host, { scopes: ['messages:read'] });
  const hooks = new Map<string, string>();
  for (const { id } of company.teams) {
    await install(owner, id, app);
    const { data } = await owner.client.post(`/v1/teams/${id}/webhooks`, { name: 'Deployments' });
    hooks.set(id, new URL(data[0].url).pathname);
  }
  const { id: subscription } = await subscribe(app, { webhook: { url: `${host.url}/heard`, batch: 20 } });
  return { owner, application: app.credentials, applicationId: app.id, subscription, hooks };
}
