import { inIdList } from '#platform/db/index.ts';
import { deletion, fairQueue, insertion, type NoticeJobRow, statement } from '#schema';

/** Inserts jobs together: most messages come with one. */
export const insertJobs = insertion('notice_jobs')([
  'id',
  'kind',
  'message_id',
  'lane',
  'source',
  'cursor',
  'num_failures',
  'next_attempt_at',
  'created_at',
  'call_json',
]);

/** Finds whom a message names, addresses or answers. */
export const NAMED = 0;
/** Finds the members who want every message of their team. */
export const READERS = 1;

export const noticeQueue = fairQueue('notice_jobs', {
  key: 'id',
  due: 'next_attempt_at',
  failures: 'num_failures',
  lane: 'lane',
  source: 'source',
});

/** Puts a job behind the others of its lane and author. */
export const moveJobOn = statement<{ id: string; lane: number; cursor: string; now: number }>()((q, p) =>
  q
    .updateTable('notice_jobs')
    .set({ lane: p.lane, cursor: p.cursor, next_attempt_at: p.now })
    .where('id', '=', p.id),
);

export const postponeJob = statement<Pick<NoticeJobRow, 'id' | 'num_failures' | 'next_attempt_at'>>()(
  (q, p) =>
    q
      .updateTable('notice_jobs')
      .set({ num_failures: p.num_failures, next_attempt_at: p.next_attempt_at })
      .where('id', '=', p.id),
);

export const deleteJob = statement<{ id: string }>()((q, p) =>
  q.deleteFrom('notice_jobs').where('id', '=', p.id),
);

/** Deletes old jobs that are not tried any more. */
export const purgeNotices = deletion('notice_jobs')<{ before: number }>((rows, p) =>
  rows.where('created_at', '<', p.before).where('next_attempt_at', 'is', null),
);

/** Deletes the jobs to tell people of some messages. */
export const deleteJobsAbout = statement<{ ids: readonly string[] }>()((q, p, dialect) =>
  q.deleteFrom('notice_jobs').where(inIdList(dialect, 'message_id', p.ids)),
);
