import { expect, it } from 'vitest';
import { isMailAddress } from './address.ts';

it.each([
  'ada@example.org',
  "o'brien+news@mail.example.org",
  'jörg@bücher.example',
  'a.b-c_d@xn--bcher-kva.example',
  'root@localhost',
])('%s is an address', (text) => expect(isMailAddress(text)).toBe(true));

it.each([
  'x1:v@example.org',
  'x@example.org,y@example.org',
  '"ada"@example.org',
  'ada(comment)@example.org',
  'ada <ada@example.org>',
  '<ada@example.org>',
  'a da@example.org',
  '.ada@example.org',
  'ada.@example.org',
  'a..b@example.org',
  'ada@example.org.',
  'ada@[127.0.0.1]',
  'ada@-example.org',
  'ada@@example.org',
  'ada\\@example.org',
  'ad\u200ba@example.org',
  'ada\u202e@example.org',
  'ada@example.org\n',
  `${'a'.repeat(250)}@example.org`,
])('%j is not one address in one spelling', (text) => expect(isMailAddress(text)).toBe(false));
