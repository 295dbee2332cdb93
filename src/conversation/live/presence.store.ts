import { locked } from '#platform/db/index.ts';
import { statement } from '#schema';

export const putPresence = statement<{ userId: string; nodeId: string; until: number }>()((q, p) =>
  q
    .insertInto('presence')
    .values({ user_id: p.userId, node_id: p.nodeId, lease_until: p.until })
    .onConflict((conflict) => conflict.columns(['user_id', 'node_id']).doUpdateSet({ lease_until: p.until })),
);

export const deletePresence = statement<{ userId: string; nodeId: string }>()((q, p) =>
  q.deleteFrom('presence').where('user_id', '=', p.userId).where('node_id', '=', p.nodeId),
);

export const deleteExpired = statement<{ now: number }>()((q, p) =>
  q.deleteFrom('presence').where('lease_until', '<=', p.now).returning('user_id'),
);

export const renewLeases = statement<{ nodeId: string; until: number }>()((q, p) =>
  q.updateTable('presence').set({ lease_until: p.until }).where('node_id', '=', p.nodeId),
);

export const renewUsers = statement<{ nodeId: string; until: number }>()((q, p) =>
  q
    .updateTable('users')
    .set({ online_until: p.until })
    .where('id', 'in', q.selectFrom('presence').select('user_id').where('node_id', '=', p.nodeId)),
);

/**
 * The user's row, held until the commit: two nodes must not both think that theirs was the last stream. Nothing for
 * somebody whose account was deleted: nobody is told that they are gone, and nothing of it is left behind.
 */
export const holdOnline = statement<{ userId: string }>()((q, p, dialect) => {
  const found = q
    .selectFrom('users')
    .select('online_until')
    .where('id', '=', p.userId)
    .where('deleted_at', 'is', null);
  return locked(dialect, found);
});

export const setOnline = statement<{ userId: string; until: number }>()((q, p) =>
  q.updateTable('users').set({ online_until: p.until }).where('id', '=', p.userId),
);

export const findLease = statement<{ userId: string; now: number }>()((q, p) =>
  q
    .selectFrom('presence')
    .select('lease_until')
    .where('user_id', '=', p.userId)
    .where('lease_until', '>', p.now)
    .orderBy('lease_until', 'desc')
    .limit(1),
);

export const forgetPresence = statement<{ userId: string }>()((q, p) =>
  q.deleteFrom('presence').where('user_id', '=', p.userId),
);
