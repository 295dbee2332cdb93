import { createECDH, createPrivateKey, type KeyObject, sign } from 'node:crypto';

/** The key by which push services know this server: RFC 8292. */
export interface VapidKey {
  /** The point, uncompressed, in URL-safe base64: browsers subscribe with it. */
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

/** RFC 8292 §2: at most a day. A token is made for each call, so a short one does. */
const LIFETIME_MS = 12 * 3600 * 1000;

/** @returns the private number, in URL-safe base64 */
export function newVapidSecret(): string {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  // A number that begins with zeros comes shorter.
  return Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url');
}

export function vapidKeyOf(secret: string): VapidKey {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(Buffer.from(secret, 'base64url'));
  const point = pair.getPublicKey();
  const coordinate = (from: number) => point.subarray(from, from + 32).toString('base64url');
  const jwk = { kty: 'EC', crv: 'P-256', d: secret, x: coordinate(1), y: coordinate(33) };
  return {
    publicKey: point.toString('base64url'),
    privateKey: createPrivateKey({ key: jwk, format: 'jwk' }),
  };
}

/**
 * The header by which a push service knows who sends: RFC 8292 §3.
 * @param subject where the operator can be reached: §2.1 leaves it out where that is not known
 */
export function authorizationOf(
  key: VapidKey,
  endpoint: string,
  subject: string | undefined,
  now: number,
): string {
  const exp = Math.floor((now + LIFETIME_MS) / 1000);
  const parts = [
    { typ: 'JWT', alg: 'ES256' },
    { aud: new URL(endpoint).origin, exp, sub: subject },
  ];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  // RFC 7518 §3.4: both numbers of the signature, one after the other.
  const signature = sign('sha256', Buffer.from(text), { key: key.privateKey, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${text}.${signature.toString('base64url')}, k=${key.publicKey}`;
}
