import { hash } from 'node:crypto';
import { equalInConstantTime, hashToken, randomToken } from '#platform/crypto/index.ts';
import type { Database, Tx } from '#platform/db/index.ts';
import { type Clock, newId } from '#platform/ids.ts';
import { InvalidToken, type UserPrincipal } from '../api/index.ts';
import type { Progress } from '../applications/index.ts';
import type { InstallationService } from '../installations/index.ts';
import type { CodeRow } from '../schema/index.ts';
import { holdMembership } from '../teams/index.ts';
import { findUser } from '../users/index.ts';
import {
  deleteAccessToken,
  findAccessToken,
  findCode,
  findRefreshToken,
  insertAccessToken,
  insertCode,
  insertGrant,
  insertRefreshToken,
  markRotated,
  revokeGrant,
  useCode,
} from './oauth.store.ts';
import { TokenError } from './token-error.ts';

/** Part 2.2 of the interface; RFC 6749 §5.1. */
export interface TokenAnswer {
  access_token: string;
  token_type: 'Bearer';
  /** Seconds. */
  expires_in: number;
  refresh_token: string;
  scope?: string;
}

export interface Lifetimes {
  readonly codeMs: number;
  readonly accessTokenMs: number;
  readonly refreshTokenMs: number;
  /** How long a rotated refresh token stays good: for answers that were lost, and for requests at the same time. */
  readonly refreshGraceMs: number;
}

export interface CodeFor {
  readonly applicationId: string;
  readonly userId: string;
  readonly teamId: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  /** RFC 7636: the S256 challenge, when the application sent one. */
  readonly codeChallenge?: string;
}

export interface Exchange {
  readonly code: string;
  readonly redirectUri: string;
  readonly codeVerifier: string | undefined;
}

interface GrantScopes {
  readonly id: string;
  readonly scopes_json: string;
}

export type TokenService = ReturnType<typeof tokenService>;

