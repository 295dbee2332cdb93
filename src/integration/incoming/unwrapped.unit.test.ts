import { expect, it } from 'vitest';
import { unwrapped } from './unwrapped.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const json = '{"state":"failed","job":"oven"}';
const read = { state: 'failed', job: 'oven' };
const header = Buffer.from('{"alg":"ES256"}').toString('base64url');

it.each([
  ['JSON', json, read],
  ['a list in JSON', `[${json}]`, [read]],
  ['XML', '<?xml version="1.0"?><job><state>failed</state></job>', { job: { state: 'failed' } }],
  ['JSON in Base64', base64(json), read],
  ['JSON in Base64, with blanks', base64(` ${json}`.trim()).replace(/.{20}/g, '$&\n'), read],
  ['XML in Base64', base64('<?xml version="1.0"?><a><b>c</b></a>'), { a: { b: 'c' } }],
  ['JSON in JSON', JSON.stringify({ inner: json }), { inner: read }],
  ['a signed token', `${header}.${Buffer.from(json).toString('base64url')}.c2ln`, read],
])('what is put into a text is read: %s', (_, text, inner) => {
  expect(unwrapped({ at: 7, list: [{ said: text }] })).toEqual({ at: 7, list: [{ said: inner }] });
});

it.each([
  ['a text', 'The oven is hot'],
  ['a text with brackets', '[oven] is {hot}'],
  ['an object without fields', '{}'],
  ['Base64 of something else', base64('The oven is hot')],
  ['Base64 that is cut', 'eyJzdGF0ZSI'],
  ['bytes that are no text', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0xff, 0xff]).toString('base64')],
  ['what lies too deep', `${'['.repeat(70)}1${']'.repeat(70)}`],
])('%s stays', (_, text) => {
  const payload = { list: [{ said: text }] };
  expect(unwrapped(payload)).toEqual(payload);
});

it('a secret stays closed', () => {
  const payload = {
    access_token: `${header}.${Buffer.from(json).toString('base64url')}.c2ln`,
    password: json,
  };
  expect(unwrapped(payload)).toEqual(payload);
});
