import { expect, it } from 'vitest';
import { asMrkdwn } from './as-mrkdwn.ts';

it.each([
  ['a **strong** and *soft* word, ~~struck~~', 'a *strong* and _soft_ word, ~struck~'],
  ['[the log](https://ci.example/7) of `make`', '<https://ci.example/7|the log> of `make`'],
  ['1 < 2 & @ada :tada: {0}', '1 &lt; 2 &amp; @ada :tada: {0}'],
])('writes %s in Slack’s formatting', (text, written) => {
  expect(asMrkdwn(text)).toBe(written);
});

it.each(['- a list', '```\ncode\n```', '\\*not strong\\*', ''])('has no words for %s', (text) => {
  expect(asMrkdwn(text)).toBeUndefined();
});
