import { expect, it } from 'vitest';
import { readText } from '#platform/text/formatting.ts';
import { isEmojiAlone } from './emoji-alone.ts';

it.each([
  ['👍', true],
  ['👍🏽 🎉\n❤️', true],
  ['👩‍👩‍👧‍👦🇩🇪1️⃣', true],
  [':party_parrot:', true],
  [':party_parrot: 🎉', true],
  ['🎉'.repeat(12), true],
  ['🎉'.repeat(13), false],
  ['', false],
  ['12', false],
  ['#', false],
  ['🎉!', false],
  ['ok 👍', false],
  ['`🎉`', false],
  ['**🎉**', false],
  ['- 🎉', false],
  ['@ada 🎉', false],
  ['🎉\u200d'.repeat(1000), false],
])('%j is emoji alone: %s', (text, expected) => {
  expect(isEmojiAlone(readText(text))).toBe(expected);
});
