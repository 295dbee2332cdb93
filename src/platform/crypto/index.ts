import {
  type BinaryToTextEncoding,
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 256 bits. */
const TOKEN_LENGTH = 43;

/**
 * @returns 256 random bits in letters and digits. It cannot begin with `-`, which a command line would read as an
 * option.
 */
export function randomToken(): string {
  let token = '';
  while (token.length < TOKEN_LENGTH) {
    for (const byte of randomBytes(64)) {
      // A byte beyond the last whole multiple would make some characters likelier than others.
      if (byte < 4 * BASE62.length && token.length < TOKEN_LENGTH) token += BASE62[byte % BASE62.length];
    }
  }
  return token;
}

/**
 * The stored form of a token. A fast hash is right here: unlike a password, a token has too much entropy to be
 * guessed from its hash.
 */
export function hashToken(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** Stands for a text where it is compared with others. */
export const digestOf = (text: string): Buffer => hash('sha256', text, 'buffer');

/** Compares the digests of two texts in constant time. */
export const sameDigest = (one: Buffer, other: Buffer): boolean => timingSafeEqual(one, other);

/** Compares in constant time. */
export const equalInConstantTime = (one: string, other: string): boolean =>
  sameDigest(digestOf(one), digestOf(other));

/**
 * HMAC-SHA256. Node takes six times as long to see that raw bytes are no key object as to make one of them.
 * @param encoding of the result
 */
export const sign = (
  key: Buffer,
  text: string | Buffer,
  encoding: BinaryToTextEncoding = 'base64url',
): string => createHmac('sha256', createSecretKey(key)).update(text).digest(encoding);

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts and authenticates with AES-256-GCM under one key that lives outside the database. */
export class Cipher {
  readonly #key: KeyObject;

  /** @param key 32 bytes. */
  constructor(key: Buffer) {
    this.#key = createSecretKey(key);
  }

  /** @returns nonce, tag and ciphertext in base64. */
  encrypt(text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce);
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
  }

  /** @throws when the text was not encrypted under this key, or was changed since. */
  decrypt(encrypted: string): string {
    const bytes = Buffer.from(encrypted, 'base64');
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const body = bytes.subarray(NONCE_BYTES + TAG_BYTES);
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
  }
}
