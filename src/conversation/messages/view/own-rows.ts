import { type RawBuilder, sql } from 'kysely';
import type { Dialect } from '#platform/db/index.ts';
import type { Tables } from '#schema';

/** A conversation is what a reply belongs to: flags and addressees are those of the message that opened it. */
export const conversation = sql<string>`coalesce(messages.root_id, messages.id)`;

/** Which row of each table is a viewer's own, beside `messages`. */
const conditions = (viewerId: string | RawBuilder<unknown>) => ({
  memberships: sql<boolean>`memberships.team_id = messages.team_id AND memberships.user_id = ${viewerId}`,
  read_marks: sql<boolean>`read_marks.team_id = messages.team_id AND read_marks.seq = messages.seq
    AND read_marks.user_id = ${viewerId}`,
  subject_cursors: sql<boolean>`subject_cursors.user_id = ${viewerId}
    AND subject_cursors.team_id = messages.team_id AND subject_cursors.subject_id = messages.subject_id`,
  message_recipients: sql<boolean>`message_recipients.message_id = ${conversation}
    AND message_recipients.user_id = ${viewerId}`,
  message_states: sql<boolean>`message_states.message_id = ${conversation}
    AND message_states.user_id = ${viewerId}`,
  sidebar_users: sql<boolean>`sidebar_users.sidebar_id = messages.sidebar_id
    AND sidebar_users.user_id = ${viewerId}`,
});

export type Own = keyof ReturnType<typeof conditions> & keyof Tables;

/*
 * PostgreSQL knows that a key has one row, and multiplies all the same how often each of its columns occurs: of a person in
 * many teams, in a team of many people, it expects a thousand memberships beside each message, and then reads whole tables
 * for a single message. A subquery with a limit is one row.
 */
const limited = (table: string, on: RawBuilder<unknown>) =>
  sql`LATERAL (SELECT * FROM ${sql.table(table)} WHERE ${on} LIMIT 1)`;

/** @returns what a query is joined with, and on, to have the viewer's own row of a table beside each message */
export function ownRow<Table extends Own>(viewerId: string, dialect: Dialect, table: Table) {
  const on = conditions(viewerId)[table];
  if (dialect === 'sqlite') return { joined: table, on };
  // The columns and their types are those of the table.
  return { joined: limited(table, on).as(table) as unknown as Table, on: sql<boolean>`true` };
}

/** Joins the one row of a table, if there is one. @param on holds for one row at most */
export const leftJoinOne = (dialect: Dialect, table: string, on: RawBuilder<unknown>) =>
  dialect === 'sqlite'
    ? sql`LEFT JOIN ${sql.table(table)} ON ${on}`
    : sql`LEFT JOIN ${limited(table, on)} AS ${sql.table(table)} ON true`;

/** How a person has read a team's stream, joined to `messages`. @param userId as a column: the rows of many people */
export const joinStreamRead = (userId: RawBuilder<unknown>) => {
  const { read_marks, subject_cursors } = conditions(userId);
  return sql`LEFT JOIN read_marks ON ${read_marks} LEFT JOIN subject_cursors ON ${subject_cursors}`;
};

/** Joins the viewer's own rows of some tables to `messages`. */
export const leftJoinOwn = (viewerId: string, dialect: Dialect, tables: readonly Own[]) =>
  sql.join(
    tables.map((table) => leftJoinOne(dialect, table, conditions(viewerId)[table])),
    sql` `,
  );
