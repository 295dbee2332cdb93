import { hashToken } from '#platform/crypto/index.ts';
import type { Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { type AccessToken, issueAccessTokens } from '../access-token.ts';
import { insertRefreshTokens } from '../oauth.store.ts';

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

/** A grant that gets an access token, and the refresh token that goes with it. */
export interface Issued {
  readonly grantId: string;
  readonly refreshToken: string;
  readonly scopes: readonly string[];
}

/** Issues the tokens of grants: an access token, and the refresh token that leads to the next one. */
export function issuing({ clock, lifetimes }: { clock: Clock; lifetimes: Lifetimes }) {
  async function keepRefreshTokens(
    tx: Tx,
    all: readonly Pick<Issued, 'grantId' | 'refreshToken'>[],
  ): Promise<void> {
    const expires_at = clock() + lifetimes.refreshTokenMs;
    const rows = all.map(({ grantId, refreshToken }) => ({
      token_hash: hashToken(refreshToken),
      grant_id: grantId,
      expires_at,
    }));
    await insertRefreshTokens(tx, rows);
  }

  /** @returns an answer for each, in their order */
  async function issue(tx: Tx, all: readonly Issued[]): Promise<TokenAnswer[]> {
    const tokens = await issueAccessTokens(
      tx,
      all.map(({ grantId }) => grantId),
      { now: clock(), lifetimeMs: lifetimes.accessTokenMs },
    );
    return all.map(({ refreshToken, scopes }, at) => ({
      ...(tokens[at] as AccessToken),
      refresh_token: refreshToken,
      ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    }));
  }

  return { keepRefreshTokens, issue };
}
