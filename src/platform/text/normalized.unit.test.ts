import { expect, it } from 'vitest';
import { normalized } from './normalized.ts';

const BELOW = '\u0323';
const ABOVE = '\u0301';

it.each([
  ['', ''],
  ['cafe\u0301', 'café'],
  [`a${ABOVE}${BELOW}`, `ạ${ABOVE}`],
  ['한글', '한글'],
  ['\u1112\u1161\u11ab', '한'],
  ['\ud800', '\ud800'],
])('puts %j into its composed form', (text, composed) => {
  expect(normalized(text, 'NFC')).toBe(composed);
  expect(normalized(text, 'NFKD')).toBe(text.normalize('NFKD'));
});

it.each(['NFC', 'NFKD'] as const)('normalises any number of marks in pieces (%s)', (form) => {
  for (const pair of [`${ABOVE}${BELOW}`, `\uff9e${BELOW}`]) {
    const crowded = `a${pair.repeat(100)}b`;
    const given = normalized(crowded, form);
    expect(given.normalize(form)).toBe(crowded.normalize(form));
    // Seconds, if the marks of one letter were put into one order.
    expect(normalized(pair.repeat(200_000), form)).not.toBe('');
  }
});
