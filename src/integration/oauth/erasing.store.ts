import { deletion } from '#schema';

export const deleteAccessTokensOf = deletion('access_tokens')<{ userId: string }>((rows, p) =>
  rows.where('grant_id', 'in', (eb) =>
    eb.selectFrom('oauth_grants').select('id').where('user_id', '=', p.userId),
  ),
);

export const deleteRefreshTokensOf = deletion('refresh_tokens')<{ userId: string }>((rows, p) =>
  rows.where('grant_id', 'in', (eb) =>
    eb.selectFrom('oauth_grants').select('id').where('user_id', '=', p.userId),
  ),
);

export const deleteCodesOf = deletion('oauth_codes')<{ userId: string }>((rows, p) =>
  rows.where('user_id', '=', p.userId),
);

export const deleteAgreementsOf = deletion('agreements')<{ userId: string }>((rows, p) =>
  rows.where('user_id', '=', p.userId),
);

export const deleteGrantsOf = deletion('oauth_grants')<{ userId: string }>((rows, p) =>
  rows.where('user_id', '=', p.userId),
);
