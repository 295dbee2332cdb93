import { describe, expect, it } from 'vitest';
import { readInline, readText, safeUrl } from './formatting.ts';
import { plainText } from './plain-text.ts';

const text = (of: string) => ({ kind: 'text', text: of });

describe('the text of a message', () => {
  it('stays as it was written, with its line breaks, when there is nothing special in it', () => {
    expect(readText('one\n\n two')).toEqual([{ kind: 'paragraph', children: [text('one\n\n two')] }]);
    expect(readText('\n\n')).toEqual([]);
    expect(readInline('2 * 3 * 4, a*b*c, **, ``, 5 @ 3, a@b.example')).toEqual([
      text('2 * 3 * 4, a*b*c, **, ``, 5 @ 3, a@b.example'),
    ]);
  });

  it('has strong, emphasised and code pieces', () => {
    expect(readInline('a **b c** *d* `e *f*`')).toEqual([
      text('a '),
      { kind: 'strong', children: [text('b c')] },
      text(' '),
      { kind: 'em', children: [text('d')] },
      text(' '),
      { kind: 'code', text: 'e *f*' },
    ]);
  });

  it('has emoji by their names, between colons that stand alone', () => {
    const emoji = (of: string) => ({ kind: 'emoji', text: of });
    expect(readInline('Go :ship_it:! (:party_parrot:) :a+b-1::x: **:yes_yes:**')).toEqual([
      text('Go '),
      emoji('ship_it'),
      text('! ('),
      emoji('party_parrot'),
      text(') :a+b-1::x: '),
      { kind: 'strong', children: [emoji('yes_yes')] },
    ]);
    const none =
      'at 10:30:00, 2001:18:1:beef::, fe80::party:1, std::party::x, ü:party:, :Party:, : party :, ::party::';
    expect(readInline(none)).toEqual([text(none)]);
    expect(readInline('`:ship_it:` https://a.example/:ship_it:/x @bob:ship_it:')).toEqual([
      { kind: 'code', text: ':ship_it:' },
      text(' '),
      { kind: 'link', text: 'https://a.example/:ship_it:/x' },
      text(' '),
      { kind: 'mention', text: 'bob' },
      text(':ship_it:'),
    ]);
    expect(plainText('Go **:ship_it:**')).toBe('Go :ship_it:');
  });

  it('links addresses of the web alone, without the signs of the sentence around them', () => {
    expect(readInline('See https://a.example/x_(y)?z=1, (or http://b.example).')).toEqual([
      text('See '),
      { kind: 'link', text: 'https://a.example/x_(y)?z=1' },
      text(', (or '),
      { kind: 'link', text: 'http://b.example' },
      text(').'),
    ]);
    expect(readInline('(https://a.example/x_(y))))')[1]).toEqual({
      kind: 'link',
      text: 'https://a.example/x_(y)',
    });
    expect(readInline('javascript:alert(1) data:text/html,x')).toEqual([
      text('javascript:alert(1) data:text/html,x'),
    ]);
    expect(readInline('**https://a.example**')).toEqual([
      { kind: 'strong', children: [{ kind: 'link', text: 'https://a.example' }] },
    ]);
    expect(safeUrl('javascript:alert(1)')).toBeUndefined();
    expect(safeUrl('/relative')).toBeUndefined();
    expect(safeUrl('https://a.example')).toBe('https://a.example');
  });

  it.each([
    ['见 http://host.example:4173/（构建完成，HTTP 200）。', 'http://host.example:4173/'],
    ['https://zh.example/wiki/北京，好。', 'https://zh.example/wiki/北京'],
    ['「https://ja.example/東京」を見て', 'https://ja.example/東京'],
    ['“https://a.example/x”', 'https://a.example/x'],
  ])('an address ends before the punctuation of any script: %s', (text, url) => {
    expect(readInline(text)).toContainEqual({ kind: 'link', text: url });
  });

  it('an address with a user name is text: it poses as another host', () => {
    const url = 'https://bank.example:login@evil.example/x';
    expect(readInline(`see ${url}`)).toEqual([
      { kind: 'text', text: 'see ' },
      { kind: 'text', text: url },
    ]);
  });

  it('mentions user names and the thing of an application', () => {
    expect(readInline('Hi @ada.l., see {0}')).toEqual([
      text('Hi '),
      { kind: 'mention', text: 'ada.l' },
      text('., see '),
      { kind: 'object' },
    ]);
  });

  it('has blocks of code and lists; a fence that never closes is text', () => {
    expect(readText('Look:\n```ts\n**x**\n\n- y\n```\nend')).toEqual([
      { kind: 'paragraph', children: [text('Look:')] },
      { kind: 'code', text: '**x**\n\n- y' },
      { kind: 'paragraph', children: [text('end')] },
    ]);
    expect(readText('- a\n- b\n3. c')).toEqual([
      { kind: 'list', start: undefined, items: [[text('a')], [text('b')], [text('c')]] },
    ]);
    expect(readText('2) a')).toEqual([{ kind: 'list', start: 2, items: [[text('a')]] }]);
    expect(readText('```\nx')).toEqual([{ kind: 'paragraph', children: [text('```\nx')] }]);
  });

  it('drops empty lines at both ends, and keeps those between', () => {
    expect(readText('\n\na\n\nb\n\n')).toEqual([{ kind: 'paragraph', children: [text('a\n\nb')] }]);
    expect(readText('\n\n')).toEqual([]);
  });
});
