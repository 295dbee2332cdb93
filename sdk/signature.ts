import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { SignatureError } from './errors.ts';
import type { Callback } from './types/callbacks.ts';

/** Tolerance between the sender's clock and ours: older calls may be replays. */
const TOLERANCE_S = 300;

/** The headers of a call: those of `fetch`, or with lower-case names, as in `node:http`. */
export type CallbackHeaders = Headers | Readonly<Record<string, string | string[] | undefined>>;

/**
 * Verifies that a call came from the platform: its Standard Webhooks signature, and the client secret in its body.
 * @param rawBody the body exactly as received: parsing and serialising it again would change the signed bytes
 * @param now Unix seconds
 * @throws SignatureError
 */
export function verifyCallback(
  headers: CallbackHeaders,
  rawBody: string | Uint8Array,
  clientSecret: string,
  now = Date.now() / 1000,
): Callback {
  const id = read(headers, 'webhook-id');
  const time = read(headers, 'webhook-timestamp');
  const signatures = read(headers, 'webhook-signature');
  if (!/^\d+$/.test(time) || !(Math.abs(now - Number(time)) <= TOLERANCE_S)) {
    throw new SignatureError('the call is too old, or from the future');
  }
  const mac = createHmac('sha256', clientSecret).update(`${id}.${time}.`).update(rawBody).digest('base64');
  // During a rotation there is one signature per valid secret. Versions other than v1 are ignored.
  if (!signatures.split(' ').some((signature) => equal(signature, `v1,${mac}`))) {
    throw new SignatureError('the signature is wrong');
  }
  return readBody(rawBody, clientSecret);
}

function read(headers: CallbackHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new SignatureError(`the header ${name} is missing, or there are several`);
}

/** Part 2.9 of the interface: the secret must match exactly. */
function readBody(rawBody: string | Uint8Array, clientSecret: string): Callback {
  const body = parse(typeof rawBody === 'string' ? rawBody : Buffer.from(rawBody).toString('utf8'));
  if (body && equal(String(body.client_secret), clientSecret)) return body;
  throw new SignatureError('the client secret in the body is wrong');
}

function parse(text: string): Callback | null {
  try {
    return JSON.parse(text) as Callback | null;
  } catch (cause) {
    throw new SignatureError('the body is not JSON', { cause });
  }
}

/** In constant time, for any lengths. */
function equal(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
}
