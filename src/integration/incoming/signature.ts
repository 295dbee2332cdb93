import type { FastifyRequest } from 'fastify';
import { Webhook } from 'standardwebhooks';
import { equalInConstantTime, sign } from '#platform/crypto/index.ts';

/** A call that is signed. */
export interface Signed {
  /** Tells the call from all others, and only a holder of the key can change it. None for GitLab's token, which signs nothing. */
  readonly name: string | undefined;
}

/**
 * Checks a signature as Standard Webhooks says, or GitHub's, or GitLab's token.
 * @param bodies one of which is signed
 * @returns undefined for a call that is not signed with the key
 */
export function readSignature(
  key: string,
  headers: FastifyRequest['headers'],
  bodies: readonly Buffer[],
): Signed | undefined {
  const one = (name: string) => {
    const value = headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  const hub = one('x-hub-signature-256');
  if (hub !== undefined) {
    const right = bodies.map((body) => `sha256=${sign(Buffer.from(key), body, 'hex')}`);
    return right.some((one) => equalInConstantTime(hub, one)) ? { name: hub } : undefined;
  }
  const token = one('x-gitlab-token');
  if (token !== undefined) return equalInConstantTime(token, key) ? { name: undefined } : undefined;
  return bodies.some((body) => isStandard(key, one, body)) ? { name: one('webhook-id') } : undefined;
}

function isStandard(key: string, one: (name: string) => string | undefined, body: Buffer): boolean {
  const headers = {
    'webhook-id': one('webhook-id') ?? '',
    'webhook-timestamp': one('webhook-timestamp') ?? '',
    'webhook-signature': one('webhook-signature') ?? '',
  };
  try {
    new Webhook(key).verify(body, headers, { jsonParse: false });
    return true;
  } catch {
    // Missing, wrong, or too old.
    return false;
  }
}
