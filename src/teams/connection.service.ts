import { type Caller, InvalidFields, listPage, type PageOrAll, Written } from '#api';
import type { Database } from '#platform/db/index.ts';
import { type Clock, parseId } from '#platform/ids.ts';
import type { UserSummary } from '../people/users/index.ts';
import { countConnections, listCommonTeams, listConnections } from './connection.store.ts';

export interface Connections {
  users: Written<UserSummary>;
  /** The total number; undefined for a search by name or user name. */
  total: number | undefined;
  next: string | null;
}

const readNames = (given: readonly string[]) =>
  [...new Set(given.map((name) => name.toLowerCase()))].filter((name) => name !== '');

/** A list of ids given repeatedly, separated by commas, or both. @throws InvalidFields when one of them is no id */
function readIds(given: readonly string[]): string[] {
  const ids = given.flatMap((text) => text.split(',')).map((text) => text.trim());
  return [...new Set(ids.filter((text) => text !== '').map((text) => readId('users', text)))];
}

/** An empty answer to a misspelt id would look like nothing in common. */
function readId(field: 'users' | 'team', text: string): string {
  const id = parseId(text);
  if (id) return id;
  throw new InvalidFields({
    field,
    message: `must be ${field === 'team' ? 'the id of a team' : 'ids of users'}, and this is not one: ${text.slice(0, 60)}`,
  });
}

export type ConnectionService = ReturnType<typeof connectionService>;

export function connectionService(deps: {
  db: Database;
  clock: Clock;
  writeSummary: (packed: string) => string;
}) {
  const { db, clock, writeSummary } = deps;

  /** The members of all teams of the caller, without the caller. @throws InvalidFields for a malformed id */
  async function list(
    caller: Caller,
    asked: {
      name?: string;
      usernames?: readonly string[];
      users: readonly string[];
      active?: boolean;
      team?: string;
    },
    page: PageOrAll,
  ): Promise<Connections> {
    const others = readIds(asked.users);
    const byName = asked.name !== undefined && asked.name.trim() !== '';
    const usernames = asked.usernames && readNames(asked.usernames);
    const searched = byName || usernames !== undefined;
    if (usernames?.length === 0)
      return { users: new Written([]), total: searched ? undefined : 0, next: null };
    const { active, team } = asked;
    const onlyTeam = team === undefined ? caller.onlyTeam : readId('team', team);
    const filter = {
      ...caller,
      onlyTeam,
      name: byName ? asked.name?.trim() : undefined,
      usernames,
      others,
      active,
    };
    const { rows, next } = await listPage(
      page,
      (limit) => listConnections(db, filter, { after: page.after, limit, now: clock() }),
      (row) => [row.name_key, row.id],
    );
    const total = searched
      ? undefined
      : page.limit === undefined
        ? rows.length
        : await countConnections(db, filter);
    return { users: new Written(rows.map(({ packed }) => [writeSummary(packed)])), total, next };
  }

  /** Ids of the caller's teams in which each of `users` is a member. */
  async function commonTeams({ userId, onlyTeam }: Caller, users: readonly string[]): Promise<string[]> {
    const others = readIds(users);
    const common = (await listCommonTeams(db, userId, others)).map((row) => row.team_id);
    return onlyTeam === undefined ? common : common.filter((id) => id === onlyTeam);
  }

  return { list, commonTeams };
}
