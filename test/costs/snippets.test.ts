import { expect, it } from 'vitest';
import { snippet, termsOf } from '../../src/conversation/messages/search/search-words.ts';
import { growth, MOST_GROWTH } from '../support/growth.ts';

const CHARACTERS = 16_000;
/** As many as a page holds, and some more. */
const TEXTS = 200;

const costOf = (part: string, q: string, tail: string) =>
  growth((share) => {
    const text = part.repeat((CHARACTERS / part.length) * share) + tail;
    const terms = termsOf(q);
    for (let at = 0; at < TEXTS; at++) snippet(text, terms);
  });

it.each([
  ['b ', 'b', ''],
  ['b+', 'b+', ''],
  ['a ', 'b', ' b'],
  ['é ', 'b', ' b'],
  ['中', '文', '文'],
  ['a中', 'a文', 'a文'],
  ['ﷺ', '文', '文'],
])(
  'the time to find what is shown of rows of %j, or after them, grows with the text',
  async (part, q, tail) => {
    expect((await costOf(part, q, tail)).times).toBeLessThan(MOST_GROWTH);
  },
);
