import {
  type AccessTokenRow,
  type CodeRow,
  type GrantRow,
  type RefreshTokenRow,
  statement,
} from '../schema/index.ts';

export const insertCode = statement<Omit<CodeRow, 'used_at' | 'grant_id'>>()((q, p) =>
  q.insertInto('oauth_codes').values({
    code_hash: p.code_hash,
    application_id: p.application_id,
    user_id: p.user_id,
    team_id: p.team_id,
    redirect_uri: p.redirect_uri,
    code_challenge: p.code_challenge,
    scopes_json: p.scopes_json,
    created_at: p.created_at,
    expires_at: p.expires_at,
    used_at: null,
    grant_id: null,
  }),
);

export const findCode = statement<{ codeHash: string }>()((q, p) =>
  q.selectFrom('oauth_codes').selectAll().where('code_hash', '=', p.codeHash),
);

/** Gives a row to whoever comes first. */
export const useCode = statement<{ codeHash: string; grantId: string; now: number }>()((q, p) =>
  q
    .updateTable('oauth_codes')
    .set({ used_at: p.now, grant_id: p.grantId })
    .where('code_hash', '=', p.codeHash)
    .where('used_at', 'is', null)
    .returning('code_hash'),
);

export const insertGrant = statement<Omit<GrantRow, 'revoked_at'>>()((q, p) =>
  q.insertInto('oauth_grants').values({
    id: p.id,
    application_id: p.application_id,
    user_id: p.user_id,
    team_id: p.team_id,
    scopes_json: p.scopes_json,
    created_at: p.created_at,
    revoked_at: null,
  }),
);

export const insertAccessToken = statement<AccessTokenRow>()((q, p) =>
  q
    .insertInto('access_tokens')
    .values({ token_hash: p.token_hash, grant_id: p.grant_id, expires_at: p.expires_at }),
);

export const insertRefreshToken = statement<Omit<RefreshTokenRow, 'rotated_at'>>()((q, p) =>
  q
    .insertInto('refresh_tokens')
    .values({ token_hash: p.token_hash, grant_id: p.grant_id, expires_at: p.expires_at, rotated_at: null }),
);

/** A token that is good now, of a user whose account works. */
export const findAccessToken = statement<{ tokenHash: string; now: number }>()((q, p) =>
  q
    .selectFrom('access_tokens')
    .innerJoin('oauth_grants', 'oauth_grants.id', 'access_tokens.grant_id')
    .innerJoin('users', 'users.id', 'oauth_grants.user_id')
    .selectAll('oauth_grants')
    .select('access_tokens.expires_at')
    .where('access_tokens.token_hash', '=', p.tokenHash)
    .where('access_tokens.expires_at', '>', p.now)
    .where('oauth_grants.revoked_at', 'is', null)
    .where('users.active', '=', 1),
);

/** A refresh token with its grant, whatever state they are in. */
export const findRefreshToken = statement<{ tokenHash: string }>()((q, p) =>
  q
    .selectFrom('refresh_tokens')
    .innerJoin('oauth_grants', 'oauth_grants.id', 'refresh_tokens.grant_id')
    .innerJoin('users', 'users.id', 'oauth_grants.user_id')
    .selectAll('oauth_grants')
    .select(['refresh_tokens.expires_at', 'refresh_tokens.rotated_at', 'users.active as user_active'])
    .where('refresh_tokens.token_hash', '=', p.tokenHash),
);

export const markRotated = statement<{ tokenHash: string; now: number }>()((q, p) =>
  q
    .updateTable('refresh_tokens')
    .set({ rotated_at: p.now })
    .where('token_hash', '=', p.tokenHash)
    .where('rotated_at', 'is', null),
);

export const revokeGrant = statement<{ id: string; now: number }>()((q, p) =>
  q
    .updateTable('oauth_grants')
    .set({ revoked_at: p.now })
    .where('id', '=', p.id)
    .where('revoked_at', 'is', null),
);

export const revokeGrantsOfInstallation = statement<{ applicationId: string; teamId: string; now: number }>()(
  (q, p) =>
    q
      .updateTable('oauth_grants')
      .set({ revoked_at: p.now })
      .where('application_id', '=', p.applicationId)
      .where('team_id', '=', p.teamId)
      .where('revoked_at', 'is', null),
);

export const revokeGrantsOfMember = statement<{ userId: string; teamId: string; now: number }>()((q, p) =>
  q
    .updateTable('oauth_grants')
    .set({ revoked_at: p.now })
    .where('user_id', '=', p.userId)
    .where('team_id', '=', p.teamId)
    .where('revoked_at', 'is', null),
);

export const revokeGrantsOfUser = statement<{ userId: string; now: number }>()((q, p) =>
  q
    .updateTable('oauth_grants')
    .set({ revoked_at: p.now })
    .where('user_id', '=', p.userId)
    .where('revoked_at', 'is', null),
);

export const deleteUnusedCodesOfInstallation = statement<{ applicationId: string; teamId: string }>()(
  (q, p) =>
    q
      .deleteFrom('oauth_codes')
      .where('application_id', '=', p.applicationId)
      .where('team_id', '=', p.teamId)
      .where('used_at', 'is', null),
);

export const deleteUnusedCodesOfMember = statement<{ userId: string; teamId: string }>()((q, p) =>
  q
    .deleteFrom('oauth_codes')
    .where('user_id', '=', p.userId)
    .where('team_id', '=', p.teamId)
    .where('used_at', 'is', null),
);

export const deleteUnusedCodesOfUser = statement<{ userId: string }>()((q, p) =>
  q.deleteFrom('oauth_codes').where('user_id', '=', p.userId).where('used_at', 'is', null),
);

export const deleteAccessToken = statement<{ tokenHash: string }>()((q, p) =>
  q.deleteFrom('access_tokens').where('token_hash', '=', p.tokenHash),
);

export const purgeAccessTokens = statement<{ before: number }>()((q, p) =>
  q.deleteFrom('access_tokens').where('expires_at', '<=', p.before),
);

export const purgeRefreshTokens = statement<{ before: number }>()((q, p) =>
  q.deleteFrom('refresh_tokens').where('expires_at', '<=', p.before),
);

export const purgeCodes = statement<{ before: number }>()((q, p) =>
  q.deleteFrom('oauth_codes').where('expires_at', '<=', p.before),
);

/** A user's teams that have the application installed, by name, and what their admins granted. */
export const listTeamsToOpen = statement<{ userId: string; applicationId: string }>()((q, p) =>
  q
    .selectFrom('memberships')
    .innerJoin('teams', 'teams.id', 'memberships.team_id')
    .innerJoin('installations', 'installations.team_id', 'teams.id')
    .select(['teams.id', 'teams.name', 'teams.color', 'teams.icon', 'installations.scopes_json'])
    .where('memberships.user_id', '=', p.userId)
    .where('teams.active', '=', 1)
    .where('installations.application_id', '=', p.applicationId)
    .where('installations.status', '=', 'active')
    .orderBy('teams.name')
    .orderBy('teams.id')
    .limit(1000),
);
