import { describe, expect, it } from 'vitest';
import { safeUrl } from './address.ts';
import { type Block, type Inline, readText } from './formatting.ts';
import { plainText } from './plain-text.ts';

/** A short form of what a text is read as. */
const read = (text: string) => readText(text).map(blockText).join('');

function blockText(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return `<p>${lineText(block.children)}</p>`;
    case 'heading':
      return `<h${block.level}>${lineText(block.children)}</h${block.level}>`;
    case 'quote':
      return `<q>${block.blocks.map(blockText).join('')}</q>`;
    case 'code':
      return `<pre${block.language ? ` ${block.language}` : ''}>${block.text}</pre>`;
    case 'list':
      return `<list>${block.items.map(({ number = '-', checked, blocks }) => `<${number}${checked === undefined ? '' : checked ? ' x' : ' o'}>${blocks.map(blockText).join('')}`).join('')}</list>`;
    case 'table':
      return `<table>${[block.head, ...block.rows].map((row) => row.map(({ children, align = '' }) => `${align[0] ?? ''}|${lineText(children)}`).join('')).join('/')}</table>`;
  }
}

const lineText = (pieces: readonly Inline[]): string => pieces.map(pieceText).join('');

function pieceText(piece: Inline): string {
  if (piece.kind === 'text') return piece.text;
  if (piece.kind === 'object') return '<object>';
  if (piece.kind !== 'link') {
    const [open, close] = [piece.kind, piece.kind].map((kind) => `<${kind}>`);
    return 'children' in piece
      ? `${open}${lineText(piece.children)}${close}`
      : `${open}${piece.text}${close}`;
  }
  const { url, children, title, host } = piece;
  return `<${url}${title ? ` "${title}"` : ''}>${lineText(children)}</>${host ? `(${host})` : ''}`;
}

const SAME = [
  ...[
    '2 * 3 * 4, 2*3*4, a*b*c, **, ``, 5 @ 3, snake_case_name, __init__.py, ~x~, a~~',
    '-1',
    '+1',
    '1.5',
    '#1',
  ],
  ...[
    '- ',
    '*',
    '1. ',
    '# ',
    '---',
    '===',
    '+ added\n- ',
    '```\nnever closed',
    '`open',
    '**open',
    '[x]',
    '[x]()',
  ],
  ...[
    'one\n\n two\n\n\n    three',
    'Title\n---',
    '    indented',
    '<b>x</b> &amp; &lt; <!-- x -->',
    '![x](y.png)',
  ],
  ...[
    '[a]: https',
    'readme.md, main.ts, e.g. this',
    '\\\\server\\share\\x C:\\Users\\ada',
    '(c) "quotes" -- ...',
  ],
  ...['[](x)', '[x](javascript:alert%281%29)', '[x](/teams/1)', '[x](//a.example)', '[x](data:text/html,x)'],
  ...['at 10:30:00, 2001:18:1:beef::, fe80::party:1, std::party::x, ü:party:, :Party:, : party :, ::party::'],
  ...[
    'javascript:alert(1) data:text/html,x ftp://a.example/1',
    'www.',
    'www.x',
    'a@b',
    'x@y@z.example',
    '@@x',
    '@bakersé',
  ],
  ...['>', '>\n>', 'a\n>\nb', '```\n```', '```js\n\n```\n```', '~~~\n~~~', '****', '-', '[]()'],
  ...['|a|b|\n|---|---|\n|1|2|3|', '|a|b|\nno rule', '| a'],
];

