import type { Kysely } from 'kysely';
import { statement, type Tables } from '#schema';

const grantsOf = (q: Kysely<Tables>, userId: string) =>
  q.selectFrom('oauth_grants').select('id').where('user_id', '=', userId);

export const deleteAccessTokensOf = statement<{ userId: string }>()((q, p) =>
  q.deleteFrom('access_tokens').where('grant_id', 'in', grantsOf(q, p.userId)),
);

export const deleteRefreshTokensOf = statement<{ userId: string }>()((q, p) =>
  q.deleteFrom('refresh_tokens').where('grant_id', 'in', grantsOf(q, p.userId)),
);

export const deleteCodesOf = statement<{ userId: string }>()((q, p) =>
  q.deleteFrom('oauth_codes').where('user_id', '=', p.userId),
);

export const deleteAgreementsOf = statement<{ userId: string }>()((q, p) =>
  q.deleteFrom('agreements').where('user_id', '=', p.userId),
);

export const deleteGrantsOf = statement<{ userId: string }>()((q, p) =>
  q.deleteFrom('oauth_grants').where('user_id', '=', p.userId),
);
