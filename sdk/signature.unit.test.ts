import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { SignatureError, verifyCallback } from './index.ts';

const secret = randomUUID();
const now = new Date();

/** Signed by the reference implementation of Standard Webhooks. */
function signed(body: object, secrets: string[] = [secret], at = now) {
  const raw = JSON.stringify(body);
  const signatures = secrets.map((one) => new Webhook(one, { format: 'raw' }).sign('call-1', at, raw));
  const headers = {
    'webhook-id': 'call-1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  };
  return { headers, raw };
}

describe('verifyCallback', () => {
  it('accepts what the reference implementation signed', () => {
    const { headers, raw } = signed({ type: 'team', client_secret: secret });
    expect(verifyCallback(headers, raw, secret)).toMatchObject({ type: 'team' });
  });

  it('accepts one of several signatures, as during the overlap of two secrets', () => {
    const { headers, raw } = signed({ client_secret: secret }, [randomUUID(), secret]);
    expect(verifyCallback(headers, raw, secret)).toBeDefined();
  });

  it.each([
    ['another secret', signed({ client_secret: secret }, [randomUUID()])],
    ['another secret in the body', signed({ client_secret: randomUUID() })],
    ['no secret in the body', signed({})],
    [
      'a call of ten minutes ago',
      signed({ client_secret: secret }, [secret], new Date(now.getTime() - 600_000)),
    ],
    ['a call of the future', signed({ client_secret: secret }, [secret], new Date(now.getTime() + 600_000))],
  ])('refuses %s', (_, { headers, raw }) => {
    expect(() => verifyCallback(headers, raw, secret)).toThrow(SignatureError);
  });

  it('refuses a body that was changed, and missing headers', () => {
    const { headers, raw } = signed({ client_secret: secret });
    expect(() => verifyCallback(headers, `${raw} `, secret)).toThrow(SignatureError);
    expect(() => verifyCallback({}, raw, secret)).toThrow(SignatureError);
  });
});
