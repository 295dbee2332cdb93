import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Webhook } from 'standardwebhooks';
import { equalInConstantTime } from '#platform/crypto/index.ts';

/** Whether a call is signed with the key: as Standard Webhooks says, as GitHub does, or with GitLab's token. */
export function isSigned(key: string, headers: FastifyRequest['headers'], body: string): boolean {
  const one = (name: string) => {
    const value = headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  const hub = one('x-hub-signature-256');
  if (hub !== undefined)
    return equalInConstantTime(hub, `sha256=${createHmac('sha256', key).update(body).digest('hex')}`);
  const token = one('x-gitlab-token');
  if (token !== undefined) return equalInConstantTime(token, key);
  return isStandard(key, one, body);
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
