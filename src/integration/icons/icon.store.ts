import { inIdList } from '#platform/db/index.ts';
import { leasedQueue, statement } from '#schema';

/** Plans a fetch. Drops the picture of the address before. */
export const planIcon = statement<{ applicationId: string; source: string; now: number }>()((q, p) =>
  q
    .insertInto('application_icons')
    .values({
      application_id: p.applicationId,
      source: p.source,
      content: null,
      num_failures: 0,
      next_fetch_at: p.now,
      lease_until: 0,
    })
    .onConflict((conflict) =>
      conflict.column('application_id').doUpdateSet({
        source: p.source,
        content: null,
        num_failures: 0,
        next_fetch_at: p.now,
        lease_until: 0,
      }),
    ),
);

export const deleteIcon = statement<{ applicationId: string }>()((q, p) =>
  q.deleteFrom('application_icons').where('application_id', '=', p.applicationId),
);

export const findIcon = statement<{ applicationId: string }>()((q, p) =>
  q.selectFrom('application_icons').selectAll().where('application_id', '=', p.applicationId),
);

/** New pictures come before failed ones. Skips owners who have a fetch under way. */
export const findDueIcon = statement<{ now: number; busyOwners: readonly string[] }>()((q, p, dialect) =>
  q
    .selectFrom('application_icons')
    .innerJoin('applications', 'applications.id', 'application_icons.application_id')
    .select(['application_id', 'owner_id'])
    .where('next_fetch_at', '<=', p.now)
    .where('lease_until', '<=', p.now)
    .where((where) => where.not(inIdList(dialect, 'owner_id', p.busyOwners)))
    .orderBy('num_failures')
    .orderBy('next_fetch_at')
    .limit(1),
);

const queue = leasedQueue('application_icons', {
  key: 'application_id',
  due: 'next_fetch_at',
  failures: 'num_failures',
  lease: 'lease_until',
});

export const { claimOne: claimIcon, state: iconsState } = queue;

/** A fetched picture is dropped where the application has another icon by now. */
export const settleIcon = queue.settle(['content', 'num_failures', 'next_fetch_at'], ['source']);