describe('the text of a message', () => {
  it.each(SAME)(
    'stays as it was written, with its line breaks, when there is nothing special in it: %j',
    (text) => {
      expect(read(text)).toBe(`<p>${text.trimEnd()}</p>`);
    },
  );

  it.each([
    ['', ''],
    ['\n\n', ''],
    ['\n\na\n\nb\n\n', '<p>a\n\nb</p>'],
    [
      'a **b c** *d* _e_ __f__ ~~g~~ `h *i*`',
      '<p>a <strong>b c<strong> <em>d<em> <em>e<em> <strong>f<strong> <strike>g<strike> <code>h *i*<code></p>',
    ],
    ['***both*** **a *b* c**', '<p><em><strong>both<strong><em> <strong>a <em>b<em> c<strong></p>'],
    ['un**believ**able', '<p>un<strong>believ<strong>able</p>'],
    [
      '强调*文字*然后，**「重点」**是 これは**強調（きょうちょう）**です',
      '<p>强调<em>文字<em>然后，<strong>「重点」<strong>是 これは<strong>強調（きょうちょう）<strong>です</p>',
    ],
    ['**注意：**read 见**「A」**b', '<p><strong>注意：<strong>read 见<strong>「A」<strong>b</p>'],
    ['```sail {\n  now\n}``` `a\nb`', '<p><code>sail {\n  now\n}<code> <code>a\nb<code></p>'],
    [
      '\\*no\\* \\@ada \\`x\\` \\[a](https://b.example)',
      '<p>*no* @ada `x` [a](<https://b.example>https://b.example</>)</p>',
    ],
  ])('has emphasis and code: %j', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it('has emoji by their names, between colons that stand alone', () => {
    expect(read('Go :ship_it:! (:party_parrot:) :a+b-1::x: **:yes_yes:**')).toBe(
      '<p>Go <emoji>ship_it<emoji>! (<emoji>party_parrot<emoji>) :a+b-1::x: <strong><emoji>yes_yes<emoji><strong></p>',
    );
    expect(read('`:ship_it:` https://a.example/:ship_it:/x @bob:ship_it:')).toBe(
      '<p><code>:ship_it:<code> <https://a.example/:ship_it:/x>https://a.example/:ship_it:/x</> <mention>bob<mention>:ship_it:</p>',
    );
    expect(plainText('Go **:ship_it:**')).toBe('Go :ship_it:');
  });

  it('mentions user names and the thing of an application, and nobody in a link', () => {
    expect(read('Hi @ada.l., see {0} `{0} @x` @ada你好')).toBe(
      '<p>Hi <mention>ada.l<mention>., see <object> <code>{0} @x<code> <mention>ada<mention>你好</p>',
    );
    expect(read('[@ada](https://a.example)')).toBe('<p><https://a.example>@ada</>(a.example)</p>');
  });
});

describe('links', () => {
  it.each([
    [
      'See https://a.example/x_(y)?z=1, (or http://b.example).',
      'See <https://a.example/x_(y)?z=1>, (or <http://b.example>).',
    ],
    ['(https://a.example/x_(y))))', '(<https://a.example/x_(y)>)))'],
    [
      '**https://a.example** *http://b.example/c_d_e*',
      '<strong><https://a.example><strong> <em><http://b.example/c_d_e><em>',
    ],
    [
      '见 http://host.example:4173/（构建完成，HTTP 200）。',
      '见 <http://host.example:4173/>（构建完成，HTTP 200）。',
    ],
    ['「https://ja.example/東京」を見て', '「<https://ja.example/東京>」を見て'],
    ['“https://a.example/x”', '“<https://a.example/x>”'],
    ['a_b.c+d@mail.example, x', '<mailto:a_b.c+d@mail.example>, x'],
    ['see www.a.example/x.', 'see <https://www.a.example/x>.'],
  ])('are addresses, without the signs of the sentence around them: %s', (text, expected) => {
    const whole = expected.replaceAll(/<((?:https?:\/\/|mailto:)[^>]+)>/g, (_, url: string) => {
      const shown = text.includes(url) ? url : url.replace(/^mailto:|^https:\/\//, '');
      return `<${url}>${shown}</>`;
    });
    expect(read(text)).toBe(`<p>${whole}</p>`);
  });

  it.each([
    ['[the page](https://a.example/x "T")', '<https://a.example/x "T">the page</>'],
    ['[a.example](https://www.a.example/x)', '<https://www.a.example/x>a.example</>'],
    ['[bank.example](https://evil.example)', '<https://evil.example>bank.example</>(evil.example)'],
    [
      '[https://bank.example/login](https://evil.example)',
      '<https://evil.example>https://bank.example/login</>(evil.example)',
    ],
    ['[bank．example](https://evil.example)', '<https://evil.example>bank．example</>(evil.example)'],
    ['[**b** `c`](https://a.example/(x))', '<https://a.example/(x)><strong>b<strong> <code>c<code></>'],
    [
      '[https://intranet/login](https://evil.example)',
      '<https://evil.example>https://intranet/login</>(evil.example)',
    ],
    [
      '[bank\u200b.example](https://evil.example)',
      '<https://evil.example>bank\u200b.example</>(evil.example)',
    ],
    [
      '[bank.\u0301example](https://evil.example)',
      '<https://evil.example>bank.\u0301example</>(evil.example)',
    ],
    ['[bankꓸexample](https://evil.example)', '<https://evil.example>bankꓸexample</>(evil.example)'],
    ['[https://a.example/x](https://a.example/y)', '<https://a.example/y>https://a.example/x</>'],
    ['[**\u200b**](https://a.example)', '[<strong>\u200b<strong>](<https://a.example>https://a.example</>)'],
    [
      '[a [b](https://b.example)](https://c.example)',
      '[a <https://b.example>b</>](<https://c.example>https://c.example</>)',
    ],
    ['[x](https://bank.example@evil.example)', '[x](https://bank.example@evil.example)'],
    ['[\u200b](https://a.example)', '[\u200b](<https://a.example>https://a.example</>)'],
  ])('have a text, and say where they lead when it says something else: %s', (text, expected) => {
    expect(read(text)).toBe(`<p>${expected}</p>`);
  });

  it('lead to the web or to a mail address', () => {
    expect(safeUrl('javascript:alert(1)')).toBeUndefined();
    expect(safeUrl('/relative')).toBeUndefined();
    expect(safeUrl('https://a.example')).toBe('https://a.example');
    expect(read('see https://bank.example:login@evil.example/x')).not.toContain('<https');
    expect(read('https://bank.example\u2044login.evil.example')).toMatch(/\(.*evil\.example\)/);
    expect(read('https://möwe.example/')).not.toContain('(');
  });
});

describe('blocks', () => {
  it.each([
    ['# One\ntext\n### Three', '<h1>One</h1><p>text</p><h3>Three</h3>'],
    ['> a\n> **b**\nafter', '<q><p>a\n<strong>b<strong></p></q><p>after</p>'],
    ['text\n> a\n> > b\n>\n> c\n\n> d', '<p>text</p><q><p>a</p><q><p>b</p></q><p>c</p></q><q><p>d</p></q>'],
    ['> >', '<q><p>></p></q>'],
    ['>\n> a', '<q><p>a</p></q>'],
    ['> - a\n> ```\n> x\n> ```', '<q><list><-><p>a</p></list><pre>x</pre></q>'],
    ['- a\n* b', '<list><-><p>a</p></list><list><-><p>b</p></list>'],
    [
      '- a\n  more\n  - b\n    1. c\nafter',
      '<list><-><p>a\nmore</p><list><-><p>b</p><list><1><p>c</p></list></list></list><p>after</p>',
    ],
    ['Intro:\n- a\n\n- b', '<p>Intro:</p><list><-><p>a</p><-><p>b</p></list>'],
    ['2. a\n5. b', '<list><2><p>a</p><5><p>b</p></list>'],
    ['1. a\n1. b\n1) c', '<list><1><p>a</p><2><p>b</p></list><list><1><p>c</p></list>'],
    [
      '- [ ] a\n- [x] **b**\n- [y] c',
      '<list><- o><p>a</p><- x><p><strong>b<strong></p><-><p>[y] c</p></list>',
    ],
    ['Look:\n```ts\n**x**\n\n- y\n```\nend', '<p>Look:</p><pre ts>**x**\n\n- y</pre><p>end</p>'],
    ['~~~\n```\n~~~', '<pre>```</pre>'],
    ['- ```\n@a\n```', '<list><-><p>```</p></list><p><mention>a<mention>\n```</p>'],
    ['> ```\nb\n```\n\n```\nc\n```', '<q><p>```</p></q><p>b\n```\n\n```\nc\n```</p>'],
    ['````\na\n```\nb\n````', '<pre>a\n```\nb</pre>'],
    ['a|b\n-|:-:\n`c`|d\\|e', '<table>|ac|b/|<code>c<code>c|d|e</table>'],
  ])('%j', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it('are text where they are too deep, too wide or too long', () => {
    const quotes = read(`${'> '.repeat(14)}deep`);
    expect(quotes).toBe(`${'<q>'.repeat(12)}<p>> > deep</p>${'</q>'.repeat(12)}`);
    const lists = read(Array.from({ length: 14 }, (_, n) => `${'  '.repeat(n)}- ${n}`).join('\n'));
    expect(lists.split('<list>').length - 1).toBe(12);
    expect(lists).toContain('- 13');
    const table = (columns: number, rows: number) =>
      [...Array(rows + 2)]
        .map((_, at) => (at === 1 ? '|-'.repeat(columns) : '|a'.repeat(columns)))
        .join('\n');
    expect(read(table(20, 100))).toMatch(/^<table>/);
    for (const text of [table(21, 1), table(2, 101)]) expect(read(text)).toBe(`<p>${text}</p>`);
    const signs = '*a **b '.repeat(1000) + '** *'.repeat(1000);
    expect(plainText(signs).replaceAll('*', '').replaceAll(' ', '')).toBe('ab'.repeat(1000));
  });

  it('read as text in mails and pushes', () => {
    expect(plainText('[bank.example](https://evil.example/?bank.example)')).toContain(
      '(https://evil.example',
    );
    for (const words of ['at noon', 'https://a.example', '正午'])
      expect(plainText(`\`\`\` ${words}\nx\n\`\`\``)).toBe(`${words}\nx`);
    expect(plainText('```c++\nx\n```')).toBe('x');
    const text =
      '# A\n> b\n> c\n- d\n  - [x] e\n3. f\n\n~~g~~ [h](https://i.example) https://j.example\n\nk|l\n-|-\nm|n';
    expect(plainText(text)).toBe(
      'A\n> b\n> c\n• d\n  ☑ e\n3. f\n~~g~~ h (https://i.example) https://j.example\nk | l\nm | n',
    );
  });
});

it('a plain text is shown as it was written: addresses are links and names are names, and nothing else has a meaning', () => {
  const text = '# a\n\n> **b** `c`\n    - ~~d~~ :ship_it: \\* [e](https://e.example)\n```\n@ada\n';
  const [only, ...others] = readText(text, 'plain');
  expect(others).toEqual([]);
  expect(only && blockText(only)).toBe(
    `<p>${text.replace('https://e.example', '<https://e.example>https://e.example</>').replace('@ada', '<mention>ada<mention>')}</p>`,
  );
  expect(plainText(text, undefined, 'plain')).toBe(text);
  expect(readText('', 'plain')).toEqual([]);
});