export function tokenService(deps: {
  db: Database;
  clock: Clock;
  installations: InstallationService;
  progress: Progress;
  lifetimes: Lifetimes;
}) {
  const { db, clock, installations, progress, lifetimes } = deps;

  /** @returns a code that works once, for this application and this redirect address */
  async function issueCode(tx: Tx, given: CodeFor): Promise<string> {
    const code = randomToken();
    const now = clock();
    await insertCode.all(tx, {
      code_hash: hashToken(code),
      application_id: given.applicationId,
      user_id: given.userId,
      team_id: given.teamId,
      redirect_uri: given.redirectUri,
      code_challenge: given.codeChallenge ?? null,
      scopes_json: JSON.stringify(given.scopes),
      created_at: now,
      expires_at: now + lifetimes.codeMs,
    });
    return code;
  }

  /** RFC 6749 §4.1.3. @throws TokenError */
  async function exchange(applicationId: string, given: Exchange): Promise<TokenAnswer> {
    // A replay must stay revoked, so refusals are results: an error would roll the revocation back.
    const answer = await db.write((tx) => redeem(tx, applicationId, given));
    if (!answer) throw new TokenError('invalid_grant');
    return answer;
  }

  async function redeem(tx: Tx, applicationId: string, given: Exchange): Promise<TokenAnswer | undefined> {
    const codeHash = hashToken(given.code);
    const code = await findCode.first(tx, { codeHash });
    if (!code || !fits(code, applicationId, given)) return undefined;
    if (code.used_at !== null) return refuseReplay(tx, codeHash);
    if (code.expires_at <= clock()) return undefined;
    if (!(await mayStillOpen(tx, code))) return undefined;
    const grantId = newId();
    const now = clock();
    if (!(await useCode.first(tx, { codeHash, grantId, now }))) return refuseReplay(tx, codeHash);
    const grant = {
      id: grantId,
      application_id: code.application_id,
      user_id: code.user_id,
      team_id: code.team_id,
      scopes_json: code.scopes_json,
      created_at: now,
    };
    await insertGrant.all(tx, grant);
    await progress.note(tx, applicationId, 'code_exchanged');
    return issueTokens(tx, grant);
  }

  /** RFC 6749 §4.1.2: a code that is used twice was stolen, so what it led to ends. */
  async function refuseReplay(tx: Tx, codeHash: string): Promise<undefined> {
    const used = await findCode.first(tx, { codeHash });
    if (used?.grant_id) await revokeGrant.all(tx, { id: used.grant_id, now: clock() });
  }

  /**
   * Between the opening and the exchange the application may have been uninstalled, or the member removed. Whoever
   * does that at this moment waits for the exchange, and then ends what it gave.
   */
  async function mayStillOpen(tx: Tx, code: CodeRow): Promise<boolean> {
    const { application_id, team_id: teamId, user_id: userId } = code;
    const [installation, member, user] = [
      await installations.hold(tx, application_id, teamId),
      await holdMembership.first(tx, { teamId, userId }),
      await findUser.first(tx, { id: userId }),
    ];
    return installation !== undefined && member !== undefined && user?.active === 1;
  }

  async function issueTokens(tx: Tx, grant: GrantScopes): Promise<TokenAnswer> {
    const accessToken = randomToken();
    const refreshToken = randomToken();
    const now = clock();
    const { accessTokenMs, refreshTokenMs } = lifetimes;
    await insertAccessToken.all(tx, {
      token_hash: hashToken(accessToken),
      grant_id: grant.id,
      expires_at: now + accessTokenMs,
    });
    await insertRefreshToken.all(tx, {
      token_hash: hashToken(refreshToken),
      grant_id: grant.id,
      expires_at: now + refreshTokenMs,
    });
    const scopes = JSON.parse(grant.scopes_json) as string[];
    return {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: accessTokenMs / 1000,
      refresh_token: refreshToken,
      ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    };
  }

  /** RFC 6749 §6, with rotation (RFC 9700 §4.14). @throws TokenError */
  async function refresh(
    applicationId: string,
    refreshToken: string,
    scope: string | undefined,
  ): Promise<TokenAnswer> {
    const answer = await db.write((tx) => rotate(tx, applicationId, refreshToken, scope));
    if (!answer) throw new TokenError('invalid_grant');
    return answer;
  }

  async function rotate(
    tx: Tx,
    applicationId: string,
    refreshToken: string,
    scope: string | undefined,
  ): Promise<TokenAnswer | undefined> {
    const tokenHash = hashToken(refreshToken);
    const now = clock();
    const token = await findRefreshToken.first(tx, { tokenHash });
    if (token?.application_id !== applicationId || token.revoked_at !== null) return undefined;
    if (token.expires_at <= now || token.user_active !== 1) return undefined;
    if (token.rotated_at !== null && now - token.rotated_at > lifetimes.refreshGraceMs) {
      await revokeGrant.all(tx, { id: token.id, now });
      return undefined;
    }
    refuseWiderScope(token.scopes_json, scope);
    await markRotated.all(tx, { tokenHash, now });
    return issueTokens(tx, token);
  }

  /** The user whose token it is. @throws InvalidToken when it is unknown, expired or revoked */
  async function authenticate(accessToken: string): Promise<UserPrincipal> {
    const row = await findAccessToken.first(db, { tokenHash: hashToken(accessToken), now: clock() });
    if (!row) throw new InvalidToken();
    const { id, application_id, team_id, user_id, scopes_json, expires_at } = row;
    if (!progress.isKnown(application_id, 'token_used'))
      await db.write((tx) => progress.note(tx, application_id, 'token_used'));
    const scopes = scopes_json === '[]' ? [] : (JSON.parse(scopes_json) as string[]);
    return {
      userId: user_id,
      grant: { id, applicationId: application_id, teamId: team_id, scopes, expiresAt: expires_at },
    };
  }

  /** RFC 7009: an access token ends alone, a refresh token with its family. Unknown ones are no error (§2.2). */
  async function revoke(applicationId: string, token: string): Promise<void> {
    const tokenHash = hashToken(token);
    const now = clock();
    await db.write(async (tx) => {
      const refreshing = await findRefreshToken.first(tx, { tokenHash });
      if (refreshing?.application_id === applicationId) await revokeGrant.all(tx, { id: refreshing.id, now });
      const access = await findAccessToken.first(tx, { tokenHash, now });
      if (access?.application_id === applicationId) await deleteAccessToken.all(tx, { tokenHash });
    });
  }

  /** RFC 7662 §2.2: an application learns of its own tokens only; all others are "not active". */
  async function introspect(applicationId: string, token: string) {
    const tokenHash = hashToken(token);
    const now = clock();
    const access = await findAccessToken.first(db, { tokenHash, now });
    const refreshing = access ? undefined : await findRefreshToken.first(db, { tokenHash });
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
      scope: (JSON.parse(found.scopes_json) as string[]).join(' '),
    };
  }

  return { issueCode, exchange, refresh, authenticate, revoke, introspect };
}

function fits(code: CodeRow, applicationId: string, given: Exchange): boolean {
  return (
    code.application_id === applicationId &&
    sameRedirectUri(code.redirect_uri, given.redirectUri) &&
    verifiesChallenge(code.code_challenge, given.codeVerifier)
  );
}

/** RFC 6749 §4.1.3; an early client percent-encoded the address once more than the form already does. */
function sameRedirectUri(registered: string, given: string): boolean {
  return given === registered || given === encodeURIComponent(registered) || decoded(given) === registered;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** RFC 7636 §4.6. A verifier without a challenge is refused too (RFC 9700 §4.8.2). */
function verifiesChallenge(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null) return verifier === undefined;
  return verifier !== undefined && equalInConstantTime(hash('sha256', verifier, 'base64url'), challenge);
}

/** RFC 6749 §6: a refresh may ask for what was granted, not for more. */
function refuseWiderScope(grantedJson: string, asked: string | undefined): void {
  const granted = JSON.parse(grantedJson) as string[];
  const wanted = asked?.split(' ').filter((scope) => scope !== '') ?? [];
  if (wanted.some((scope) => !granted.includes(scope))) throw new TokenError('invalid_scope');
}
