import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkBlocks } from '../src/conversation/blocks/check.ts';
import { type Inline, linesOf, readText } from '../src/platform/text/formatting.ts';
import { asMarkdown } from '../src/platform/text/index.ts';
import { EVERYTHING } from '../test/support/every-block.ts';
import { type Block, blocks } from './index.ts';

const { button, link, mrkdwn, person, plain } = blocks;

describe('the builder', () => {
  it.each(Object.entries(EVERYTHING))('makes a %s that the server takes', (_, block) => {
    expect(checkBlocks([block])).toEqual([block]);
  });

  it('has no function that is tried nowhere', async () => {
    const { readFileSync } = await import('node:fs');
    const tried = readFileSync(new URL('../test/support/every-block.ts', import.meta.url), 'utf8');
    const helpers = new Set(['escape']);
    const names = Object.keys(blocks).filter((name) => !helpers.has(name));
    expect(names.filter((name) => !new RegExp(`\\b${name}[(\`]`).test(tried))).toEqual([]);
  });

  it('gives plain JSON: what is written by hand can stand beside it', () => {
    const made = blocks.actions(button('Yes', { action_id: 'yes' }), {
      type: 'button',
      text: { type: 'plain_text', text: 'No' },
    });
    expect(JSON.parse(JSON.stringify(made))).toEqual(made);
    expect(made).toEqual({
      type: 'actions',
      elements: [
        { type: 'button', text: { type: 'plain_text', text: 'Yes' }, action_id: 'yes' },
        { type: 'button', text: { type: 'plain_text', text: 'No' } },
      ],
    });
  });
});

/** The pieces that our own reader finds in a formatted text. */
const shown = (text: string): Inline[] => [...linesOf(readText(asMarkdown(text, 'slack')))].flat();
const all = (pieces: readonly Inline[]): Inline[] =>
  pieces.flatMap((piece) => ('children' in piece ? [piece, ...all(piece.children)] : [piece]));

describe('a text of somebody else', () => {
  const SIGNS = ['@', 'team', 'ada', 'https://', 'http:', '//', 'evil.example', 'www.', '[', ']', '(', ')'];
  const MORE = ['<', '>', '|', '!here', '{0}', '{', '0}', ':tada:', ':', '*', '_', '`', '~', '\\', ' ', '\n'];
  const words = fc
    .array(fc.oneof(fc.constantFrom(...SIGNS, ...MORE, 'mailto:', 'tel:1', '&', 'lt;'), fc.string()), {
      maxLength: 12,
    })
    .map((parts) => parts.join(''));

  it('makes no link, mention, emoji or object in a formatted one, also where two of them meet', () => {
    fc.assert(
      fc.property(words, words, (one, other) => {
        const { text } = mrkdwn`*${one}*${other} ${one}`;
        const kinds = new Set(all(shown(text)).map(({ kind }) => kind));
        for (const kind of ['link', 'mention', 'emoji', 'object'] as const)
          expect(kinds.has(kind), text).toBe(false);
      }),
    );
  });

  it.each(['www.evil.example', 'see WWW.evil.example/a', 'www.www.0-'])('makes no link of %s', (text) => {
    expect(shown(text).some(({ kind }) => kind === 'link')).toBe(true);
    expect(shown(mrkdwn`${text}`.text).map(({ kind }) => kind)).toEqual(['text']);
  });

  it('is still to be read', () => {
    const name = 'Bobby <b>“@all” & sons</b>, 10:30';
    const pieces = shown(blocks.escape(name));
    expect(pieces).toEqual([{ kind: 'text', text: name.replace('@', '@\u2060') }]);
  });

  it('stands beside links and people that are meant', () => {
    const { text } =
      mrkdwn`${person('0d5f0f5e-0000-4000-8000-000000000000')} asks for ${link('https://tasks.example/7?a=<b>|c', 'Task [7](x) > 6')}`;
    expect(all(shown(text)).map((piece) => ('url' in piece ? piece.url : piece.kind))).toEqual([
      'mention',
      'text',
      'https://tasks.example/7?a=%3Cb%3E%7Cc',
      'text',
    ]);
  });

  it('is shown as it is where it is plain', () => {
    expect(checkBlocks([blocks.section('*@team* <https://evil.example|x>')])).toEqual([
      { type: 'section', text: plain('*@team* <https://evil.example|x>') },
    ]);
  });
});

/** Checked by the compiler alone: each of these is a mistake. */
export function mistakes(): Block[] {
  return [
    // @ts-expect-error a header has no formatting
    blocks.header(mrkdwn('*x*')),
    // @ts-expect-error there is no such style
    blocks.actions(button('x', { style: 'warning' })),
    // @ts-expect-error a field to write in stands in an input
    blocks.actions(blocks.textInput()),
    // @ts-expect-error a divider cannot be pressed
    blocks.actions(blocks.divider()),
    // @ts-expect-error there is no such field
    blocks.section('x', { accesory: button('x') }),
    // @ts-expect-error an option is a text, or what option() makes
    blocks.section('x', { accessory: blocks.select([{ text: 'x' }]) }),
    // @ts-expect-error a carousel holds cards
    blocks.carousel(blocks.section('x')),
    // @ts-expect-error a container holds no container
    blocks.container('x', [blocks.container('y', [blocks.divider()])]),
    // @ts-expect-error there is no such level
    blocks.alert('x', 'fatal'),
    // @ts-expect-error a picture says what it shows
    blocks.image('https://images.example/a.png'),
    // @ts-expect-error a placeholder has no formatting
    blocks.input('x', blocks.textInput({ placeholder: mrkdwn('x') })),
  ];
}
