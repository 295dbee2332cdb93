import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { SignatureError } from './errors.ts';
import type { Callback } from './types.ts';

/** How far the sender's clock may be from ours: older calls may be replays. */
const TOLERANCE_S = 300;

/** Header names in lower case, as Node gives them. */
export type CallbackHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Checks that a call came from the platform: its Standard Webhooks signature, and the client secret in its body.
 * @param rawBody the body exactly as it came: parsing and writing it again would change what was signed
 * @param now Unix seconds
 * @throws SignatureError
 */
export function verifyCallback(
  headers: CallbackHeaders,
  rawBody: string,
  clientSecret: string,
  now = Date.now() / 1000,
): Callback {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures } = headers;
  if (typeof id !== 'string' || typeof time !== 'string' || typeof signatures !== 'string') {
    throw new SignatureError('a webhook header is missing');
  }
  if (!(Math.abs(now - Number(time)) <= TOLERANCE_S)) throw new SignatureError('the call is too old');
  const expected = createHmac('sha256', clientSecret).update(`${id}.${time}.${rawBody}`).digest('base64');
  const given = signatures.split(' ').map((signature) => signature.replace(/^v1,/, ''));
  if (!given.some((signature) => equal(signature, expected)))
    throw new SignatureError('the signature is wrong');
  const body = JSON.parse(rawBody) as Callback;
  if (!equal(String(body.client_secret), clientSecret))
    throw new SignatureError('the client secret is wrong');
  return body;
}

/** In constant time, whatever the lengths. */
function equal(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
}
