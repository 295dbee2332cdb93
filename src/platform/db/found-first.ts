import type { Dialect } from './database.ts';

/**
 * Has the rows of a query in `with` found before all else. Left to itself, PostgreSQL without statistics of the tables, as
 * after a restore, may begin at the other end of the joins and go through whole tables. SQLite begins at the key anyhow, and
 * is spared the copy of the rows.
 */
export const foundFirst = <Query extends { materialized(): Query }>(dialect: Dialect, query: Query): Query =>
  dialect === 'sqlite' ? query : query.materialized();
