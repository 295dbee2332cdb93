import { hashToken, randomToken, sign } from '#platform/crypto/index.ts';
import { type Batch, type Database, Outcomes, type Tx, together } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { noteUsed } from '../agreement.store.ts';
import { findRefreshTokens, markRotated, revokeGrant } from '../oauth.store.ts';
import { narrowed } from '../scopes.ts';
import { refusal, type TokenFailure } from '../token-error.ts';
import type { Issuing, TokenAnswer } from './issuing.ts';

type RefreshToken = Awaited<ReturnType<typeof findRefreshTokens.all>>[number];

/** The request of a client. */
interface Wish {
  readonly applicationId: string;
  readonly refreshToken: string;
  readonly tokenHash: string;
  readonly scope: string | undefined;
}

/** A wish that nothing refuses any more. */
interface Granted {
  readonly wish: Wish;
  readonly token: RefreshToken;
}

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
    const wish = { applicationId, refreshToken, tokenHash: hashToken(refreshToken), scope };
    const answer = await db.batch(renew, wish, { lane: `refresh ${applicationId}`, shared: true });
    if (typeof answer === 'string') throw refusal(answer);
    return answer;
  }

  /**
   * Renews any number of tokens with the few statements that one of them takes. Refusals are results: an error would roll
   * the revocation of a stolen token back.
   */
  const renew: Batch<Wish, TokenAnswer | TokenFailure> = async (tx, wishes) => {
    const outcomes = new Outcomes<Wish, TokenAnswer | TokenFailure>();
    const now = clock();
    const granted: Granted[] = [];
    const tokens = await findRefreshTokens.all(tx, { tokenHashes: wishes.map(({ tokenHash }) => tokenHash) });
    const found = new Map(tokens.map((token) => [token.token_hash, token]));
    for (const wish of wishes) {
      const token = found.get(wish.tokenHash);
      const failure = failureOf(wish, token, now);
      if (failure === 'reused_refresh_token' && token) await revokeGrant.run(tx, { id: token.id, now });
      if (failure) outcomes.accept(wish, failure);
      else if (token) granted.push({ wish, token });
    }
    for (const [wish, answer] of await answerAll(tx, granted, now)) outcomes.accept(wish, answer);
    return outcomes.of(wishes);
  };

  function failureOf(wish: Wish, token: RefreshToken | undefined, now: number): TokenFailure | undefined {
    if (token?.application_id !== wish.applicationId || token.user_active !== 1)
      return 'unknown_refresh_token';
    if (token.revoked_at !== null || token.expires_at <= now) return 'ended_refresh_token';
    if (token.rotated_at !== null && now - token.rotated_at > graceMs) return 'reused_refresh_token';
    return asksForMore(token.scopes_json, wish.scope) ? 'wider_scope' : undefined;
  }

  /** @returns an answer for each */
  async function answerAll(
    tx: Tx,
    granted: readonly Granted[],
    now: number,
  ): Promise<[Wish, TokenAnswer | TokenFailure][]> {
    if (granted.length === 0) return [];
    const agreements = [...new Set(granted.map(({ token }) => token.agreement_id))];
    const [{ salts, rotated }] = await together([
      rotateAll(tx, granted, now),
      noteUsed.run(tx, { ids: agreements, now }),
    ]);
    const issued = granted.flatMap(({ wish, token }) => {
      const salt = salts.get(wish.tokenHash);
      if (salt === undefined) return [];
      return {
        wish,
        grantId: token.id,
        refreshToken: successorOf(wish.refreshToken, salt),
        scopes: narrowed(token),
      };
    });
    const fresh = issued.filter(({ wish }) => rotated.has(wish.tokenHash));
    const successors = new Map(fresh.map((one) => [one.refreshToken, one]));
    const [answers] = await together([
      issuing.issue(tx, issued),
      issuing.keepRefreshTokens(tx, [...successors.values()]),
    ]);
    const answered = new Map(issued.map(({ wish }, at) => [wish, answers[at] as TokenAnswer]));
    return granted.map(({ wish }) => [wish, answered.get(wish) ?? 'ended_refresh_token']);
  }

  /**
   * Concurrent uses of one refresh token within its grace get the same successor, so a family has one living branch.
   * Of a thief and the client, the second to use the token later revokes it. Tokens that are rotated together share their
   * salt.
   * @returns the salts of the tokens, by their hashes, and which were rotated now; no salt for a token rotated before
   *   there were salts
   */
  async function rotateAll(tx: Tx, granted: readonly Granted[], now: number) {
    const salts = new Map<string, string>();
    const note = (tokens: Pick<RefreshToken, 'token_hash' | 'successor_salt'>[]) => {
      for (const { token_hash, successor_salt: salt } of tokens)
        if (salt !== null) salts.set(token_hash, salt);
    };
    const unknown = () => [
      ...new Set(granted.map(({ wish }) => wish.tokenHash).filter((hash) => !salts.has(hash))),
    ];
    note(granted.map(({ token }) => token));
    if (unknown().length === 0) return { salts, rotated: new Set<string>() };
    const salt = randomToken();
    const marked = await markRotated.all(tx, { tokenHashes: unknown(), salt, now });
    const rotated = new Set(marked.map(({ token_hash }) => token_hash));
    for (const hash of rotated) salts.set(hash, salt);
    // Another transaction rotated a token after it was looked up.
    if (unknown().length > 0) note(await findRefreshTokens.all(tx, { tokenHashes: unknown() }));
    return { salts, rotated };
  }

  const successorOf = (refreshToken: string, salt: string) =>
    sign(successorKey, `refresh token ${salt} ${refreshToken}`);

  return { refresh };
}

/** RFC 6749 §6: a refresh may ask for the granted scopes, not for more. */
function asksForMore(grantedJson: string, asked: string | undefined): boolean {
  if (asked === undefined) return false;
  const granted = JSON.parse(grantedJson) as string[];
  return asked.split(' ').some((scope) => scope !== '' && !granted.includes(scope));
}
