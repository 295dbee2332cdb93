import { signerFactory } from '@fastify/cookie';
import { expect, it } from 'vitest';
import { cookieSigner } from './cookie-signer.ts';

const SECRET = 'c2VjcmV0IG9mIHRoZSBjb29raWVz';

it('signs cookies as the library does, so that those of earlier versions stay good', () => {
  const [own, library] = [cookieSigner(SECRET), signerFactory(SECRET)];
  for (const value of ['token', 'a.b', 'ü', '']) {
    const signed = library.sign(value);
    expect(own.sign(value)).toBe(signed);
    expect(own.unsign(signed)).toEqual(library.unsign(signed));
  }
});

it('refuses every text that was not signed, or not with this secret', () => {
  const { sign, unsign } = cookieSigner(SECRET);
  const signed = sign('token');
  const others = ['', '.', 'token', 'token.', `.${signed}`, `${signed}=`, signed.slice(0, -1), `x${signed}`];
  for (const text of [...others, cookieSigner('another').sign('token')]) {
    expect(unsign(text), text).toEqual({ valid: false, renew: false, value: null });
  }
});
