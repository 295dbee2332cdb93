import { hashToken } from '#platform/crypto/index.ts';
import type { Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { type AccessToken, issueAccessToken } from '../access-token.ts';
import { insertRefreshToken } from '../oauth.store.ts';

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

export type Issuing = ReturnType<typeof issuing>;

/** Issues the tokens of a grant: an access token, and the refresh token that leads to the next one. */
export function issuing({ clock, lifetimes }: { clock: Clock; lifetimes: Lifetimes }) {
  const keepRefreshToken = (tx: Tx, grantId: string, refreshToken: string) =>
    insertRefreshToken.run(tx, {
      token_hash: hashToken(refreshToken),
      grant_id: grantId,
      expires_at: clock() + lifetimes.refreshTokenMs,
    });

  /** Issues an access token for an existing refresh token. */
  async function issue(
    tx: Tx,
    grantId: string,
    refreshToken: string,
    scopes: readonly string[],
  ): Promise<TokenAnswer> {
    const lifetimeMs = lifetimes.accessTokenMs;
    const token = await issueAccessToken(tx, { grantId, now: clock(), lifetimeMs });
    return { ...token, refresh_token: refreshToken, ...(scopes.length > 0 && { scope: scopes.join(' ') }) };
  }

  return { keepRefreshToken, issue };
}
