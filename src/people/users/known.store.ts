import { type Expression, sql } from 'kysely';
import { type Column, type Dialect, packing } from '#platform/db/index.ts';

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

interface Whereabouts {
  readonly online_until: number;
  readonly status_json: string | null;
  readonly do_not_disturb_until: number;
}
const whereabouts = packing<Whereabouts>('online_until', 'status_json', 'do_not_disturb_until');

const refsOf = (table: string) => ({
  online: sql.ref(`${table}.online_until`),
  status: sql.ref(`${table}.status_json`),
  quiet: sql.ref(`${table}.do_not_disturb_until`),
});

/** How a person is at a time: the columns are the same as long as that is. */
export function columnsNow(table: string, now: number) {
  const { online, status, quiet } = refsOf(table);
  const ever = sql.lit(Number.MAX_SAFE_INTEGER);
  const statusEnds = sql.ref(`${table}.status_until`);
  return {
    online_until: sql`CASE WHEN ${online} > ${now} THEN ${ever} ELSE 0 END`,
    status_json: sql`CASE WHEN coalesce(${statusEnds}, ${ever}) > ${now} THEN ${status} END`,
    do_not_disturb_until: sql`CASE WHEN ${quiet} > ${now} THEN ${quiet} ELSE 0 END`,
  } satisfies Record<keyof Whereabouts, Column>;
}

interface Seen {
  readonly table: string;
  readonly now: number;
  readonly isKnown: Expression<unknown>;
}

/** The same as one text, for one who knows the person; null for all others, and where there is nothing to see. */
export function packWhereabouts(dialect: Dialect, { table, now, isKnown }: Seen) {
  const { online, status, quiet } = refsOf(table);
  // SQLite would put its JSON into other JSON as an array: joined to nothing it is a text.
  return sql<string | null>`CASE WHEN (${online} > ${now} OR ${status} IS NOT NULL OR ${quiet} > ${now})
    AND (${isKnown}) THEN ${whereabouts.pack(dialect, columnsNow(table, now))} || '' END`;
}

const NOWHERE: Whereabouts = { online_until: 0, status_json: null, do_not_disturb_until: 0 };

export const unpackWhereabouts = (packed: string | null): Whereabouts =>
  packed === null ? NOWHERE : whereabouts.unpack(packed);

/**
 * How a person is, of a table that stands for `users`, for one who knows them, and nothing for all others. Who is looked for
 * only where there is something to see.
 */
export function whereaboutsColumns(table: string, isKnown: Expression<unknown>) {
  const { online, status, quiet } = refsOf(table);
  return {
    online_until: sql<number>`CASE WHEN ${online} > 0 AND (${isKnown}) THEN ${online} ELSE 0 END`,
    status_json: sql<string | null>`CASE WHEN ${status} IS NOT NULL AND (${isKnown}) THEN ${status} END`,
    do_not_disturb_until: sql<number>`CASE WHEN ${quiet} > 0 AND (${isKnown}) THEN ${quiet} ELSE 0 END`,
  } satisfies Record<keyof Whereabouts, Column>;
}
