import { expect, it } from 'vitest';
import { hasBeginnings, hasWords, isCalled } from './matching.ts';

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

const named = (name: string, username = 'someone') => {
  const [first_name = '', ...others] = name.split(' ');
  return { first_name, last_name: others.join(' '), username };
};

it.each([
  ['Łukasz Đorđević', 'lukasz dordevic'],
  ['Łukasz Đorđević', 'dor luk'],
  ['Łukasz Đorđević', 'ukasz đ'],
  ['Anders Ångström', 'angstrom'],
  ['Øyvind Sæther', 'oyvind saether'],
  ['Oyvind Saether', 'øyvind sæther'],
  ['Anna Straße', 'strasse'],
  ['Anna Strasse', 'straße'],
  ['İpek Işık', 'ipek isik'],
  ['مُحَمَّد عليّ', 'محمد علي'],
  ['Zoë Åström-Weiß', 'weiss'],
  ["Conan O'Brien", "o'br"],
  ['山田 太郎', '郎'],
])('%s is called %s', (name, query) => {
  expect(isCalled(named(name), query)).toBe(true);
});

it.each([
  ['Łukasz Đorđević', 'lukasz e'],
  ['José', 'ose'],
  ['Ada Test', '%'],
])('%s is not called %s', (name, query) => {
  expect(isCalled(named(name), query)).toBe(false);
});

it('a name of signs alone begins with them', () => {
  expect(hasBeginnings('🎉 C++', '🎉')).toBe(true);
  expect(hasBeginnings('Bakery', '🎉')).toBe(false);
});

it('people are called by their user names, too', () => {
  expect(isCalled(named('José Müller', 'pepe.m'), 'pepe.m muller')).toBe(true);
});
