import { expect, it } from 'vitest';
import { readText } from '#platform/text/formatting.ts';
import { linksIn, plainText } from '#platform/text/index.ts';
import { growth, MOST_GROWTH } from '../support/growth.ts';

/** What begins something, ends something, or does neither. */
const SIGNS = [
  ...[
    '*',
    '**',
    '`',
    '```',
    '```\n',
    '- ',
    '- a\n',
    '1. ',
    '\n',
    ' ',
    '@',
    '@a',
    '{0}',
    '{',
    '(',
    ')',
    '.',
    'a',
  ],
  ...['http://', 'http://a/(', 'https://a.example/) ', '_', '__', '~~', '~', 'www.', 'a@b.c ', '\\'],
  ...[
    '> ',
    '> - ',
    '>\n',
    '> ```\n',
    '# ',
    '[',
    ']',
    '](',
    '[a](',
    '[a](http://b) ',
    '[x] ',
    '|',
    '|-',
    '|-\n',
    'a|b\n-|-\n',
  ],
];

const CHARACTERS = 16_000;

it.each(SIGNS)('the time to read a message grows with its length: rows of %j', async (sign) => {
  for (const other of SIGNS) {
    const texts = (characters: number) => [
      `https://a ${other}${sign.repeat(characters / sign.length)}${other}`,
      (sign + other).repeat(characters / (sign + other).length),
    ];
    for (const read of [readText, linksIn, plainText]) {
      const { times } = await growth((share) => void texts(share * CHARACTERS).map((text) => read(text)));
      expect(times, other).toBeLessThan(MOST_GROWTH);
    }
  }
});
