import { createPublicKey, verify } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decryptPush, receiverKeys } from '../../../../test/support/push-service.ts';
import { encryptFor, MOST_CONTENT_BYTES, readReceiverKeys } from './encryption.ts';
import { authorizationOf, newVapidSecret, vapidKeyOf } from './vapid.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');

/** RFC 8291, appendix A. */
const EXAMPLE = {
  text: 'When I grow up, I want to be a watermelon',
  senderKey: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  receiverKey: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  message:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_' +
    'yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};

describe('the content of a push', () => {
  it('is encrypted as in the example of RFC 8291', () => {
    const keys = readReceiverKeys(EXAMPLE);
    if (!keys) throw new Error('the keys of the example are refused');
    const chosen = { salt: bytes(EXAMPLE.salt), privateKey: bytes(EXAMPLE.senderKey) };
    const message = encryptFor(keys, Buffer.from(EXAMPLE.text), chosen);
    expect(message.toString('base64url')).toBe(EXAMPLE.message);
    const receiver = { privateKey: bytes(EXAMPLE.receiverKey), auth: bytes(EXAMPLE.auth) };
    expect(decryptPush(bytes(EXAMPLE.message), receiver).toString()).toBe(EXAMPLE.text);
  });

  it('comes back as it was, with another salt and key each time', () => {
    const receiver = receiverKeys();
    const keys = readReceiverKeys(receiver.public);
    if (!keys) throw new Error('the keys are refused');
    const seen = new Set<string>();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (content) => {
        const message = encryptFor(keys, content);
        expect(decryptPush(message, receiver)).toEqual(Buffer.from(content));
        const start = message.subarray(0, 86).toString('hex');
        expect(seen.has(start)).toBe(false);
        seen.add(start);
      }),
      { numRuns: 30 },
    );
  });

  it('fills 4096 bytes at most', () => {
    const keys = readReceiverKeys(receiverKeys().public);
    if (!keys) throw new Error('the keys are refused');
    expect(encryptFor(keys, Buffer.alloc(MOST_CONTENT_BYTES)).length).toBe(4096);
    expect(() => encryptFor(keys, Buffer.alloc(MOST_CONTENT_BYTES + 1))).toThrow(RangeError);
  });
});

describe('the keys of a subscription', () => {
  const { p256dh, auth } = receiverKeys().public;
  const point = bytes(p256dh);
  const beside = Buffer.from(point);
  beside.writeUInt8((beside.readUInt8(64) + 1) % 256, 64);
  const compressed = Buffer.concat([Buffer.of(2 + (point.readUInt8(64) % 2)), point.subarray(1, 33)]);

  it('are a point of P-256 and 16 bytes, padded or not', () => {
    expect(readReceiverKeys({ p256dh, auth })).toEqual({ p256dh: point, auth: bytes(auth) });
    expect(readReceiverKeys({ p256dh: `${p256dh}=`, auth: `${auth}==` })).toBeDefined();
  });

  it.each([
    ['a point beside the curve', beside.toString('base64url'), auth],
    ['the point at infinity', Buffer.alloc(1).toString('base64url'), auth],
    ['zeros', Buffer.concat([Buffer.of(4), Buffer.alloc(64)]).toString('base64url'), auth],
    ['a compressed point', compressed.toString('base64url'), auth],
    ['a coordinate beyond the field', Buffer.alloc(65, 255).fill(4, 0, 1).toString('base64url'), auth],
    ['a point that is too long', Buffer.concat([point, Buffer.of(0)]).toString('base64url'), auth],
    ['other base64', `${p256dh.slice(0, -1)}+`, auth],
    ['a short secret', p256dh, bytes(auth).subarray(1).toString('base64url')],
    ['a long secret', p256dh, Buffer.alloc(17).toString('base64url')],
    ['nothing', '', ''],
  ])('are not %s', (_, givenPoint, givenAuth) => {
    expect(readReceiverKeys({ p256dh: givenPoint, auth: givenAuth })).toBeUndefined();
  });
});

describe('the header that identifies the server', () => {
  const NOW = Date.UTC(2026, 0, 1);
  const key = vapidKeyOf(newVapidSecret());
  const read = (header: string) => {
    const [, token = '', k = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header) ?? [];
    const [head = '', claims = '', signature = ''] = token.split('.');
    const point = bytes(k);
    const coordinate = (from: number) => point.subarray(from, from + 32).toString('base64url');
    const jwk = { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) };
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
    const options = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
    return {
      head: JSON.parse(bytes(head).toString()),
      claims: JSON.parse(bytes(claims).toString()),
      isSigned: verify('sha256', Buffer.from(`${head}.${claims}`), options, bytes(signature)),
    };
  };

  it('is that of RFC 8292: the origin of the push service, an end within a day, the operator', () => {
    const header = authorizationOf(
      key,
      'https://push.example.net:8443/p/abc?x=1',
      'mailto:ops@example.com',
      NOW,
    );
    const { head, claims, isSigned } = read(header);
    expect(head).toEqual({ typ: 'JWT', alg: 'ES256' });
    const exp = NOW / 1000 + 12 * 3600;
    expect(claims).toEqual({ aud: 'https://push.example.net:8443', exp, sub: 'mailto:ops@example.com' });
    expect(isSigned).toBe(true);
    expect(read(authorizationOf(key, 'https://push.example.net/', undefined, NOW)).claims).not.toHaveProperty(
      'sub',
    );
  });

  it('has the form that the example of RFC 8292 has, whose signature holds', () => {
    const { claims, isSigned } = read(
      'vapid t=eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA, ' +
        'k=BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs',
    );
    expect(claims.aud).toBe('https://push.example.net');
    expect(isSigned).toBe(true);
  });

  it('has a key of 32 bytes, however the number begins', () => {
    for (let made = 0; made < 300; made++) expect(bytes(newVapidSecret()).length).toBe(32);
    const small = Buffer.alloc(32, 0).fill(7, 31).toString('base64url');
    expect(bytes(vapidKeyOf(small).publicKey).length).toBe(65);
  });
});
