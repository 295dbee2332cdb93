import { type IdList, inIdList } from '#platform/db/index.ts';
import { type ApplicationIconRow, statement } from '#schema';

/** Has a picture fetched. What was fetched from another address is forgotten. */
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

/** One that was not fetched yet comes before those that failed; an owner who has one under way waits. */
export const findDueIcon = statement<{ now: number; busyOwners: IdList }>()((q, p, dialect) =>
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

/** Finds nothing when another server claimed it meanwhile. */
export const claimIcon = statement<{ id: string; now: number; leaseUntil: number }>()((q, p) =>
  q
    .updateTable('application_icons')
    .set({ lease_until: p.leaseUntil })
    .where('application_id', '=', p.id)
    .where('next_fetch_at', '<=', p.now)
    .where('lease_until', '<=', p.now)
    .returningAll(),
);

/** Changes nothing when the lease ran out, or the application has another icon by now. */
export const finishIcon = statement<ApplicationIconRow>()((q, p) =>
  q
    .updateTable('application_icons')
    .set({
      content: p.content,
      num_failures: p.num_failures,
      next_fetch_at: p.next_fetch_at,
      lease_until: 0,
    })
    .where('application_id', '=', p.application_id)
    .where('source', '=', p.source)
    .where('lease_until', '=', p.lease_until),
);
