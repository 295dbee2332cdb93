import { type JoinBuilder, sql } from 'kysely';
import { foundFirst, inTextList } from '#platform/db/index.ts';
import {
  type CodeRow,
  deletion,
  type GrantRow,
  insertion,
  modification,
  statement,
  type Tables,
} from '#schema';
import { isAwake } from '../applications/index.ts';
import type { AgreementKey } from './agreement.store.ts';

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

/** Of concurrent callers, only one gets a row. */
export const useCode = statement<{ codeHash: string; grantId: string; now: number }>()((q, p) =>
  q
    .updateTable('oauth_codes')
    .set({ used_at: p.now, grant_id: p.grantId })
    .where('code_hash', '=', p.codeHash)
    .where('used_at', 'is', null)
    .returning('code_hash'),
);

export const insertGrant = statement<Omit<GrantRow, 'revoked_at' | 'told_at' | 'told_address'>>()((q, p) =>
  q.insertInto('oauth_grants').values({
    id: p.id,
    application_id: p.application_id,
    user_id: p.user_id,
    team_id: p.team_id,
    scopes_json: p.scopes_json,
    created_at: p.created_at,
    revoked_at: null,
    told_at: 0,
    told_address: null,
  }),
);

/** The grant of an application that acts as itself. */
export const findGrant = statement<
  Pick<GrantRow, 'application_id' | 'user_id' | 'team_id' | 'scopes_json'>
>()((q, p) =>
  q
    .selectFrom('oauth_grants')
    .select('id')
    .where('application_id', '=', p.application_id)
    .where('user_id', '=', p.user_id)
    .where('team_id', '=', p.team_id)
    .where('scopes_json', '=', p.scopes_json)
    .where('revoked_at', 'is', null)
    .limit(1),
);

/** Returns a row when the tokens of a grant are to be told of. Of concurrent callers, only one gets it. */
export const noteTold = statement<{
  id: string;
  address: string | null;
  now: number;
  dayAgo: number;
  hourAgo: number;
}>()((q, p) =>
  q
    .updateTable('oauth_grants')
    .set({ told_at: p.now, told_address: p.address })
    .where('id', '=', p.id)
    .where((eb) =>
      eb.or([
        eb('told_at', '<=', p.dayAgo),
        eb.and([eb('told_at', '<=', p.hourAgo), eb('told_address', '!=', p.address)]),
      ]),
    )
    .returning('id'),
);

export const insertAccessTokens = insertion('access_tokens')(['token_hash', 'grant_id', 'expires_at']);

export const insertRefreshTokens = insertion('refresh_tokens')(['token_hash', 'grant_id', 'expires_at']);

/** A grant with what was found of it. */
type Granted = Tables & { readonly granted: GrantRow };
/** The rows that a grant depends on: without any of them its tokens are invalid. */
type Standing = 'granted' | 'agreements' | 'applications' | 'installations';
const installedJson = 'installations.scopes_json as installed_json';
const askedJson = 'applications.scopes_json as asked_json';
const agreedJson = 'agreements.scopes_json as agreed_json';

const agreementOf = (join: JoinBuilder<Granted, 'granted' | 'agreements'>) =>
  join
    .onRef('agreements.user_id', '=', 'granted.user_id')
    .onRef('agreements.application_id', '=', 'granted.application_id')
    .onRef('agreements.team_id', '=', 'granted.team_id');

/** Written so that the index of living installations serves it on both databases. One that sleeps is none. */
const installationOf = (join: JoinBuilder<Granted, Standing>) =>
  join
    .onRef('installations.team_id', '=', 'granted.team_id')
    .onRef('installations.application_id', '=', 'granted.application_id')
    .on(sql<boolean>`installations.status IN ('pending', 'active')`)
    .on('installations.status', '=', sql.lit('active'))
    .on('installations.asleep_since', 'is', null);

/** Valid access tokens of active users, and of applications themselves, with the lists that narrow their scopes. */
export const findAccessTokens = statement<{ tokenHashes: readonly string[]; now: number }>()(
  (q, p, dialect) =>
    q
      .with(
        (name) => foundFirst(dialect, name('granted')),
        (cte) =>
          cte
            .selectFrom('access_tokens')
            .innerJoin('oauth_grants', 'oauth_grants.id', 'access_tokens.grant_id')
            .selectAll('oauth_grants')
            .select(['access_tokens.token_hash', 'access_tokens.expires_at'])
            .where(inTextList(dialect, 'access_tokens.token_hash', p.tokenHashes))
            .where('access_tokens.expires_at', '>', p.now)
            .where('oauth_grants.revoked_at', 'is', null),
      )
      .selectFrom('granted')
      .innerJoin('users', 'users.id', 'granted.user_id')
      .innerJoin('agreements', (join) => agreementOf(join))
      .innerJoin('applications', 'applications.id', 'granted.application_id')
      .innerJoin('installations', (join) => installationOf(join))
      .selectAll('granted')
      .select('users.is_application')
      .select([askedJson, installedJson, agreedJson])
      .where(isAwake())
      .where((eb) => eb.or([eb('users.active', '=', 1), eb('users.is_application', '=', 1)])),
);

/** A grant that stands, with the lists that narrow its scopes, for what is done without its tokens. */
export const findGrantById = statement<{ id: string }>()((q, p, dialect) =>
  q
    .with(
      (name) => foundFirst(dialect, name('granted')),
      (cte) =>
        cte.selectFrom('oauth_grants').selectAll().where('id', '=', p.id).where('revoked_at', 'is', null),
    )
    .selectFrom('granted')
    .innerJoin('users', 'users.id', 'granted.user_id')
    .innerJoin('agreements', (join) => agreementOf(join))
    .innerJoin('applications', 'applications.id', 'granted.application_id')
    .innerJoin('installations', (join) => installationOf(join))
    .selectAll('granted')
    .select('users.is_application')
    .select([askedJson, installedJson, agreedJson])
    .where(isAwake()),
);

