import { sql } from 'kysely';
import { inIdList, rawSelect } from '#platform/db/index.ts';
import { leasedQueue, statement } from '#schema';

/**
 * Has the messages that mention an object indexed anew: in a pass that begins when the row is due, also where an earlier
 * pass is under way or has just ended.
 */
export const wantReindexing = statement<{ objectId: string; applicationId: string; now: number }>()((q, p) =>
  q
    .insertInto('message_index_jobs')
    .values({
      object_id: p.objectId,
      application_id: p.applicationId,
      is_wanted: 1,
      place: null,
      num_left: 0,
      due_at: p.now,
      lease_until: 0,
    })
    .onConflict((conflict) => conflict.column('object_id').doUpdateSet({ is_wanted: 1 })),
);

const queue = leasedQueue('message_index_jobs', { key: 'object_id', due: 'due_at', lease: 'lease_until' });

export const anyDue = statement<{ now: number }>()((q, p) =>
  q
    .selectFrom('message_index_jobs')
    .select('object_id')
    .where('due_at', '<=', p.now)
    .where('lease_until', '<=', p.now)
    .limit(1),
);

/** The first owner of applications, by id after the given one, for whom something is due. */
export const nextOwner = statement<{ after: string; now: number }>()((q, p) =>
  q
    .selectFrom('applications')
    .select('owner_id')
    .where('owner_id', '>', p.after)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('message_index_jobs')
          .select('object_id')
          .whereRef('message_index_jobs.application_id', '=', 'applications.id')
          .where('due_at', '<=', p.now)
          .where('lease_until', '<=', p.now),
      ),
    )
    .orderBy('owner_id')
    .limit(1),
);

export const claimOfOwner = queue.claim<{ ownerId: string }>((due, p) =>
  due.where('application_id', 'in', ({ selectFrom }) =>
    selectFrom('applications').select('id').where('owner_id', '=', p.ownerId),
  ),
);

export const settleJob = queue.settle(['place', 'num_left', 'due_at']);

/** Renames from now on want another pass. */
export const beginPass = statement<{ objectId: string; place: number; numLeft: number }>()((q, p) =>
  q
    .updateTable('message_index_jobs')
    .set({ is_wanted: 0, place: p.place, num_left: p.numLeft })
    .where('object_id', '=', p.objectId),
);

export const deleteJob = statement<{ objectId: string }>()((q, p) =>
  q.deleteFrom('message_index_jobs').where('object_id', '=', p.objectId),
);

/**
 * The newest messages before a place that have a mark. On PostgreSQL the inner statement is planned by itself: with the
 * limit in view, a rare mark would be looked for through the whole table from its end.
 */
export const listMarked = statement<{ mark: string; before: number; limit: number }>()((q, p, dialect) =>
  rawSelect(
    q,
    sql<{ place: number; message_id: string }>`SELECT place, message_id FROM ${
      dialect === 'sqlite'
        ? sql`message_words INNER JOIN message_index ON place = message_words.rowid
          WHERE message_words MATCH ${p.mark} AND message_words.rowid < ${p.before} ORDER BY message_words.rowid DESC`
        : sql`(SELECT place, message_id FROM message_index
            WHERE words @@ CAST(${p.mark} AS tsquery) AND place < ${p.before} OFFSET 0) AS marked ORDER BY place DESC`
    } LIMIT ${p.limit}`,
  ),
);

/** Locks messages, but for those that other transactions have locked. */
export const lockFree = statement<{ ids: readonly string[] }>()((q, p, dialect) => {
  const found = q
    .selectFrom('messages')
    .selectAll()
    .where(inIdList(dialect, 'id', p.ids))
    .orderBy('id');
  return dialect === 'sqlite' ? found : found.forNoKeyUpdate().skipLocked();
});

/** A message is locked before its row in the queue. */
export const enqueueAll = statement<{ ids: readonly string[]; now: number }>()((q, p, dialect) => {
  const found = q
    .selectFrom('messages')
    .select([
      'id',
      sql<number>`CAST(${p.now} AS ${sql.raw(dialect === 'sqlite' ? 'integer' : 'bigint')})`.as('now'),
    ])
    .where(inIdList(dialect, 'id', p.ids))
    .where('deleted_at', 'is', null)
    .orderBy('id');
  return q
    .insertInto('message_index_queue')
    .columns(['message_id', 'queued_at'])
    .expression(dialect === 'sqlite' ? found : found.forKeyShare())
    .onConflict((conflict) => conflict.doNothing());
});
