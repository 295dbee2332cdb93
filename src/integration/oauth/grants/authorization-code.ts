import { hash } from 'node:crypto';
import { equalInConstantTime, hashToken, randomToken } from '#platform/crypto/index.ts';
import type { Database, Tx } from '#platform/db/index.ts';
import { type Clock, newId } from '#platform/ids.ts';
import type { CodeRow } from '#schema';
import { findUser } from '../../../people/users/index.ts';
import { lockMembership } from '../../../teams/index.ts';
import {
  findApplication,
  isPublic,
  isSameAddress,
  matchesRedirectUri,
  type Progress,
  redirectUrisOf,
} from '../../applications/index.ts';
import type { InstallationService } from '../../installations/index.ts';
import { useAgreement } from '../agreement.store.ts';
import { findCode, insertCode, insertGrant, revokeGrant, useCode } from '../oauth.store.ts';
import { scopesInAll } from '../scopes.ts';
import { refusal, type TokenFailure } from '../token-error.ts';
import type { Issuing, TokenAnswer } from './issuing.ts';

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

/** RFC 6749 §4.1, with PKCE (RFC 7636). */
export function authorizationCodeGrant(deps: {
  db: Database;
  clock: Clock;
  installations: InstallationService;
  progress: Progress;
  issuing: Issuing;
  codeMs: number;
  baseUrl: () => string;
}) {
  const { db, clock, installations, progress, issuing, codeMs, baseUrl } = deps;

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
      expires_at: now + codeMs,
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
    const issued = { grantId, refreshToken, scopes: scopesInAll(code.scopes_json, ...standing) };
    await issuing.keepRefreshTokens(tx, [issued]);
    const [answer] = await issuing.issue(tx, [issued]);
    return answer as TokenAnswer;
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
    const member = await lockMembership.first(tx, { teamId, userId });
    const installation = await installations.lock(tx, applicationId, teamId);
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

  return { issueCode, exchange };
}

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
