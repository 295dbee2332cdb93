import { hash } from 'node:crypto';
import { InvalidToken, type UserPrincipal } from '#api';
import { equalInConstantTime, hashToken, randomToken, sign } from '#platform/crypto/index.ts';
import { type Database, lookUpTogether, type Tx } from '#platform/db/index.ts';
import { type Clock, newId } from '#platform/ids.ts';
import type { CodeRow } from '#schema';
import { findUser } from '../../people/users/index.ts';
import { lockMembership } from '../../teams/index.ts';
import {
  findApplication,
  isPublic,
  isSameAddress,
  matchesRedirectUri,
  type Progress,
  redirectUrisOf,
} from '../applications/index.ts';
import type { InstallationService } from '../installations/index.ts';
import { type AccessToken, issueAccessToken } from './access-token.ts';
import { useAgreement } from './agreement.store.ts';
import {
  deleteAccessToken,
  findAccessTokens,
  findCode,
  findRefreshToken,
  insertCode,
  insertGrant,
  insertRefreshToken,
  markRotated,
  revokeGrant,
  useCode,
} from './oauth.store.ts';
import { scopesInAll } from './scopes.ts';
import { refusal, type TokenFailure } from './token-error.ts';

/** Part 2.2 of the interface; RFC 6749 §5.1. */
export interface TokenAnswer extends AccessToken {
  refresh_token: string;
  scope?: string;
}

export interface Lifetimes {
  readonly codeMs: number;
  readonly accessTokenMs: number;
  readonly refreshTokenMs: number;
  /** How long a rotated refresh token stays valid, for lost answers and concurrent requests. */
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

export type TokenService = ReturnType<typeof tokenService>;

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
  const { db, clock, installations, progress, lifetimes, successorKey, baseUrl } = deps;

