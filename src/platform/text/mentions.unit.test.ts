import { expect, it } from 'vitest';
import { mentionedNames } from './mentions.ts';

it.each([
  ['@ada, @Bob.C and (@cleo)', ['ada', 'bob.c', 'cleo']],
  ['the end @ada.', ['ada.', 'ada']],
  ['ada@example.org a+b@c @@x', []],
  ['@ nobody @_x', []],
  ['https://social.example/@cleo https://x.example/a?to=@bob, @ada', ['ada']],
  ['@constructor @__proto__', ['constructor']],
  ['@bakersé @bakers\u0301 @baker', ['baker']],
  ['@ada你好 @bobさん @cleo’s @dan님 @eva๐', ['ada', 'bob', 'cleo', 'dan']],
  ['@adж @bobα @cleoע @danه @eva1é @fay_ж', []],
  [`@${'a'.repeat(65)}`, []],
])('%s', (text, names) => {
  expect([...mentionedNames(text)].sort()).toEqual([...names].sort());
});

it('a text of nothing but names is not read without end', () => {
  expect(mentionedNames('@a'.repeat(8000)).size).toBeLessThan(5);
  const many = Array.from({ length: 5000 }, (_, n) => `@user${n}`).join(' ');
  expect(mentionedNames(many).size).toBe(100);
  expect(mentionedNames(`${'@a. '.repeat(60)}@ben`).has('ben')).toBe(true);
});