/** Refresh tokens with their grants, in any state, with the lists that narrow their scopes. */
export const findRefreshTokens = statement<{ tokenHashes: readonly string[] }>()((q, p, dialect) =>
  q
    .with(
      (name) => foundFirst(dialect, name('granted')),
      (cte) =>
        cte
          .selectFrom('refresh_tokens')
          .innerJoin('oauth_grants', 'oauth_grants.id', 'refresh_tokens.grant_id')
          .selectAll('oauth_grants')
          .select(['refresh_tokens.token_hash', 'refresh_tokens.expires_at'])
          .select(['refresh_tokens.rotated_at', 'refresh_tokens.successor_salt'])
          .where(inTextList(dialect, 'refresh_tokens.token_hash', p.tokenHashes)),
    )
    .selectFrom('granted')
    .innerJoin('users', 'users.id', 'granted.user_id')
    .innerJoin('agreements', (join) => agreementOf(join))
    .innerJoin('applications', 'applications.id', 'granted.application_id')
    .innerJoin('installations', (join) => installationOf(join))
    .selectAll('granted')
    .select(['users.active as user_active', 'agreements.id as agreement_id'])
    .select([askedJson, installedJson, agreedJson])
    .where(isAwake()),
);

/** Gives the row of each token to one caller: the others find the salt that it wrote. */
export const markRotated = statement<{ tokenHashes: readonly string[]; salt: string; now: number }>()(
  (q, p, dialect) =>
    q
      .updateTable('refresh_tokens')
      .set({ rotated_at: p.now, successor_salt: p.salt })
      .where(inTextList(dialect, 'token_hash', p.tokenHashes))
      .where('rotated_at', 'is', null)
      .returning('token_hash'),
);

/** After the grace period a successor can no longer be derived from an old token, even with our keys. */
export const forgetSalts = modification('refresh_tokens')<{ before: number }>(
  () => ({ successor_salt: null }),
  (rows, p) => rows.where('successor_salt', 'is not', null).where('rotated_at', '<', p.before),
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

export const revokeGrantsOfApplication = statement<{ applicationId: string; now: number }>()((q, p) =>
  q
    .updateTable('oauth_grants')
    .set({ revoked_at: p.now })
    .where('application_id', '=', p.applicationId)
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

export const revokeGrantsOfPerson = statement<AgreementKey & { now: number }>()((q, p) =>
  q
    .updateTable('oauth_grants')
    .set({ revoked_at: p.now })
    .where('user_id', '=', p.userId)
    .where('application_id', '=', p.applicationId)
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

export const deleteUnusedCodesOfApplication = statement<{ applicationId: string }>()((q, p) =>
  q.deleteFrom('oauth_codes').where('application_id', '=', p.applicationId).where('used_at', 'is', null),
);

export const deleteUnusedCodesOfMember = statement<{ userId: string; teamId: string }>()((q, p) =>
  q
    .deleteFrom('oauth_codes')
    .where('user_id', '=', p.userId)
    .where('team_id', '=', p.teamId)
    .where('used_at', 'is', null),
);

export const deleteUnusedCodesOfPerson = statement<AgreementKey>()((q, p) =>
  q
    .deleteFrom('oauth_codes')
    .where('user_id', '=', p.userId)
    .where('application_id', '=', p.applicationId)
    .where('team_id', '=', p.teamId)
    .where('used_at', 'is', null),
);

export const deleteUnusedCodesOfUser = statement<{ userId: string }>()((q, p) =>
  q.deleteFrom('oauth_codes').where('user_id', '=', p.userId).where('used_at', 'is', null),
);

export const deleteAccessToken = statement<{ tokenHash: string }>()((q, p) =>
  q.deleteFrom('access_tokens').where('token_hash', '=', p.tokenHash),
);

export const purgeAccessTokens = deletion('access_tokens')<{ before: number }>((rows, p) =>
  rows.where('expires_at', '<=', p.before),
);

export const purgeRefreshTokens = deletion('refresh_tokens')<{ before: number }>((rows, p) =>
  rows.where('expires_at', '<=', p.before),
);

export const purgeCodes = deletion('oauth_codes')<{ before: number }>((rows, p) =>
  rows.where('expires_at', '<=', p.before),
);

/**
 * A user's teams that have the application installed, by name, with what their admins granted and the user agreed to
 * before.
 */
export const listTeamsToOpen = statement<{ userId: string; applicationId: string }>()((q, p) =>
  q
    .selectFrom('memberships')
    .innerJoin('teams', 'teams.id', 'memberships.team_id')
    .innerJoin('installations', 'installations.team_id', 'teams.id')
    .leftJoin('agreements', (join) =>
      join
        .onRef('agreements.user_id', '=', 'memberships.user_id')
        .onRef('agreements.application_id', '=', 'installations.application_id')
        .onRef('agreements.team_id', '=', 'teams.id'),
    )
    .select(['teams.id', 'teams.name', 'teams.color', 'teams.icon'])
    .select(['installations.scopes_json', 'installations.link_prefixes_json'])
    .select('agreements.scopes_json as agreed_json')
    .where('memberships.user_id', '=', p.userId)
    .where('teams.active', '=', 1)
    .where('installations.application_id', '=', p.applicationId)
    .where('installations.status', '=', 'active')
    .where('installations.asleep_since', 'is', null)
    .orderBy('teams.name')
    .orderBy('teams.id')
    .limit(1000),
);
