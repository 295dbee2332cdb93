import { type Expression, sql } from 'kysely';
import type { Column } from '#platform/db/index.ts';

/** A person in a statement, or a team: its column, or its id. */
type Given = string | null | Expression<unknown>;

/** Somebody of whom it is asked how others are. */
export interface Onlooker {
  readonly userId: string;
  /** The only team whose people are known to a token; undefined for all teams of the user. */
  readonly onlyTeam?: string | undefined;
}

/** Whether a person is in a team: one look into the primary key. PostgreSQL does not make a table of all members of it. */
export const isInTeam = (teamId: Given, personId: Given) => sql<boolean>`(SELECT 1 FROM memberships AS theirs
  WHERE theirs.team_id = ${teamId} AND theirs.user_id = ${personId}) = 1`;

/** Whether two people share a team that exists. */
export const shareAnyTeam = (
  userId: Given,
  personId: Given,
) => sql<boolean>`(SELECT 1 FROM memberships AS theirs
  INNER JOIN memberships AS mine ON mine.team_id = theirs.team_id
  INNER JOIN teams AS shared ON shared.id = theirs.team_id
  WHERE theirs.user_id = ${personId} AND mine.user_id = ${userId} AND shared.active = 1 LIMIT 1) = 1`;

/** Whether an onlooker knows a person: by a team, or because it is themselves. @param near where they may be together */
export function isKnownTo(
  { userId, onlyTeam }: Onlooker,
  personId: Expression<unknown>,
  near: string | null = null,
) {
  const isSelf = sql<boolean>`${personId} = ${userId}`;
  if (onlyTeam !== undefined) return sql<boolean>`${isSelf} OR ${isInTeam(onlyTeam, personId)}`;
  const isNear = near === null ? sql`` : sql`OR ${isInTeam(near, personId)}`;
  return sql<boolean>`${isSelf} ${isNear} OR ${shareAnyTeam(userId, personId)}`;
}

type Whereabouts = Record<'online_until' | 'status_json' | 'do_not_disturb_until', Column>;

/**
 * How a person is, of a table that stands for `users`, for one who knows them, and nothing for all others. Who is looked for
 * only where there is something to see.
 */
export function whereaboutsColumns(table: string, isKnown: Expression<unknown>) {
  const [online, status] = [sql.ref(`${table}.online_until`), sql.ref(`${table}.status_json`)];
  const quiet = sql.ref(`${table}.do_not_disturb_until`);
  return {
    online_until: sql<number>`CASE WHEN ${online} > 0 AND (${isKnown}) THEN ${online} ELSE 0 END`,
    status_json: sql<string | null>`CASE WHEN ${status} IS NOT NULL AND (${isKnown}) THEN ${status} END`,
    do_not_disturb_until: sql<number>`CASE WHEN ${quiet} > 0 AND (${isKnown}) THEN ${quiet} ELSE 0 END`,
  } satisfies Whereabouts;
}
