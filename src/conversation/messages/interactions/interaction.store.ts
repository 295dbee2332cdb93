import { type ExpressionBuilder, sql } from 'kysely';
import { inIdList, locked } from '#platform/db/index.ts';
import { deletion, type InteractionRow, modification, statement, type Tables } from '#schema';

/** Of the same click sent at once, one gets a row. */
export const insertInteraction = statement<InteractionRow>()((q, p) =>
  q
    .insertInto('interactions')
    .values({
      id: p.id,
      place_id: p.place_id,
      surface: p.surface,
      message_id: p.message_id,
      form_id: p.form_id,
      team_id: p.team_id,
      application_id: p.application_id,
      user_id: p.user_id,
      kind: p.kind,
      click: p.click,
      block_id: p.block_id,
      action_id: p.action_id,
      value_hash: p.value_hash,
      status: p.status,
      reason: p.reason,
      created_at: p.created_at,
      expires_at: p.expires_at,
      due_at: p.due_at,
      uses: p.uses,
      options_json: p.options_json,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id'),
);

export const findInteraction = statement<{ id: string }>()((q, p) =>
  q.selectFrom('interactions').selectAll().where('id', '=', p.id),
);

type Element = Pick<InteractionRow, 'user_id' | 'place_id' | 'block_id' | 'action_id'>;

const isOf =
  ({ user_id, place_id, block_id, action_id }: Element) =>
  (eb: ExpressionBuilder<Tables, 'interactions'>) =>
    eb.and({ user_id, place_id, block_id, action_id });

export const findClick = statement<Element & Pick<InteractionRow, 'click'>>()((q, p) =>
  q.selectFrom('interactions').selectAll().where(isOf(p)).where('click', '=', p.click),
);

/** The last click of a person on an element, while it waits for its answer. */
export const findPending = statement<Element & { now: number }>()((q, p) =>
  q
    .selectFrom('interactions')
    .selectAll()
    .where('status', '=', 'pending')
    .where('kind', '=', sql.lit('action'))
    .where(isOf(p))
    .where('expires_at', '>', p.now)
    .orderBy('id', 'desc')
    .limit(1),
);

export const listPendingOf = statement<{ messageId: string; limit: number }>()((q, p) =>
  q
    .selectFrom('interactions')
    .select('id')
    .where('status', '=', 'pending')
    .where('kind', '=', sql.lit('action'))
    .where('place_id', '=', p.messageId)
    .orderBy('id')
    .limit(p.limit),
);

/** The visits of a home that its application has not answered. */
export const listOpenings = statement<
  Pick<InteractionRow, 'application_id' | 'team_id' | 'user_id'> & { limit: number }
>()((q, p) =>
  q
    .selectFrom('interactions')
    .select('id')
    .where('status', '=', 'pending')
    .where('kind', '=', sql.lit('opened'))
    .where('place_id', '=', p.team_id)
    .where('user_id', '=', p.user_id)
    .where('application_id', '=', p.application_id)
    .orderBy('id')
    .limit(p.limit),
);

/** Interactions of a team that an application has not answered, the oldest first. Questions for options end by themselves. */
export const listUnanswered = statement<{ applicationId: string; teamId: string; limit: number }>()((q, p) =>
  q
    .selectFrom('interactions')
    .select(['id', 'created_at'])
    .where('status', '=', 'pending')
    .where('kind', '!=', sql.lit('options'))
    .where('application_id', '=', p.applicationId)
    .where('team_id', '=', p.teamId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(p.limit),
);

export const listUnansweredTeams = statement<{ applicationId: string }>()((q, p) =>
  q
    .selectFrom('interactions')
    .select('team_id')
    .distinct()
    .where('status', '=', 'pending')
    .where('kind', '!=', sql.lit('options'))
    .where('application_id', '=', p.applicationId),
);

/** In the order of their ids, so that two who end the same clicks do not wait for each other. */
export const lockPending = statement<{ ids: readonly string[] }>()((q, p, dialect) =>
  locked(
    dialect,
    q
      .selectFrom('interactions')
      .select(['id', 'user_id', 'form_id'])
      .where(inIdList(dialect, 'id', p.ids))
      .where('status', '=', 'pending')
      .orderBy('id'),
    'no key update',
  ),
);

export const endInteractions = statement<
  { ids: readonly string[] } & Pick<InteractionRow, 'status' | 'reason'>
>()((q, p, dialect) =>
  q
    .updateTable('interactions')
    .set({ status: p.status, reason: p.reason, due_at: null })
    .where(inIdList(dialect, 'id', p.ids)),
);

/** The newest question for the same text that has not failed. */
export const findOffer = statement<Element & Pick<InteractionRow, 'value_hash'> & { since: number }>()(
  (q, p) =>
    q
      .selectFrom('interactions')
      .selectAll()
      .where(isOf(p))
      .where('kind', '=', sql.lit('options'))
      .where('value_hash', '=', p.value_hash)
      .where('status', '!=', 'failed')
      .where('created_at', '>', p.since)
      .orderBy('id', 'desc')
      .limit(1),
);

/** The newest offers to a person in a message, a form or a home. */
export const listOffered = statement<{ userId: string; placeId: string; limit: number }>()((q, p) =>
  q
    .selectFrom('interactions')
    .select(['block_id', 'action_id', 'options_json'])
    .where('user_id', '=', p.userId)
    .where('place_id', '=', p.placeId)
    .where('kind', '=', sql.lit('options'))
    .where('status', '=', sql.lit('done'))
    .orderBy('id', 'desc')
    .limit(p.limit),
);

export const setOptions = statement<{ id: string; json: string }>()((q, p) =>
  q
    .updateTable('interactions')
    .set({ options_json: p.json })
    .where('id', '=', p.id)
    .where('status', '=', 'pending')
    .returning('id'),
);

/** Interactions are locked before their forms, and after their messages. */
export const lockInteraction = statement<{ id: string }>()((q, p, dialect) =>
  locked(dialect, q.selectFrom('interactions').selectAll().where('id', '=', p.id), 'no key update'),
);

/** The form with which the application has answered. */
export const setForm = statement<{ id: string; formId: string }>()((q, p) =>
  q.updateTable('interactions').set({ form_id: p.formId }).where('id', '=', p.id),
);

export const anyDue = statement<{ now: number }>()((q, p) =>
  q.selectFrom('interactions').select('id').where('due_at', '<=', p.now).limit(1),
);

export const lockDue = statement<{ now: number; limit: number }>()((q, p, dialect) =>
  locked(
    dialect,
    q.selectFrom('interactions').selectAll().where('due_at', '<=', p.now).orderBy('due_at').limit(p.limit),
    'skip locked',
  ),
);

/** To be looked at again when the time for an answer is over. */
export const wait = statement<{ ids: readonly string[] }>()((q, p, dialect) =>
  q
    .updateTable('interactions')
    .set((eb) => ({ due_at: eb.ref('expires_at') }))
    .where(inIdList(dialect, 'id', p.ids)),
);

/** Clicks that may never be answered any more are looked at now. */
export const hurryOfApplication = modification('interactions')<{ applicationId: string; now: number }>(
  (p) => ({ due_at: p.now }),
  (rows, p) =>
    rows
      .where('status', '=', 'pending')
      .where('application_id', '=', p.applicationId)
      .where('due_at', '>', p.now),
);

export const hurryInTeam = modification('interactions')<{
  applicationId: string;
  teamId: string;
  now: number;
}>(
  (p) => ({ due_at: p.now }),
  (rows, p) =>
    rows
      .where('status', '=', 'pending')
      .where('application_id', '=', p.applicationId)
      .where('team_id', '=', p.teamId)
      .where('due_at', '>', p.now),
);

/** Of concurrent uses, no more than these get a row. */
export const useAddress = statement<{ id: string; most: number }>()((q, p) =>
  q
    .updateTable('interactions')
    .set((eb) => ({ uses: eb('uses', '+', 1) }))
    .where('id', '=', p.id)
    .where('uses', '<', p.most)
    .returning('uses'),
);

/** The response addresses of an application are used up. */
export const endAddresses = modification('interactions')<{
  applicationId: string;
  since: number;
  most: number;
}>(
  (p) => ({ uses: p.most }),
  (rows, p) =>
    rows
      .where('application_id', '=', p.applicationId)
      .where('created_at', '>', p.since)
      .where('uses', '<', p.most),
);

/** Those in a message; forms that were opened from it stay. */
export const deleteInteractions = statement<{ messageId: string }>()((q, p) =>
  q.deleteFrom('interactions').where('place_id', '=', p.messageId),
);

export const purgeInteractions = deletion('interactions')<{ before: number }>((rows, p) =>
  rows.where('created_at', '<', p.before),
);

/** Of deleted applications, once their people are told. */
export const purgeOrphans = deletion('interactions')<object>((rows) =>
  rows
    .where('due_at', 'is', null)
    .where('application_id', 'in', (eb) =>
      eb.selectFrom('applications').select('id').where('active', '=', 0),
    ),
);
