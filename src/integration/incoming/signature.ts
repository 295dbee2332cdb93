import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Webhook } from 'standardwebhooks';
import { equalInConstantTime } from '#platform/crypto/index.ts';

/** A call that is signed. */
export interface Signed {
  /** Tells the call from all others, and only a holder of the key can change it. None for GitLab's token, which signs nothing. */
  readonly name: string | undefined;
}

/**
 * Checks a signature as Standard Webhooks says, or GitHub's, or GitLab's token.
 * @returns undefined for a call that is not signed with the key
 */
export function readSignature(
  key: string,
  headers: FastifyRequest['headers'],
  body: string,
): Signed | undefined {
  const one = (name: string) => {
    const value = headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  const hub = one('x-hub-signature-256');
  if (hub !== undefined) {
    const right = `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
    return equalInConstantTime(hub, right) ? { name: hub } : undefined;
  }
  const token = one('x-gitlab-token');
  if (token !== undefined) return equalInConstantTime(token, key) ? { name: undefined } : undefined;
  return isStandard(key, one, body) ? { name: one('webhook-id') } : undefined;
}

function isStandard(key: string, one: (name: string) => string | undefined, body: string): boolean {
  const headers = {
    'webhook-id': one('webhook-id') ?? '',
    'webhook-timestamp': one('webhook-timestamp') ?? '',
    'webhook-signature': one('webhook-signature') ?? '',
  };
  try {
    new Webhook(key).verify(body, headers);
    return true;
  } catch {
    // Missing, wrong, or too old.
    return false;
  }
}
