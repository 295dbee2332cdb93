import { hashToken, randomToken } from '#platform/crypto/index.ts';
import type { Tx } from '#platform/db/index.ts';
import { insertAccessToken } from './oauth.store.ts';

/** The fields that every answer with an access token has (RFC 6749 §5.1). */
export interface AccessToken {
  access_token: string;
  token_type: 'Bearer';
  /** Seconds. */
  expires_in: number;
}

/** Makes an access token of a grant; the database has its hash alone. @param of its moment and lifetime, in milliseconds */
export async function issueAccessToken(
  tx: Tx,
  of: { readonly grantId: string; readonly now: number; readonly lifetimeMs: number },
): Promise<AccessToken> {
  const token = randomToken();
  await insertAccessToken.run(tx, {
    token_hash: hashToken(token),
    grant_id: of.grantId,
    expires_at: of.now + of.lifetimeMs,
  });
  return { access_token: token, token_type: 'Bearer', expires_in: of.lifetimeMs / 1000 };
}
