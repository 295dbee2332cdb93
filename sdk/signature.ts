import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { SignatureError } from './errors.ts';
import type { Callback } from './types.ts';

/** Tolerance between the sender's clock and ours: older calls may be replays. */
const TOLERANCE_S = 300;
/** Standard Webhooks: what follows is the key in base64. */
const PREFIX = 'whsec_';

type Named = Readonly<Record<string, string | string[] | undefined>>;

/** The headers of a call: those of `fetch`, or with lower-case names, as in `node:http`. */
export type CallbackHeaders = { get(name: string): string | null } | Named;

/**
 * Verifies the Standard Webhooks signature of a call.
 * @param rawBody the body exactly as received: parsing and serialising it again would change the signed bytes
 * @param keys those of a subscription (`whsec_…`), or client secrets; one of them must have signed
 * @param now Unix seconds
 * @throws SignatureError
 */
export function verifySignature(
  headers: CallbackHeaders,
  rawBody: string | Uint8Array,
  keys: readonly string[],
  now: number = Date.now() / 1000,
): void {
  const id = read(headers, 'webhook-id');
  const time = read(headers, 'webhook-timestamp');
  const signatures = read(headers, 'webhook-signature').split(' ');
  if (!/^\d+$/.test(time) || !(Math.abs(now - Number(time)) <= TOLERANCE_S)) {
    throw new SignatureError('the call is too old, or from the future');
  }
  // During a rotation there is one signature per valid key. Versions other than v1 are ignored.
  const expected = keys.map((key) => {
    const mac = createHmac('sha256', bytesOf(key)).update(`${id}.${time}.`).update(rawBody);
    return `v1,${mac.digest('base64')}`;
  });
  if (!signatures.some((signature) => expected.some((one) => equal(signature, one)))) {
    throw new SignatureError('the signature is wrong');
  }
}

const bytesOf = (key: string) =>
  key.startsWith(PREFIX) ? Buffer.from(key.slice(PREFIX.length), 'base64') : Buffer.from(key);

/**
 * Verifies that a callback came from the platform: its signature, and the client secret in its body.
 * @param rawBody as in `verifySignature`
 * @param now Unix seconds
 * @throws SignatureError
 */
export function verifyCallback(
  headers: CallbackHeaders,
  rawBody: string | Uint8Array,
  clientSecret: string,
  now: number = Date.now() / 1000,
): Callback {
  verifySignature(headers, rawBody, [clientSecret], now);
  return readBody(rawBody, clientSecret);
}

function read(headers: CallbackHeaders, name: string): string {
  const value = typeof headers.get === 'function' ? headers.get(name) : (headers as Named)[name];
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
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(one), hash(other));
}
