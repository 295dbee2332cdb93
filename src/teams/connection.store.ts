import type { Kysely } from 'kysely';
import type { Caller } from '#api';
import { type Dialect, inTextList, type Reader } from '#platform/db/index.ts';
import { parseId } from '#platform/ids.ts';
import type { Tables } from '#schema';
import { query, statement } from '#schema';
import { namedLike, packSummary } from '../people/users/index.ts';
import { teamsOf } from './team.store.ts';

export const shareTeam = statement<{ userId: string; otherId: string }>()((q, p) =>
  q
    .selectFrom('memberships')
    .select('user_id')
    .where('user_id', '=', p.otherId)
    .where('team_id', 'in', teamsOf(q, p.userId))
    .limit(1),
);

/** The teams of one user in which every one of `others` is a member. */
export function listCommonTeams(
  db: Reader,
  userId: string,
  others: readonly string[],
): Promise<{ team_id: string }[]> {
  return query(db, (q) => {
    let found = teamsOf(q, userId).orderBy('memberships.team_id');
    for (const other of others) found = found.where('memberships.team_id', 'in', teamsOf(q, other));
    return found;
  });
}

export interface ConnectionsFilter extends Caller {
  /** Text that fits to the names. */
  name: string | undefined;
  /** Only users with one of these user names, in lower case. */
  usernames: readonly string[] | undefined;
  /** Only users who are connected to each of these, too. */
  others: readonly string[];
  /** Only users whose account is open, or closed. */
  active: boolean | undefined;
}

function connectionsQuery(q: Kysely<Tables>, filter: ConnectionsFilter, dialect: Dialect) {
  const { userId, onlyTeam, name, usernames, others, active } = filter;
  const connectedTo = (id: string) =>
    q
      .selectFrom('memberships as theirs')
      .select('theirs.user_id')
      .where('theirs.team_id', 'in', teamsOf(q, id))
      .where('theirs.user_id', '!=', id)
      .$if(onlyTeam !== undefined, (all) => all.where('theirs.team_id', '=', onlyTeam as string));
  let found = q.selectFrom('users').where('users.id', 'in', connectedTo(userId));
  for (const other of others) found = found.where('users.id', 'in', connectedTo(other));
  if (usernames) found = found.where(inTextList(dialect, 'users.username_key', usernames));
  if (active !== undefined) found = found.where('users.active', '=', Number(active));
  return name === undefined ? found : found.where(namedLike(name));
}

/** By name, then id. */
export function listConnections(
  db: Reader,
  filter: ConnectionsFilter,
  page: { limit: number | undefined; after: readonly string[] | undefined; now: number },
): Promise<{ id: string; name_key: string; packed: string }[]> {
  return query(db, (q, dialect) => {
    let found = connectionsQuery(q, filter, dialect)
      .select(['id', 'name_key'])
      .select(packSummary(dialect, page.now).as('packed'))
      .orderBy('name_key')
      .orderBy('id');
    const [name = '', last] = page.after ?? [];
    const id = parseId(last);
    if (id !== undefined) {
      found = found.where((eb) =>
        eb.or([eb('name_key', '>', name), eb.and([eb('name_key', '=', name), eb('id', '>', id)])]),
      );
    }
    return page.limit === undefined ? found : found.limit(page.limit);
  });
}

export async function countConnections(db: Reader, filter: ConnectionsFilter): Promise<number> {
  const rows = await query(db, (q, dialect) =>
    connectionsQuery(q, filter, dialect).select((eb) => eb.fn.countAll<number>().as('connections')),
  );
  return rows[0]?.connections ?? 0;
}
