import { inIdList, locked } from '#platform/db/index.ts';
import { deletion, insertion, lockedQueue, statement } from '#schema';

export const insertJobs = insertion('preview_jobs')([
  'id',
  'message_id',
  'source',
  'url',
  'kind',
  'by_program',
  'num_attempts',
  'due_at',
  'created_at',
]);

/** What is or was looked at for a message. */
export const listJobs = statement<{ messageId: string }>()((q, p) =>
  q.selectFrom('preview_jobs').select(['url', 'kind']).where('message_id', '=', p.messageId),
);

/** The next source with something to do, in the order of their names. */
export const nextSource = statement<{ after: string; now: number }>()((q, p) =>
  q
    .selectFrom('preview_jobs')
    .select('source')
    .where('due_at', 'is not', null)
    .where('due_at', '<=', p.now)
    .where('source', '>', p.after)
    .orderBy('source')
    .limit(1),
);

/** Claims one job of a source: until then it is not due, and after a crash it is again. */
export const claimJob = statement<{ source: string; now: number; until: number }>()((q, p, dialect) =>
  q
    .updateTable('preview_jobs')
    .set((eb) => ({ due_at: p.until, num_attempts: eb('num_attempts', '+', 1) }))
    .where(
      'id',
      'in',
      locked(
        dialect,
        q
          .selectFrom('preview_jobs')
          .select('id')
          .where('due_at', 'is not', null)
          .where('due_at', '<=', p.now)
          .where('source', '=', p.source)
          .orderBy('due_at')
          .limit(1),
        'skip locked',
      ),
    )
    .returningAll(),
);

interface Held {
  readonly id: string;
  /** The end of the claim: whoever has a later one settles the job. */
  readonly held: number | null;
}

/** Another time, which is no attempt. */
export const postponeJob = statement<Held & { dueAt: number }>()((q, p) =>
  q
    .updateTable('preview_jobs')
    .set((eb) => ({ due_at: p.dueAt, num_attempts: eb('num_attempts', '-', 1) }))
    .where('id', '=', p.id)
    .where('due_at', '=', p.held),
);

/** There was nothing to show: the row stays, so that the link is not looked at again. */
export const markSeen = statement<Held>()((q, p) =>
  q.updateTable('preview_jobs').set({ due_at: null }).where('id', '=', p.id).where('due_at', '=', p.held),
);

export const deleteJob = statement<{ id: string }>()((q, p) =>
  q.deleteFrom('preview_jobs').where('id', '=', p.id),
);

/** All of some messages. */
export const deleteJobsAbout = statement<{ ids: readonly string[] }>()((q, p, dialect) =>
  q.deleteFrom('preview_jobs').where(inIdList(dialect, 'message_id', p.ids)),
);

export const purgeJobs = deletion('preview_jobs')<{ before: number }>((rows, p) =>
  rows.where('created_at', '<', p.before),
);

/** What tells whether a link or a picture of a message may be looked at. */
export const findLinked = statement<{ messageId: string }>()((q, p) =>
  q
    .selectFrom('messages')
    .innerJoin('users', 'users.id', 'messages.author_id')
    .leftJoin('teams', 'teams.id', 'messages.team_id')
    .select([
      'messages.text',
      'messages.updated_at',
      'messages.links_json',
      'messages.format',
      'messages.blocks_json',
      'messages.deleted_at',
      'messages.team_id',
      'messages.sidebar_id',
      'messages.application_id',
      'users.is_application',
      'users.prefs_json',
      'users.active as author_active',
      'teams.link_previews',
      'teams.active as team_active',
    ])
    .where('messages.id', '=', p.messageId),
);

export const { state: previewsState } = lockedQueue('preview_jobs', { key: 'id', due: 'due_at' });
