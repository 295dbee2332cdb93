import { expect, it } from 'vitest';
import { snippet, termsOf } from '../../src/conversation/messages/search/search-words.ts';
import { growth, MOST_GROWTH } from '../support/growth.ts';

const CHARACTERS = 16_000;
/** As many as a page holds, and some more. */
const PAGE = 200;
/** Where words have no spaces between them, a text takes long enough to be measured with a few. */
const FEW = 15;

const costOf = (part: string, q: string, tail: string, texts: number) =>
  growth((share) => {
    const text = part.repeat((CHARACTERS / part.length) * share) + tail;
    const terms = termsOf(q);
    for (let at = 0; at < texts; at++) snippet(text, terms);
  });

it.each([
  ['b ', 'b', '', PAGE],
  ['b+', 'b+', '', PAGE],
  ['a ', 'b', ' b', PAGE],
  ['é ', 'b', ' b', PAGE],
  ['中', '文', '文', FEW],
  ['a中', 'a文', 'a文', FEW],
  ['ﷺ', '文', '文', FEW],
])(
  'the time to find what is shown of rows of %j, or after them, grows with the text',
  async (part, q, tail, texts) => {
    expect((await costOf(part, q, tail, texts)).times).toBeLessThan(MOST_GROWTH);
  },
);
