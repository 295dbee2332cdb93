import { expect, it } from 'vitest';
import { passageOf } from './selected-passage.ts';

const partOf = (text: string, selected: string, before = '') => {
  const passage = passageOf({ text, events: [] }, selected, before);
  return passage && text.slice(passage.from, passage.to);
};

it.each([
  ['We meet at four. Bring tea.', 'meet at four', 'meet at four.'],
  ['We **meet** at four.', 'meet', '**meet**'],
  ['We **meet** at four, or not.', 'meet at four', 'meet** at four'],
  ['One [tea](https://tea.example) for all', 'tea for', 'tea](https://tea.example) for'],
  ['Η μηχανή υφαίνει', 'μηχανή', 'μηχανή'],
  ['𞤀𞤣𞤤𞤢𞤥 𞤨𞤵𞤤𞤢𞤪 a', '𞤨𞤵𞤤𞤢𞤪', '𞤨𞤵𞤤𞤢𞤪'],
])('in %j, %j is found as %j', (text, selected, found) => {
  expect(partOf(text, selected)).toBe(found);
});

it('of equal words it is those that were selected', () => {
  const text = 'no, yes, no, yes, no';
  const passage = passageOf({ text, events: [] }, 'yes', 'no, yes, no, ');
  expect(passage?.from).toBe(13);
});

it.each([
  ['the whole text', 'All of it.', 'All of it'],
  ['what is not in it', 'All of it.', 'none'],
  ['no letters', 'All of it…', '…'],
])('%s is no passage', (_, text, selected) => {
  expect(partOf(text, selected)).toBeUndefined();
});
