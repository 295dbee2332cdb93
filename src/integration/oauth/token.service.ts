import { InvalidToken, type UserPrincipal } from '#api';
import { hashToken } from '#platform/crypto/index.ts';
import { type Database, loadTogether, type Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { GrantRow } from '#schema';
import type { Progress } from '../applications/index.ts';
import type { InstallationService } from '../installations/index.ts';
import { authorizationCodeGrant } from './grants/authorization-code.ts';
import { issuing, type Lifetimes } from './grants/issuing.ts';
import { refreshTokenGrant } from './grants/refresh-token.ts';
import {
  deleteAccessToken,
  findAccessTokens,
  findGrantById,
  findRefreshTokens,
  revokeGrant,
} from './oauth.store.ts';
import { narrowed } from './scopes.ts';

export type TokenService = ReturnType<typeof tokenService>;

/** The tokens of people: how they are issued (`grants/`), and what each may do now. */
export function tokenService(deps: {
  db: Database;
  clock: Clock;
  installations: InstallationService;
  progress: Progress;
  lifetimes: Lifetimes;
  /** Makes the successors of refresh tokens; the same on every node. */
  successorKey: Buffer;
  baseUrl: () => string;
}) {
  const { db, clock, progress, lifetimes } = deps;
  const issues = issuing(deps);
  const { issueCode, exchange } = authorizationCodeGrant({
    ...deps,
    issuing: issues,
    codeMs: lifetimes.codeMs,
  });
  const { refresh } = refreshTokenGrant({ ...deps, issuing: issues, graceMs: lifetimes.refreshGraceMs });

  const findAccessToken = loadTogether(
    async (tokenHashes) =>
      (await findAccessTokens.all(db, { tokenHashes, now: clock() })).map((row) => ({
        ...row,
        scopes: narrowed(row),
      })),
    ({ token_hash }) => token_hash,
  );

  /** The user whose token it is. @throws InvalidToken when it is unknown, expired or revoked */
  async function authenticate(accessToken: string): Promise<UserPrincipal> {
    const row = await findAccessToken(hashToken(accessToken));
    if (!row) throw new InvalidToken();
    const { application_id } = row;
    if (!progress.isKnown(application_id, 'token_used'))
      await db.write((tx) => progress.note(tx, application_id, 'token_used'));
    return principalOf(row);
  }

  /** The holder of a grant that stands, for what one of its tokens has asked for. */
  async function actBy(tx: Tx, grantId: string): Promise<UserPrincipal | undefined> {
    const row = await findGrantById.first(tx, { id: grantId });
    return row && principalOf({ ...row, scopes: narrowed(row), expires_at: clock() });
  }

  /** RFC 7009: an access token ends alone, a refresh token with its family. Unknown ones are no error (§2.2). */
  async function revoke(applicationId: string, token: string): Promise<void> {
    const tokenHash = hashToken(token);
    const now = clock();
    await db.write(async (tx) => {
      const refreshing = await findRefreshTokens.first(tx, { tokenHashes: [tokenHash] });
      if (refreshing?.application_id === applicationId) await revokeGrant.run(tx, { id: refreshing.id, now });
      const access = await findAccessTokens.first(tx, { tokenHashes: [tokenHash], now });
      if (access?.application_id === applicationId) await deleteAccessToken.run(tx, { tokenHash });
    });
  }

  /** RFC 7662 §2.2: an application learns of its own tokens only; all others are "not active". */
  async function introspect(applicationId: string, token: string) {
    const tokenHash = hashToken(token);
    const now = clock();
    const access = await findAccessToken(tokenHash);
    const refreshing = access ? undefined : await findRefreshTokens.first(db, { tokenHashes: [tokenHash] });
    const alive =
      refreshing?.revoked_at === null && refreshing.rotated_at === null && refreshing.expires_at > now;
    const found = access ?? (alive ? refreshing : undefined);
    if (found?.application_id !== applicationId) return { active: false };
    return {
      active: true,
      client_id: found.application_id,
      sub: found.user_id,
      team: found.team_id,
      token_type: access ? 'Bearer' : 'refresh_token',
      exp: Math.floor(found.expires_at / 1000),
      iat: Math.floor(found.created_at / 1000),
      scope: narrowed(found).join(' '),
    };
  }

  return { issueCode, exchange, refresh, authenticate, actBy, revoke, introspect };
}

function principalOf(
  row: Pick<GrantRow, 'id' | 'application_id' | 'team_id' | 'user_id'> & {
    is_application: number;
    scopes: readonly string[];
    expires_at: number;
  },
): UserPrincipal {
  const { id, application_id: applicationId, team_id: teamId, scopes, expires_at: expiresAt } = row;
  return {
    userId: row.user_id,
    ...(row.is_application === 1 && { itself: { teamId } }),
    grant: { id, applicationId, teamId, scopes, expiresAt },
  };
}
