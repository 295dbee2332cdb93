import { type Expression, sql } from 'kysely';
import type { Dialect } from './database.ts';

/*
 * A list is one parameter, so that a statement's text does not change with its length and stays prepared. SQLite has no
 * arrays: its connection binds a list as JSON.
 *
 * PostgreSQL gets the list from a subquery, whose length it cannot know. Given the parameter itself, it finds a plan for
 * one id cheaper than the plan for any list, which it takes for ten ids, and then plans each run of the statement. For a
 * message with all that stands beside it, planning takes ten times as long as the reading.
 */

const inList = (
  dialect: Dialect,
  compared: string | Expression<string>,
  values: readonly (string | number)[],
  type: 'uuid' | 'text' | 'bigint',
) => {
  const value = typeof compared === 'string' ? sql.ref(compared) : compared;
  return dialect === 'sqlite'
    ? sql<boolean>`${value} IN (SELECT value FROM json_each(${values}))`
    : sql<boolean>`${value} = ANY(ARRAY(SELECT unnest(CAST(${values} AS ${sql.raw(type)}[]))))`;
};

/** The condition that a column holds one of some ids. */
export const inIdList = (dialect: Dialect, column: string, ids: readonly string[]) =>
  inList(dialect, column, ids, 'uuid');

/** The condition that a column holds one of some times, in milliseconds. */
export const inTimeList = (dialect: Dialect, column: string, times: readonly number[]) =>
  inList(dialect, column, times, 'bigint');

/** An IN list of texts, for a column or an expression. */
export const inTextList = (
  dialect: Dialect,
  compared: string | Expression<string>,
  texts: readonly string[],
) => inList(dialect, compared, texts, 'text');

/**
 * The condition that a column holds one of the ids that a query finds, which are looked up one by one in an index that begins
 * with the column. PostgreSQL would rather join the query, and read all rows in the order that is asked for.
 */
export const inFoundIds = (dialect: Dialect, column: string, found: Expression<string>) =>
  dialect === 'sqlite'
    ? sql<boolean>`${sql.ref(column)} IN ${found}`
    : sql<boolean>`${sql.ref(column)} = ANY(ARRAY${found})`;
