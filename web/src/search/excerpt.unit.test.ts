import { afterEach, describe, expect, it, vi } from 'vitest';
import { excerpt } from './excerpt.ts';

/** Hits in brackets. */
const read = (text: string, ...hits: string[]) => {
  const snippet = text
    .split(new RegExp(`(${hits.join('|')})`))
    .map((piece) => ({ text: piece, match: hits.includes(piece) }));
  return shown(excerpt({ text, mentions: [] }, snippet));
};
const shown = (pieces: ReturnType<typeof excerpt>) =>
  pieces.map((piece) => (piece.match ? `[${piece.text}]` : piece.text)).join('');

afterEach(() => vi.unstubAllGlobals());

describe('an excerpt of a message that was found', () => {
  it('leaves out the address of the reply that a message repeats', () => {
    vi.stubGlobal('location', { origin: 'https://chat.example' });
    const link = '↩ https://chat.example/messages/0199a3c5-02d7-7e41-a6b3-8c5f1d90e274';
    expect(read(`At *noon*.\n\n${link}`, 'noon')).toBe('At [noon].');
    expect(read(`At noon.\n\n${link}`, '0199a3c5')).toBe('At noon.');
  });

  it('reads as the message does, with the hits marked', () => {
    expect(read('The **sourdough** rises, *`sourdough`* sinks', 'sourdough')).toBe(
      'The [sourdough] rises, [sourdough] sinks',
    );
    expect(read('**Two words** and 2 * 3 * 4', 'words')).toBe('Two [words] and 2 * 3 * 4');
    expect(read('Buy:\n- flour\n- **salt**\n```ts\nconst salt = 1;\n```', 'salt')).toBe(
      'Buy:\n• flour\n• [salt]\nconst [salt] = 1;',
    );
    expect(read('3. three\n4. four @ada see https://ada.example/ada.', 'ada', 'four')).toBe(
      '3. three\n4. [four] @[ada] see https://[ada].example/[ada].',
    );
    expect(read('**ada', 'ada')).toBe('**[ada]');
  });

  it('knows the formatting around the part that the server shows', () => {
    const part = [
      { text: 'is so ', match: false },
      { text: 'important', match: true },
      { text: ' that it', match: false },
    ];
    const text = '**This is so important that it is bold**';
    expect(shown(excerpt({ text, mentions: [] }, part))).toBe('This is so [important] that it is bold');
    // It was changed meanwhile.
    expect(shown(excerpt({ text: 'Else', mentions: [] }, part))).toBe('is so [important] that it');
    expect(shown(excerpt({ text: '*Only* this', mentions: [] }, undefined))).toBe('Only this');
  });

  it('names the object of an application', () => {
    const mentions = [{ name: 'Issue 7' }];
    expect(shown(excerpt({ text: '{0} **rises**', mentions }, undefined))).toBe('Issue 7 rises');
  });

  it('is cut around the first hit, between words, and never inside of a character', () => {
    const cut = read(`${'before '.repeat(40)}**hit** ${'🥖'.repeat(200)}`, 'hit');
    expect(cut).toMatch(/^…before (before )+\[hit\] (🥖)+…$/);
    expect(cut.length).toBeLessThanOrEqual(210);
    expect(cut.isWellFormed()).toBe(true);
  });

  it('takes signs in a message for what they are', () => {
    expect(read('a\ufdd0b\ufdd1c hit', 'hit')).toBe('a\ufffdb\ufffdc [hit]');
  });
});
