import type { QueryCreator } from 'kysely';
import { inIdList, locked } from '#platform/db/index.ts';
import { type ApplicationRow, deletion, type FormRow, insertion, statement, type Tables } from '#schema';

export const insertForm = insertion('forms')([
  'id',
  'root_id',
  'level',
  'user_id',
  'team_id',
  'application_id',
  'message_id',
  'title',
  'submit',
  'close',
  'callback_id',
  'metadata',
  'notify_on_close',
  'blocks_json',
  'errors_json',
  'hash',
  'submission_id',
  'created_at',
]);

export type SeenForm = FormRow & Pick<ApplicationRow, 'name' | 'icon'>;

export const findForm = statement<{ id: string; since: number }>()((q, p) =>
  q
    .selectFrom('forms')
    .innerJoin('applications', 'applications.id', 'forms.application_id')
    .selectAll('forms')
    .select(['applications.name', 'applications.icon'])
    .where('forms.id', '=', p.id)
    .where('forms.created_at', '>', p.since),
);

/** The form on which one lies. */
export const findBelow = statement<{ rootId: string; level: number }>()((q, p) =>
  q.selectFrom('forms').select('id').where('root_id', '=', p.rootId).where('level', '=', p.level),
);

/** What is done to one stack of forms comes one after the other. */
export const lockStack = statement<{ rootId: string }>()((q, p, dialect) =>
  locked(
    dialect,
    q.selectFrom('forms').selectAll().where('root_id', '=', p.rootId).orderBy('level'),
    'no key update',
  ),
);

/** The forms that wait for the answers to some submissions. */
export const listSubmitted = statement<{ ids: readonly string[] }>()((q, p, dialect) =>
  q
    .selectFrom('forms')
    .select(['root_id', 'submission_id'])
    .where('submission_id', 'is not', null)
    .where(inIdList(dialect, 'submission_id', p.ids))
    .orderBy('root_id'),
);

export const updateForm = statement<
  Pick<
    FormRow,
    | 'id'
    | 'title'
    | 'submit'
    | 'close'
    | 'callback_id'
    | 'metadata'
    | 'notify_on_close'
    | 'blocks_json'
    | 'hash'
    | 'submission_id'
  >
>()((q, p) =>
  q
    .updateTable('forms')
    .set({
      title: p.title,
      submit: p.submit,
      close: p.close,
      callback_id: p.callback_id,
      metadata: p.metadata,
      notify_on_close: p.notify_on_close,
      blocks_json: p.blocks_json,
      hash: p.hash,
      errors_json: null,
      submission_id: p.submission_id,
    })
    .where('id', '=', p.id),
);

export const setSubmission = statement<{ id: string; submissionId: string | null }>()((q, p) =>
  q.updateTable('forms').set({ submission_id: p.submissionId }).where('id', '=', p.id),
);

export const setErrors = statement<{ id: string; json: string; hash: string }>()((q, p) =>
  q
    .updateTable('forms')
    .set({ errors_json: p.json, hash: p.hash, submission_id: null })
    .where('id', '=', p.id),
);

export const deleteForms = statement<{ ids: readonly string[] }>()((q, p, dialect) =>
  q.deleteFrom('forms').where(inIdList(dialect, 'id', p.ids)),
);

const formsOf = (q: QueryCreator<Tables>, of: { userId: string; applicationId: string }) =>
  q
    .selectFrom('forms')
    .select('root_id')
    .where('user_id', '=', of.userId)
    .where('application_id', '=', of.applicationId);

/** The stacks of an application that a person has open, the newest first. */
export const listStacks = statement<{ userId: string; applicationId: string }>()((q, p) =>
  formsOf(q, p).where('level', '=', 1).orderBy('id', 'desc'),
);

/** In the order in which `lockStack` locks them. */
export const deleteFormsOfInstallation = statement<{ applicationId: string; teamId: string }>()(
  (q, p, dialect) => {
    const found = q
      .selectFrom('forms')
      .select('id')
      .where('application_id', '=', p.applicationId)
      .where('team_id', '=', p.teamId)
      .orderBy('root_id')
      .orderBy('level');
    return q.deleteFrom('forms').where('id', 'in', locked(dialect, found));
  },
);

export const purgeForms = deletion('forms')<{ before: number }>((rows, p) =>
  rows.where('created_at', '<=', p.before),
);
