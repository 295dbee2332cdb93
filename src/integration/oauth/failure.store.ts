import { deletion, statement, type TokenFailureRow } from '#schema';

/** Equal failures share a row, so that nobody who repeats wrong requests fills the table or pushes others out. */
export const countFailure = statement<
  Omit<TokenFailureRow, 'num' | 'first_at' | 'last_at'> & { now: number }
>()((q, p) =>
  q
    .insertInto('token_failures')
    .values({
      application_id: p.application_id,
      grant_type: p.grant_type,
      reason: p.reason,
      num: 1,
      first_at: p.now,
      last_at: p.now,
    })
    .onConflict((conflict) =>
      conflict.columns(['application_id', 'grant_type', 'reason']).doUpdateSet((eb) => ({
        num: eb('token_failures.num', '+', 1),
        last_at: eb.ref('excluded.last_at'),
      })),
    ),
);

export const listFailures = statement<{ applicationId: string; limit: number }>()((q, p) =>
  q
    .selectFrom('token_failures')
    .selectAll()
    .where('application_id', '=', p.applicationId)
    .orderBy('last_at', 'desc')
    .orderBy('grant_type')
    .orderBy('reason')
    .limit(p.limit),
);

export const purgeFailures = deletion('token_failures')<{ before: number }>((rows, p) =>
  rows.where('last_at', '<', p.before),
);
