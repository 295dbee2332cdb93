import { statement } from '#schema';
import { keepOnline } from '../../people/users/index.ts';

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

export const renewUsers = statement<{ nodeId: string; until: number }>()((q, p) => {
  const userIds = q.selectFrom('presence').select('user_id').where('node_id', '=', p.nodeId);
  return keepOnline(q, { userIds: userIds.$asScalar(), until: p.until });
});

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
