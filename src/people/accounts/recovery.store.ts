import { type AccountTokenRow, deletion, statement } from '#schema';

export const insertToken = statement<AccountTokenRow>()((q, p) =>
  q.insertInto('account_tokens').values({
    token_hash: p.token_hash,
    kind: p.kind,
    user_id: p.user_id,
    email_key: p.email_key,
    created_at: p.created_at,
    expires_at: p.expires_at,
  }),
);

/** A valid link: its account is active and still has the address that the link was mailed to. */
export const findToken = statement<{ tokenHash: string; kind: AccountTokenRow['kind']; now: number }>()(
  (q, p) =>
    q
      .selectFrom('account_tokens')
      .innerJoin('users', (join) =>
        join
          .onRef('users.id', '=', 'account_tokens.user_id')
          .onRef('users.email_key', '=', 'account_tokens.email_key'),
      )
      .select('account_tokens.user_id')
      .where('account_tokens.token_hash', '=', p.tokenHash)
      .where('account_tokens.kind', '=', p.kind)
      .where('account_tokens.expires_at', '>', p.now)
      .where('users.active', '=', 1),
);

/** Deletes the token and returns its row. Of concurrent callers, only one gets it. */
export const takeToken = statement<{ tokenHash: string }>()((q, p) =>
  q.deleteFrom('account_tokens').where('token_hash', '=', p.tokenHash).returning('user_id'),
);

export const deleteTokens = statement<{ userId: string; kind: AccountTokenRow['kind'] }>()((q, p) =>
  q.deleteFrom('account_tokens').where('user_id', '=', p.userId).where('kind', '=', p.kind),
);

export const purgeAccountTokens = deletion('account_tokens')<{ now: number }>((rows, p) =>
  rows.where('expires_at', '<=', p.now),
);

export const deleteEveryToken = statement<{ userId: string }>()((q, p) =>
  q.deleteFrom('account_tokens').where('user_id', '=', p.userId),
);
