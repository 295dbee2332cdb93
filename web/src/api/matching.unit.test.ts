import { expect, it } from 'vitest';
import { hasBeginnings, hasWords } from './matching.ts';

it.each([
  ['Łukasz Żółć', 'zolc luk'],
  ['Lukasz', 'ŁUK'],
  ['Café Ærø', 'cafe aero'],
  ['Anything', ' '],
])('%s has what %s begins', (name, query) => {
  expect(hasBeginnings(name, query)).toBe(true);
  expect(hasWords(name, query)).toBe(true);
});

it('the middle of a word is in a text, and begins no word', () => {
  expect(hasWords('Smørrebrød', 'brod')).toBe(true);
  expect(hasBeginnings('Smørrebrød', 'brod')).toBe(false);
});

it.each(['łukasz anna', 'lukass'])('Łukasz is not found by %s', (query) => {
  expect(hasWords('Łukasz', query)).toBe(false);
  expect(hasBeginnings('Łukasz', query)).toBe(false);
});
