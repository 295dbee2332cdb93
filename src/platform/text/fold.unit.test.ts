import { expect, it } from 'vitest';
import { fold, foldedWords } from './fold.ts';

it.each([
  ['Łukasz Đorđević', 'lukasz dordevic'],
  ['Ångström', 'angstrom'],
  ['Øyvind', 'oyvind'],
  ['Straße', 'strasse'],
  ['STRAẞE', 'strasse'],
  ['İpek Işık', 'ipek isik'],
  ['مُحَمَّد عليّ', 'محمد علي'],
  ['שָׁלוֹם', 'שלום'],
  ['Þorgerður Æbelø', 'thorgerdur aebelo'],
  ['Ṩệñőř', 'senor'],
  ['ﬁne ＡＢＣ', 'fine abc'],
])('%s is folded to %s, whether it is composed or not', (text, folded) => {
  expect(fold(text)).toBe(folded);
  expect(fold(text.normalize('NFD'))).toBe(folded);
});

it('what stands between the words of a name does not matter', () => {
  expect(foldedWords("Conan O'Brien-Weiß, jr.")).toEqual(['conan', 'o', 'brien', 'weiss', 'jr']);
});
