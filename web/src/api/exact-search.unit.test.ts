import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseSearch, stringifySearch, textsOf } from './exact-search.ts';

it.each([
  '1e5',
  '12345678901234567890',
  '007',
  '-0',
  '{"a":1}',
  '{ "a": 1 }',
  '"quoted"',
  '"1"',
  'true',
  ' ',
  '',
  'ü&=+%',
])('a parameter that is %j stays so through the router', (state) => {
  const search = `?${new URLSearchParams({ state })}`;
  expect(textsOf(parseSearch(search))).toEqual({ state });
  expect(stringifySearch(parseSearch(search))).toBe(search);
});

it('any text does, and values of views come back as they were', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (state) => {
      const search = `?${new URLSearchParams({ state })}`;
      expect(stringifySearch(parseSearch(search))).toBe(search);
    }),
  );
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string())), (value) => {
      expect(parseSearch(stringifySearch({ value }))).toEqual({ value });
    }),
  );
});
