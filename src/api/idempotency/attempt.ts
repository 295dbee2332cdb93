import { hashToken } from '#platform/crypto/index.ts';
import type { Tx } from '#platform/db/index.ts';
import { InvalidFields } from '../errors.ts';

export const MAX_KEY_LENGTH = 255;

/** A POST that its caller may repeat: the caller, the key and a digest of the request. */
export interface Attempt {
  readonly scope: string;
  readonly key: string;
  readonly requestHash: string;
}

/** @throws InvalidFields for a key that is empty or too long */
export function readAttempt(scope: string, key: unknown, request: string): Attempt {
  if (typeof key !== 'string' || key === '' || key.length > MAX_KEY_LENGTH) {
    const message = `must be one text of 1 to ${MAX_KEY_LENGTH} characters`;
    throw new InvalidFields({ field: 'Idempotency-Key', message });
  }
  return { scope, key, requestHash: hashToken(request) };
}

/**
 * Rebuilds the answer of a repeated request from the id that the first one created. Only the id is stored, so that
 * content changed or deleted since does not come back.
 */
export type Again<T> = (tx: Tx, id: string) => Promise<T[]>;
