import type { Kysely } from 'kysely';
import { statement, type Tables } from '#schema';

export const pageOfDeliveries = statement<{ after: string; limit: number }>()((q, p) =>
  q
    .selectFrom('deliveries')
    .select(['id', 'body_json'])
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

export const rewriteDelivery = statement<{ id: string; body: string }>()((q, p) =>
  q.updateTable('deliveries').set({ body_json: p.body }).where('id', '=', p.id),
);

export const forgetResponses = statement<{ deliveryId: string }>()((q, p) =>
  q
    .updateTable('delivery_attempts')
    .set({ response_headers_json: null, response_body: null })
    .where('delivery_id', '=', p.deliveryId),
);

/** A message with what tells whether others see it. */
export interface Written {
  id: string;
  team_id: string | null;
  sidebar_id: string | null;
  addressed_users_json: string;
  root_author_id: string | null;
}

export const pageOfWritten = statement<{ userId: string; after: string; limit: number }>()((q, p) =>
  q
    .selectFrom('messages')
    .leftJoin('messages as root', 'root.id', 'messages.root_id')
    .select(['messages.id', 'messages.team_id', 'messages.sidebar_id', 'messages.addressed_users_json'])
    .select('root.author_id as root_author_id')
    .where('messages.author_id', '=', p.userId)
    .where('messages.id', '>', p.after)
    .orderBy('messages.id')
    .limit(p.limit),
);

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
