import { hashToken, randomToken } from '#platform/crypto/index.ts';
import type { Tx } from '#platform/db/index.ts';
import { insertAccessTokens } from './oauth.store.ts';

/** The fields that every answer with an access token has (RFC 6749 §5.1). */
export interface AccessToken {
  access_token: string;
  token_type: 'Bearer';
  /** Seconds. */
  expires_in: number;
}

/** Makes an access token for each grant; the database has their hashes alone. @param of their moment and lifetime, in milliseconds */
export async function issueAccessTokens(
  tx: Tx,
  grantIds: readonly string[],
  of: { readonly now: number; readonly lifetimeMs: number },
): Promise<AccessToken[]> {
  const tokens = grantIds.map(() => randomToken());
  const expires_at = of.now + of.lifetimeMs;
  await insertAccessTokens(
    tx,
    tokens.map((token, at) => ({
      token_hash: hashToken(token),
      grant_id: grantIds[at] as string,
      expires_at,
    })),
  );
  const expires_in = of.lifetimeMs / 1000;
  return tokens.map((access_token) => ({ access_token, token_type: 'Bearer', expires_in }));
}
