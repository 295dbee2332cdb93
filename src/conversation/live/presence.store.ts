import { sql } from 'kysely';
import { inIdList } from '#platform/db/index.ts';
import { deletion, insertion, statement } from '#schema';
import { setOnline } from '../../people/users/index.ts';

interface Some {
  readonly userIds: readonly string[];
}

export const putPresence = insertion('presence')(
  ['user_id', 'node_id', 'lease_until'],
  () => 'ON CONFLICT (user_id, node_id) DO UPDATE SET lease_until = excluded.lease_until',
);

export const deletePresence = statement<Some & { nodeId: string }>()((q, p, dialect) =>
  q
    .deleteFrom('presence')
    .where(inIdList(dialect, 'user_id', p.userIds))
    .where('node_id', '=', p.nodeId),
);

/** Whose lease has ended on some node, the longest ago first. */
export const listExpired = statement<{ now: number; limit: number }>()((q, p) =>
  q
    .selectFrom('presence')
    .select('user_id')
    .where('lease_until', '<=', p.now)
    .orderBy('lease_until')
    .limit(p.limit),
);

export const deleteExpired = statement<Some & { now: number }>()((q, p, dialect) =>
  q
    .deleteFrom('presence')
    .where(inIdList(dialect, 'user_id', p.userIds))
    .where('lease_until', '<=', p.now),
);

export const startOnline = statement<Some & { until: number }>()((q, p, dialect) =>
  setOnline(q, dialect, { whose: inIdList(dialect, 'id', p.userIds), until: p.until }),
);

/** @returns until when they are online because of other leases, or 0 */
export const endOnline = statement<Some & { now: number }>()((q, p, dialect) =>
  setOnline(q, dialect, {
    whose: inIdList(dialect, 'id', p.userIds),
    until: sql<number>`coalesce((SELECT max(lease_until) FROM presence
      WHERE presence.user_id = users.id AND lease_until > ${p.now}), 0)`,
  }).returning(['id', 'online_until']),
);

export const renewLeases = statement<{ nodeId: string; until: number }>()((q, p) =>
  q.updateTable('presence').set({ lease_until: p.until }).where('node_id', '=', p.nodeId),
);

export const renewUsers = statement<{ nodeId: string; until: number }>()((q, p, dialect) => {
  const here = q.selectFrom('presence').select('user_id').where('node_id', '=', p.nodeId);
  return setOnline(q, dialect, { whose: sql<boolean>`id IN ${here}`, until: p.until });
});

export const forgetPresence = deletion('presence')<{ userId: string }>((rows, p) =>
  rows.where('user_id', '=', p.userId),
);
