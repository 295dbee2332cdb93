import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

/** The keys that a browser, or another receiver, gives with a subscription: RFC 8291 §2. */
export interface ReceiverKeys {
  /** A point of P-256, uncompressed: 65 bytes. */
  readonly p256dh: Uint8Array;
  /** 16 bytes. */
  readonly auth: Uint8Array;
}

/** RFC 8291 §3.4. */
const PURPOSE = new TextEncoder().encode('WebPush: info\0');
const CURVE = 'prime256v1';
const POINT_BYTES = 65;
const AUTH_BYTES = 16;
const SALT_BYTES = 16;
const TAG_BYTES = 16;
/** RFC 8291 §4: receivers take one record, and need not take more than 4096 bytes in all. */
const RECORD_BYTES = 4096;
const HEADER_BYTES = SALT_BYTES + 4 + 1 + POINT_BYTES;
/** RFC 8188 §2: ends the last record. */
const LAST_RECORD = Buffer.of(2);

/** The longest text that fits, in bytes of UTF-8. */
export const MOST_CONTENT_BYTES = RECORD_BYTES - HEADER_BYTES - TAG_BYTES - LAST_RECORD.length;

/** Replaces what is random, to check against the example of the RFC. */
interface Chosen {
  readonly salt: Uint8Array;
  readonly privateKey: Uint8Array;
}

/**
 * Encrypts a message for one receiver: RFC 8291 §3 with the coding `aes128gcm` of RFC 8188.
 * @throws RangeError when it does not fit into one record
 */
export function encryptFor(keys: ReceiverKeys, content: Uint8Array, chosen?: Chosen): Buffer {
  if (content.length > MOST_CONTENT_BYTES) throw new RangeError('the content of a push is too long');
  const salt = chosen?.salt ?? randomBytes(SALT_BYTES);
  const pair = createECDH(CURVE);
  if (chosen) pair.setPrivateKey(chosen.privateKey);
  else pair.generateKeys();
  const sender = pair.getPublicKey();
  const { key, nonce } = derive(keys, sender, pair.computeSecret(keys.p256dh), salt);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const record = [cipher.update(content), cipher.update(LAST_RECORD), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([headerOf(salt, sender), ...record]);
}

/** RFC 8291 §3.3 and §3.4. */
function derive(keys: ReceiverKeys, sender: Uint8Array, secret: Uint8Array, salt: Uint8Array) {
  const info = Buffer.concat([PURPOSE, keys.p256dh, sender]);
  const input = hkdf(secret, keys.auth, info, 32);
  return {
    key: hkdf(input, salt, 'Content-Encoding: aes128gcm\0', 16),
    nonce: hkdf(input, salt, 'Content-Encoding: nonce\0', 12),
  };
}

const hkdf = (secret: Uint8Array, salt: Uint8Array, info: string | Uint8Array, length: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length));

/** RFC 8188 §2.1: salt, size of a record, and the sender's point as the id of the key. */
function headerOf(salt: Uint8Array, sender: Uint8Array): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(RECORD_BYTES);
  return Buffer.concat([salt, size, Buffer.of(sender.length), sender]);
}

/** @returns the keys of a subscription; undefined where they are no point of the curve, or have another length */
export function readReceiverKeys(given: { p256dh: string; auth: string }): ReceiverKeys | undefined {
  const keys = { p256dh: bytesOf(given.p256dh), auth: bytesOf(given.auth) };
  const fits =
    keys.auth.length === AUTH_BYTES && keys.p256dh.length === POINT_BYTES && isOnCurve(keys.p256dh);
  return fits ? keys : undefined;
}

/** Browsers give URL-safe base64; others may pad it. Anything else gives no bytes. */
function bytesOf(text: string): Buffer {
  return /^[\w-]*={0,2}$/.test(text) ? Buffer.from(text, 'base64url') : Buffer.alloc(0);
}

function isOnCurve(point: Uint8Array): boolean {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  try {
    return pair.computeSecret(point).length > 0;
  } catch {
    return false;
  }
}