  /** @returns a code that works once, for this application and this redirect address */
  async function issueCode(tx: Tx, given: CodeFor): Promise<string> {
    const code = randomToken();
    const now = clock();
    await insertCode.run(tx, {
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
    if (typeof answer === 'string') throw refusal(answer);
    return answer;
  }

  async function redeem(tx: Tx, applicationId: string, given: Exchange): Promise<TokenAnswer | TokenFailure> {
    const codeHash = hashToken(given.code);
    const code = await findCode.first(tx, { codeHash });
    if (code?.application_id !== applicationId) return 'unknown_code';
    const misfit = misfitOf(code, given);
    if (misfit) return misfit;
    if (code.used_at !== null) return refuseReplay(tx, codeHash);
    if (code.expires_at <= clock()) return 'expired_code';
    const standing = await findStanding(tx, code);
    if (!standing) return 'no_longer_allowed';
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
    await insertGrant.run(tx, grant);
    await progress.note(tx, applicationId, 'code_exchanged');
    const refreshToken = randomToken();
    await keepRefreshToken(tx, grantId, refreshToken);
    return issueTokens(tx, grantId, refreshToken, scopesInAll(code.scopes_json, ...standing));
  }

  /** RFC 6749 §4.1.2: a code that is used twice was stolen, so everything issued for it is revoked. */
  async function refuseReplay(tx: Tx, codeHash: string): Promise<TokenFailure> {
    const used = await findCode.first(tx, { codeHash });
    if (used?.grant_id) await revokeGrant.run(tx, { id: used.grant_id, now: clock() });
    return 'used_code';
  }

  /**
   * Between opening and exchange the application may have been uninstalled or changed, the member removed, or the
   * agreement ended. Locks them: a concurrent change waits for the exchange, and then revokes its tokens.
   * @returns the scopes that all of them allow now
   */
  async function findStanding(tx: Tx, code: CodeRow): Promise<string[] | undefined> {
    const { application_id: applicationId, team_id: teamId, user_id: userId } = code;
    const installation = await installations.lock(tx, applicationId, teamId);
    const member = await lockMembership.first(tx, { teamId, userId });
    const user = await findUser.first(tx, { id: userId });
    const application = await findApplication.first(tx, { id: applicationId });
    if (!installation || installation.asleep_since !== null || !member || user?.active !== 1 || !application)
      return undefined;
    // Only a code of before it became public has none.
    if (isPublic(application) && code.code_challenge === null) return undefined;
    const { redirect_uri: sentTo } = code;
    if (!redirectUrisOf(application).some((uri) => matchesRedirectUri(uri, sentTo, baseUrl())))
      return undefined;
    const agreement = await useAgreement.first(tx, { applicationId, teamId, userId, now: clock() });
    return agreement && [application.scopes_json, installation.scopes_json, agreement.scopes_json];
  }

  const keepRefreshToken = (tx: Tx, grantId: string, refreshToken: string) =>
    insertRefreshToken.run(tx, {
      token_hash: hashToken(refreshToken),
      grant_id: grantId,
      expires_at: clock() + lifetimes.refreshTokenMs,
    });

  /** Issues an access token for an existing refresh token. */
  async function issueTokens(
    tx: Tx,
    grantId: string,
    refreshToken: string,
    scopes: readonly string[],
  ): Promise<TokenAnswer> {
    const lifetimeMs = lifetimes.accessTokenMs;
    const token = await issueAccessToken(tx, { grantId, now: clock(), lifetimeMs });
    return { ...token, refresh_token: refreshToken, ...(scopes.length > 0 && { scope: scopes.join(' ') }) };
  }

  /** RFC 6749 §6, with rotation (RFC 9700 §4.14). @throws TokenError */
  async function refresh(
    applicationId: string,
    refreshToken: string,
    scope: string | undefined,
  ): Promise<TokenAnswer> {
    const answer = await db.write((tx) => rotate(tx, applicationId, refreshToken, scope));
    if (typeof answer === 'string') throw refusal(answer);
    return answer;
  }

  async function rotate(
    tx: Tx,
    applicationId: string,
    refreshToken: string,
    scope: string | undefined,
  ): Promise<TokenAnswer | TokenFailure> {
    const tokenHash = hashToken(refreshToken);
    const now = clock();
    const token = await findRefreshToken.first(tx, { tokenHash });
    if (token?.application_id !== applicationId || token.user_active !== 1) return 'unknown_refresh_token';
    if (token.revoked_at !== null || token.expires_at <= now) return 'ended_refresh_token';
    if (token.rotated_at !== null && now - token.rotated_at > lifetimes.refreshGraceMs) {
      await revokeGrant.run(tx, { id: token.id, now });
      return 'reused_refresh_token';
    }
    refuseWiderScope(token.scopes_json, scope);
    const { application_id, team_id: teamId, user_id: userId } = token;
    await useAgreement.all(tx, { applicationId: application_id, teamId, userId, now });
    const successor = await succeed(tx, token.id, refreshToken, token.successor_salt);
    if (successor === undefined) return 'ended_refresh_token';
    return issueTokens(tx, token.id, successor, narrowed(token));
  }

  /**
   * Concurrent uses of one refresh token within its grace get the same successor, so a family has one living branch.
   * Of a thief and the client, the second to use the token later revokes it.
   * @param salt of the rotation, if there was one
   * @returns undefined for a token rotated before there were salts
   */
  async function succeed(
    tx: Tx,
    grantId: string,
    refreshToken: string,
    salt: string | null,
  ): Promise<string | undefined> {
    if (salt !== null) return successorOf(refreshToken, salt);
    const tokenHash = hashToken(refreshToken);
    const rotated = await markRotated.first(tx, { tokenHash, salt: randomToken(), now: clock() });
    if (rotated?.successor_salt) {
      const successor = successorOf(refreshToken, rotated.successor_salt);
      await keepRefreshToken(tx, grantId, successor);
      return successor;
    }
    // Another request rotated the token after it was looked up.
    const { successor_salt: theirs } = (await findRefreshToken.first(tx, { tokenHash })) ?? {};
    return theirs ? successorOf(refreshToken, theirs) : undefined;
  }

  const successorOf = (refreshToken: string, salt: string) =>
    sign(successorKey, `refresh token ${salt} ${refreshToken}`);

  const findAccessToken = lookUpTogether(
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
    const { id, application_id, team_id, user_id, expires_at } = row;
    if (!progress.isKnown(application_id, 'token_used'))
      await db.write((tx) => progress.note(tx, application_id, 'token_used'));
    return {
      userId: user_id,
      ...(row.is_application === 1 && { itself: { teamId: team_id } }),
      grant: {
        id,
        applicationId: application_id,
        teamId: team_id,
        scopes: row.scopes,
        expiresAt: expires_at,
      },
    };
  }

  /** RFC 7009: an access token ends alone, a refresh token with its family. Unknown ones are no error (§2.2). */
  async function revoke(applicationId: string, token: string): Promise<void> {
    const tokenHash = hashToken(token);
    const now = clock();
    await db.write(async (tx) => {
      const refreshing = await findRefreshToken.first(tx, { tokenHash });
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
      scope: narrowed(found).join(' '),
    };
  }

  return { issueCode, exchange, refresh, authenticate, revoke, introspect };
}

interface Narrowed {
  readonly scopes_json: string;
  readonly asked_json: string;
  readonly installed_json: string;
  readonly agreed_json: string;
}

/** The effective scopes of a grant's tokens. */
const narrowed = (row: Narrowed) =>
  scopesInAll(row.scopes_json, row.asked_json, row.installed_json, row.agreed_json);

function misfitOf(code: CodeRow, given: Exchange): TokenFailure | undefined {
  if (!sameRedirectUri(code.redirect_uri, given.redirectUri)) return 'other_redirect_uri';
  return misfitOfVerifier(code.code_challenge, given.codeVerifier);
}

/** RFC 6749 §4.1.3; an early client percent-encoded the address once more than the form already does. */
function sameRedirectUri(registered: string, given: string): boolean {
  return [given, decoded(given)].some((text) => text !== undefined && isSameAddress(registered, text));
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** RFC 7636 §4.6. A verifier without a challenge is refused too (RFC 9700 §4.8.2). */
function misfitOfVerifier(challenge: string | null, verifier: string | undefined): TokenFailure | undefined {
  if (challenge === null) return verifier === undefined ? undefined : 'verifier_without_challenge';
  if (verifier === undefined) return 'no_verifier';
  const fits = equalInConstantTime(hash('sha256', verifier, 'base64url'), challenge);
  return fits ? undefined : 'wrong_verifier';
}

/** RFC 6749 §6: a refresh may ask for the granted scopes, not for more. */
function refuseWiderScope(grantedJson: string, asked: string | undefined): void {
  const granted = JSON.parse(grantedJson) as string[];
  const wanted = asked?.split(' ').filter((scope) => scope !== '') ?? [];
  if (wanted.some((scope) => !granted.includes(scope))) throw refusal('wider_scope');
}
