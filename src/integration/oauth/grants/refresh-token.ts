import { hashToken, randomToken, sign } from '#platform/crypto/index.ts';
import type { Database, Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { useAgreement } from '../agreement.store.ts';
import { findRefreshToken, markRotated, revokeGrant } from '../oauth.store.ts';
import { narrowed } from '../scopes.ts';
import { refusal, type TokenFailure } from '../token-error.ts';
import type { Issuing, TokenAnswer } from './issuing.ts';

/** RFC 6749 §6, with rotation (RFC 9700 §4.14). */
export function refreshTokenGrant(deps: {
  db: Database;
  clock: Clock;
  issuing: Issuing;
  /** How long a rotated refresh token stays valid, for lost answers and concurrent requests. */
  graceMs: number;
  /** Makes the successors of refresh tokens; the same on every node. */
  successorKey: Buffer;
}) {
  const { db, clock, issuing, graceMs, successorKey } = deps;

  /** @throws TokenError */
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
    if (token.rotated_at !== null && now - token.rotated_at > graceMs) {
      await revokeGrant.run(tx, { id: token.id, now });
      return 'reused_refresh_token';
    }
    refuseWiderScope(token.scopes_json, scope);
    const { application_id, team_id: teamId, user_id: userId } = token;
    await useAgreement.all(tx, { applicationId: application_id, teamId, userId, now });
    const successor = await succeed(tx, token.id, refreshToken, token.successor_salt);
    if (successor === undefined) return 'ended_refresh_token';
    return issuing.issue(tx, token.id, successor, narrowed(token));
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
      await issuing.keepRefreshToken(tx, grantId, successor);
      return successor;
    }
    // Another request rotated the token after it was looked up.
    const { successor_salt: theirs } = (await findRefreshToken.first(tx, { tokenHash })) ?? {};
    return theirs ? successorOf(refreshToken, theirs) : undefined;
  }

  const successorOf = (refreshToken: string, salt: string) =>
    sign(successorKey, `refresh token ${salt} ${refreshToken}`);

  return { refresh };
}

/** RFC 6749 §6: a refresh may ask for the granted scopes, not for more. */
function refuseWiderScope(grantedJson: string, asked: string | undefined): void {
  const granted = JSON.parse(grantedJson) as string[];
  const wanted = asked?.split(' ').filter((scope) => scope !== '') ?? [];
  if (wanted.some((scope) => !granted.includes(scope))) throw refusal('wider_scope');
}
