import { type Expression, type Kysely, type SqlBool, sql } from 'kysely';
import { type Dialect, inIdList, locked } from '#platform/db/index.ts';
import { statement, type Tables } from '#schema';

/**
 * How long some users are online, with their rows locked: two nodes must not both think that theirs was the last stream. No
 * row for a deleted account: its departure is not announced. Messages, which refer to their author, do not wait for that.
 */
export const lockOnline = statement<{ userIds: readonly string[] }>()((q, p, dialect) =>
  locked(
    dialect,
    q
      .selectFrom('users')
      .select(['id', 'online_until', 'is_invisible'])
      .where(inIdList(dialect, 'id', p.userIds))
      .where('deleted_at', 'is', null)
      .orderBy('id'),
    'no key update',
  ),
);

/**
 * Sets how long others see users online, as a statement of the domain that knows it: not at all, while they are invisible. Their rows are locked in the order in which
 * {@link lockOnline} does it, so that no two nodes wait for each other.
 */
export function setOnline(
  q: Kysely<Tables>,
  dialect: Dialect,
  { whose, until }: { whose: Expression<SqlBool>; until: number | Expression<number> },
) {
  const found = q.selectFrom('users').select('id').where(whose).orderBy('id');
  return q
    .updateTable('users')
    .set({ online_until: sql<number>`CASE WHEN is_invisible = 1 THEN CAST(0 AS bigint) ELSE ${until} END` })
    .where('id', 'in', locked(dialect, found, 'no key update'));
}
