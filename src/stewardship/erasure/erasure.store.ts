import { sql } from 'kysely';
import { locked } from '#platform/db/index.ts';
import { type ErasureRow, leasedQueue, statement } from '#schema';

export const beginErasure = statement<ErasureRow>()((q, p) =>
  q
    .insertInto('erasures')
    .values({
      subject_id: p.subject_id,
      kind: p.kind,
      step: p.step,
      place: p.place,
      due_at: p.due_at,
      lease_until: p.lease_until,
    })
    .onConflict((conflict) => conflict.doNothing()),
);

export const {
  claimDue: claimDueErasures,
  renew: renewErasure,
  state: erasuresState,
} = leasedQueue('erasures', {
  key: 'subject_id',
  due: 'due_at',
  lease: 'lease_until',
});

export const saveErasure = statement<Omit<ErasureRow, 'kind'>>()((q, p) =>
  q
    .updateTable('erasures')
    .set({ step: p.step, place: p.place, due_at: p.due_at, lease_until: p.lease_until })
    .where('subject_id', '=', p.subject_id),
);

export const finishErasure = statement<{ id: string }>()((q, p) =>
  q.deleteFrom('erasures').where('subject_id', '=', p.id),
);

/** Claims teams that were deleted too long ago to be restored. Gives each to one caller. */
export const claimTeams = statement<{ before: number; limit: number }>()((q, p, dialect) => {
  const due = q
    .selectFrom('teams')
    .select('id')
    .where('active', '=', 0)
    .where('erasing', '=', 0)
    .where('deleted_at', '<=', p.before)
    .orderBy('deleted_at')
    .limit(p.limit);
  return q
    .updateTable('teams')
    .set({ erasing: 1 })
    .where('id', 'in', locked(dialect, due, 'skip locked'))
    .returning('id');
});

/** Answers that are kept for a day under an Idempotency-Key. */
export const forgetAnswers = statement<{ userId: string }>()((q, p) =>
  q.deleteFrom('idempotency_keys').where('scope', '=', p.userId),
);

/** The same, of the applications that acted for the user. */
export const forgetAnswersToTokens = statement<{ userId: string }>()((q, p) =>
  q
    .deleteFrom('idempotency_keys')
    .where(
      'scope',
      'in',
      q
        .selectFrom('oauth_grants')
        .select(
          sql<string>`CAST(user_id AS text) || ':' || CAST(application_id AS text) || ':' || CAST(team_id AS text)`.as(
            'scope',
          ),
        )
        .where('user_id', '=', p.userId),
    ),
);

export const forgetStates = statement<{ userId: string }>()((q, p) =>
  q.deleteFrom('message_states').where('user_id', '=', p.userId),
);
