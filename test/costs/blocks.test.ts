import { expect, it } from 'vitest';
import { checkBlocks } from '../../src/conversation/blocks/check.ts';
import { readBlocks, textOfBlocks } from '../../src/conversation/blocks/index.ts';
import { growth, MOST_GROWTH } from '../support/growth.ts';

/** Of what a text holds: together they come close to the bytes that blocks may have. */
const CHARACTERS = 2900;
const filled = (sign: string, characters: number) => sign.repeat(characters / sign.length);

const texts = (type: string) => (sign: string, characters: number) =>
  Array.from({ length: 20 }, () => ({
    type: 'section',
    text: { type, text: `x${filled(sign, characters)}x` },
  }));

const KINDS = {
  plain_text: texts('plain_text'),
  mrkdwn: texts('mrkdwn'),
  rich_text: (sign: string, characters: number) =>
    Array.from({ length: 20 }, () => ({
      type: 'rich_text',
      elements: [
        {
          type: 'rich_text_section',
          elements: [
            { type: 'text', text: `x${filled(sign, characters / 2)}x`, style: { bold: true, strike: true } },
            { type: 'link', text: `x${filled(sign, characters / 2)}x`, url: 'https://a.example' },
          ],
        },
      ],
    })),
  table: (sign: string, characters: number) => [
    {
      type: 'table',
      rows: Array.from({ length: Math.ceil(characters / 60) }, () =>
        Array.from({ length: 20 }, () => ({ type: 'raw_text', text: `x${sign}` })),
      ),
    },
  ],
};
const SIGNS = [
  '*a ',
  '_',
  '[',
  '](',
  '` ',
  '> ',
  '- ',
  '@a ',
  'https://a ',
  ':aa:',
  '|',
  '<a|',
  ' ',
  '# ',
  '~',
  '{0}',
];

it.each(Object.entries(KINDS))('the time to read blocks grows with their size: %s', async (_, kind) => {
  for (const sign of SIGNS) {
    const { times } = await growth((share) => {
      const blocks = checkBlocks(kind(sign, CHARACTERS * share));
      if ('problems' in blocks) throw new Error(JSON.stringify(blocks.problems));
      textOfBlocks(blocks);
    });
    expect(times, sign).toBeLessThan(MOST_GROWTH);
  }
});

it('the time to refuse blocks grows with their number', async () => {
  const { times } = await growth((share) => {
    const wrong = { type: 'button', text: 3, one: 1, two: 2, url: 'x' };
    const elements = Array.from({ length: 7 }, () => wrong);
    checkBlocks(Array.from({ length: 50 * share }, () => ({ type: 'actions', elements })));
  });
  expect(times).toBeLessThan(MOST_GROWTH);
});

it('the time to give ids to elements that are all the same grows with their number', async () => {
  const button = () => ({ type: 'button', text: { type: 'plain_text', text: 'x' } });
  const actions = () => ({ type: 'actions', elements: Array.from({ length: 24 }, button) });
  const { times } = await growth((share) => {
    readBlocks(Array.from({ length: 16 * share }, actions));
  });
  expect(times).toBeLessThan(MOST_GROWTH);
});
