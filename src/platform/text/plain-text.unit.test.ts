import { expect, it } from 'vitest';
import { plainExcerpt } from './index.ts';

const REPLY = 'https://chat.example.org/messages/01a22835-85ed-7000-b038-55c26ca7c03a';

it.each([
  ['the copy of a reply', `It is **done**\n\n↩ ${REPLY}`, 'It is done'],
  ['the copy of a reply without words', `↩ ${REPLY}`, `↩ ${REPLY}`],
  ['a link at the end', `It is done\n\n${REPLY}`, `It is done\n\n${REPLY}`],
  ['an arrow before other words', 'Press\n\n↩ twice', 'Press\n\n↩ twice'],
])('an excerpt shows the words of a text: %s', (_what, text, shown) => {
  expect(plainExcerpt(text, 200)).toBe(shown);
});

it('an excerpt of a text without formatting shows all of its lines', () => {
  expect(plainExcerpt(`It is done\n\n↩ ${REPLY}`, 200, undefined, 'plain')).toBe(`It is done\n\n↩ ${REPLY}`);
});

it('an excerpt of the copy of a long reply ends within its words', () => {
  expect(plainExcerpt(`${'word '.repeat(100)}\n\n↩ ${REPLY}`, 20)).toBe('word word word word…');
});
