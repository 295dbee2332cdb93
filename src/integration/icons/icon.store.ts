import { locked } from '#platform/db/index.ts';
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

/** Tells without a transaction whether there is anything to claim. */
export const anyIconDue = statement<{ now: number }>()((q, p) =>
  q
    .selectFrom('application_icons')
    .select('application_id')
    .where('next_fetch_at', '<=', p.now)
    .where('lease_until', '<=', p.now)
    .limit(1),
);

export const claimIcons = statement<{ now: number; leaseUntil: number; limit: number }>()((q, p, dialect) => {
  const due = q
    .selectFrom('application_icons')
    .select('application_id')
    .where('next_fetch_at', '<=', p.now)
    .where('lease_until', '<=', p.now)
    .orderBy('next_fetch_at')
    .limit(p.limit);
  return q
    .updateTable('application_icons')
    .set({ lease_until: p.leaseUntil })
    .where('application_id', 'in', locked(dialect, due, 'skip locked'))
    .returningAll();
});

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
