import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { ParleyApplication, SignatureError, verifyCallback } from './index.ts';

const secret = randomUUID();
const now = 1_800_000_000;

interface Signing {
  readonly secrets?: readonly string[];
  /** Unix seconds. */
  readonly at?: number;
}

/** Signed by the reference implementation of Standard Webhooks, whose secrets are base64 of the key. */
function signed(body: unknown, { secrets = [secret], at = now }: Signing = {}) {
  const raw = typeof body === 'string' ? body : JSON.stringify(body);
  const sign = (one: string) =>
    new Webhook(Buffer.from(one).toString('base64')).sign('call-1', new Date(at * 1000), raw);
  const headers: Record<string, string> = {
    'webhook-id': 'call-1',
    'webhook-timestamp': String(at),
    'webhook-signature': secrets.map(sign).join(' '),
  };
  return { headers, raw };
}

const verify = ({ headers, raw }: ReturnType<typeof signed>) => verifyCallback(headers, raw, secret, now);
const body = { type: 'team', team: { name: 'Çelik 🛠' }, client_secret: secret };

describe('verifyCallback accepts', () => {
  it.each([
    ['what the reference implementation signed', signed(body)],
    ['one of several signatures, as while two secrets are good', signed(body, { secrets: ['old', secret] })],
    ['the first of several signatures', signed(body, { secrets: [secret, 'next'] })],
    ['a clock that is five minutes behind', signed(body, { at: now - 300 })],
    ['a clock that is five minutes ahead', signed(body, { at: now + 300 })],
  ])('%s', (_, call) => {
    expect(verify(call)).toEqual(body);
  });

  it('the body as bytes, and the headers as fetch has them', () => {
    const { headers, raw } = signed(body);
    expect(verifyCallback(new Headers(headers), Buffer.from(raw), secret, now)).toEqual(body);
  });
});

describe('verifyCallback refuses', () => {
  it.each([
    ['another secret', signed(body, { secrets: [randomUUID()] })],
    ['another secret in the body', signed({ ...body, client_secret: randomUUID() })],
    ['no secret in the body', signed({ type: 'team' })],
    ['a replay', signed(body, { at: now - 301 })],
    ['a call of the future', signed(body, { at: now + 301 })],
    ['a body that is not JSON', signed(`{"client_secret":"${secret}"`)],
    ['a body that is no object', signed('null')],
  ])('%s', (_, call) => {
    expect(() => verify(call)).toThrow(SignatureError);
  });

  const genuine = signed(body);
  const signature = genuine.headers['webhook-signature'] ?? '';
  it.each([
    ['webhook-id', 'call-2'],
    ['webhook-id', ''],
    ['webhook-timestamp', String(now + 1)],
    ['webhook-timestamp', `${now}.0`],
    ['webhook-timestamp', 'now'],
    ['webhook-signature', ''],
    ['webhook-signature', signature.replace('v1,', '')],
    ['webhook-signature', signature.replace('v1,', 'v2,')],
    ['webhook-signature', signature.slice(0, -4)],
  ])('a changed %s: %s', (name, value) => {
    expect(() => verify({ ...genuine, headers: { ...genuine.headers, [name]: value } })).toThrow(
      SignatureError,
    );
  });

  it('a changed body, missing headers, and a header that came twice', () => {
    const { headers, raw } = genuine;
    expect(() => verifyCallback(headers, `${raw} `, secret, now)).toThrow(SignatureError);
    expect(() => verifyCallback({}, raw, secret, now)).toThrow(SignatureError);
    const twice = { ...headers, 'webhook-id': ['call-1', 'call-1'] };
    expect(() => verifyCallback(twice, raw, secret, now)).toThrow(SignatureError);
  });
});

describe('ParleyApplication', () => {
  const application = new ParleyApplication({
    baseUrl: 'https://parley.example.org',
    clientId: randomUUID(),
    clientSecret: secret,
    redirectUri: 'https://app.example.org/redirect',
  });
  const current = (type: string) =>
    signed({ type, client_secret: secret }, { at: Math.floor(Date.now() / 1000) });

  it('takes each type of call at its own address only', () => {
    const take = {
      team: application.verifyInstall.bind(application),
      uninstall: application.verifyUninstall.bind(application),
      team_update: application.verifyTeamUpdate.bind(application),
    };
    for (const sent of Object.keys(take)) {
      const { headers, raw } = current(sent);
      for (const [expected, check] of Object.entries(take)) {
        if (sent === expected) expect(check(headers, raw)).toMatchObject({ type: sent });
        else expect(() => check(headers, raw)).toThrow(SignatureError);
      }
    }
  });
});
