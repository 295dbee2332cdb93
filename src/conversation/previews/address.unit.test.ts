import { expect, it } from 'vitest';
import { looksLikeSignIn, pageAddress } from './address.ts';

it.each([
  'https://example.org/',
  'https://example.org/news/2026/11/27/how-a-bridge-is-built-in-winter.html',
  'https://example.org/wiki/Donaudampfschifffahrt',
  'https://github.com/nodejs/node/issues/61234',
  'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=42s',
  'https://shop.example/Iphone-16-Pro-Max-256GB?utm_source=news&page=2',
  'https://example.org/blog/why-a-password-is-not-enough',
  'https://example.org/blog/key-code-and-signature-schemes-compared',
  'https://example.org/status/1990123456789012345',
  'https://ar.example/%D9%85%D9%82%D8%A7%D9%84/%D8%A7%D9%84%D8%AC%D8%B3%D9%88%D8%B1',
  'https://example.org/%E0%A4%A',
])('a page that anybody reads: %s', (address) => {
  expect(pageAddress(address)?.href).toBe(address);
});

it.each([
  ['plain HTTP', 'http://example.org/'],
  ['another scheme', 'ftp://example.org/'],
  ['no address', 'https://'],
  ['a user name', 'https://ada@example.org/'],
  ['a password', 'https://ada:secret@example.org/'],
  ['an empty user name with a password', 'https://:secret@example.org/'],
  ['a token', 'https://example.org/?token=1'],
  ['a token in another spelling', 'https://example.org/?accessToken=1'],
  ['a token in one word', 'https://example.org/?ACCESSTOKEN=1'],
  ['an encoded name', 'https://example.org/?t%6Fken=1'],
  ['a key', 'https://example.org/?a=1&api_key=1'],
  ['a code', 'https://example.org/?code=1'],
  ['a signature', 'https://files.example/a.pdf?X-Amz-Signature=1'],
  ['a short signature', 'https://files.example/a.pdf?sv=1&sig=1'],
  ['a session behind a semicolon', 'https://example.org/?a=1;sid=2'],
  ['a session in the path', 'https://example.org/x;jsessionid=1A'],
  ['a path that is named so', 'https://example.org/invite/abc'],
  ['a capital in the path', 'https://example.org/Invite/abc'],
  ['two words in the path', 'https://example.org/reset-password/abc'],
  ['a secret to share', 'https://onetime.example/secret/a1b2'],
  ['a UUID', 'https://example.org/d/123e4567-e89b-42d3-a456-426614174000'],
  ['hexadecimal digits', 'https://example.org/d/9f86d081884c7d659a2feaa0c55ad015'],
  ['base 62', 'https://docs.example/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit'],
  ['base 64', 'https://example.org/d/aB3_xY-9kLmN0pQr5tUv'],
  ['base 32', 'https://example.org/d/MFRGGZDFMZTWQ2LKNNWG23TPOA'],
  ['many small letters', 'https://example.org/d/qwhzjxkvbnmplkjhgfdsazxcvbnmq'],
  ['many digits', 'https://example.org/d/482910384756102938475610293847'],
  ['a value without a name', 'https://example.org/?9f86d081884c7d659a2feaa0c55ad015'],
  ['a value in a value', 'https://example.org/?u=%2Fd%2F9f86d081884c7d659a2feaa0c55ad015'],
  ['a great length', `https://example.org/${'a/'.repeat(1000)}`],
])('what may be for its reader alone: %s (claim: secrets-not-fetched)', (_, address) => {
  expect(pageAddress(address)).toBeUndefined();
});

it('a fragment is for the browser alone', () => {
  expect(pageAddress('https://example.org/a#token=9f86d081884c7d659a2feaa0c55ad015')?.href).toBe(
    'https://example.org/a',
  );
});

it.each([
  'https://gitlab.example/users/sign_in',
  'https://example.org/Login.aspx?returnTo=%2Fa',
  'https://example.org/auth/realms/x',
  'https://login.example.org/a',
  'https://accounts.example.org/',
])('people sign in at %s', (address) => expect(looksLikeSignIn(new URL(address))).toBe(true));

it.each(['https://example.org/blog/login-pages', 'https://example.org/authors/ada', 'https://idea.example/'])(
  'people read %s',
  (address) => expect(looksLikeSignIn(new URL(address))).toBe(false),
);
