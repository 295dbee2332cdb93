import type { Expression, Kysely } from 'kysely';
import { locked } from '#platform/db/index.ts';
import { statement, type Tables } from '#schema';

/**
 * How long a user is online, with their row locked: two nodes must not both think that theirs was the last stream. No
 * row for a deleted account: its departure is not announced. Messages, which refer to their author, do not wait for that.
 */
export const lockOnline = statement<{ userId: string }>()((q, p, dialect) => {
  const found = q
    .selectFrom('users')
    .select('online_until')
    .where('id', '=', p.userId)
    .where('deleted_at', 'is', null);
  return locked(dialect, found, 'no key update');
});

export const setOnline = statement<{ userId: string; until: number }>()((q, p) =>
  q.updateTable('users').set({ online_until: p.until }).where('id', '=', p.userId),
);

/** The same for several users, as a statement of the domain that knows who they are. */
export const keepOnline = (
  q: Kysely<Tables>,
  { userIds, until }: { userIds: Expression<string>; until: number },
) => q.updateTable('users').set({ online_until: until }).where('id', 'in', userIds);
