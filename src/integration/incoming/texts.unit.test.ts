import { expect, it } from 'vitest';
import { type Block, type Inline, readText } from '#platform/text/formatting.ts';
import { readMrkdwn } from '#platform/text/index.ts';
import { discordText, emojiText, markdownText, slackText } from './texts.ts';

it.each([
  // Addresses stay as they are.
  ['<https://ci.example/job/_nightly_/7|run>', '[run](https://ci.example/job/_nightly_/7)'],
  ['https://x.example/a?q=*x*&r=_y_', 'https://x.example/a?q=*x*&r=_y_'],
  ['<https://x.example/a?q=*x*&amp;r=_y_>', 'https://x.example/a?q=*x*&r=_y_'],
  ['see &lt;https://x.example&gt;', 'see <https://x.example>'],
  ['https://x.example/:tada:/@ada/', 'https://x.example/:tada:/@ada/'],
  ['<https://a.example><https://b.example>', 'https://a.example https://b.example'],
  ['<https://a.example|a><https://b.example|b>', '[a](https://a.example) [b](https://b.example)'],
  ['<https://a.example>.b', 'https://a.example .b'],
  ['<https://a.example>, and', 'https://a.example, and'],
  ['<mailto:ada@example.org|Ada> <tel:+49123>', 'Ada (ada@example.org) +49123'],
  [
    '[Ada](https://x.example/_a_(b) "Title") ![](https://x.example/p.png)',
    '[Ada](https://x.example/_a_(b)) https://x.example/p.png',
  ],
  // A text that says no more than the address is left out; signs in it are text.
  [
    '<http://X.example/|x.example> <https://www.x.example/a|x.example>',
    'http://X.example/ https://www.x.example/a',
  ],
  ['<https://x.example/a/|https://x.example/a>', 'https://x.example/a/'],
  ['<https://x.example|y.example>', '[y.example](https://x.example)'],
  ['<https://x.example|[T-1] fix *it* in a_b_c>', '[\\[T-1\\] fix \\*it\\* in a\\_b\\_c](https://x.example)'],
  ['<https://x.example|[T-1] job_name>', '[[T-1] job_name](https://x.example)'],
  ['<https://x.example|a](https://evil.example)>', 'a](https://evil.example) (https://x.example)'],
  ['<https://x.example|a`b> and `c`', '[a`b](https://x.example) and `c`'],
  ['<https://x.example/a(b|c>', '[c](https://x.example/a%28b)'],
  ['<https://ada:pass@x.example|c>', 'c (https://ada:pass@x.example)'],
  [`<https://x.example|${'long '.repeat(300)}>`, `${'long '.repeat(300).trim()} (https://x.example)`],
  ['C:\\<https://x.example|c>', 'C:\\ [c](https://x.example)'],
  // So does code.
  ['use `_out_` and `*x*` :tada:', 'use `_out_` and `*x*` 🎉'],
  ['`:tada: <!here> &lt;b&gt;`', '`:tada: <!here> <b>`'],
  [
    '```# make all\n_out_ <https://a.example|l> <!here>```',
    '```\n# make all\n_out_ <https://a.example|l> <!here>\n```',
  ],
  ['a ```one``` b', 'a \n```\none\n```\n b'],
  ['a\n```\none\n```\nb', 'a\n```\none\n```\nb'],
  ['```json\n{"a": 1}\n```', '```json\n{"a": 1}\n```'],
  ['```make\nall```', '```\nmake\nall\n```'],
  ['``` never ended *x*', '``` never ended **x**'],
  ['`never ended *x*\n`', '`never ended **x**\n`'],
  // Emphasis.
  [
    '*Build <https://x.example|#7> passed* and _so `on`_',
    '**Build [#7](https://x.example) passed** and *so `on`*',
  ],
  ['*_both_* _*both*_', '***both*** ***both***'],
  ['2*3*4 snake_case_name имя_файла_ещё', '2*3*4 snake_case_name имя_файла_ещё'],
  ['重要*太字*です', '重要**太字**です'],
  ['* one\n* two', '* one\n* two'],
  ['**strong** *not\nended* __x__', '**strong** *not\nended* __x__'],
  ['_https://x.example/a_', '*https://x.example/a*'],
  ['*a _b* c_', '**a _b** c_'],
  ['## *Big* news ##', '**Big news**'],
  // Names of emoji.
  [':rotating_light: *Down*', '🚨 **Down**'],
  [':warning::white_check_mark: (:+1::skin-tone-3:)', '⚠️✅ (👍🏼)'],
  [':man_shrugging: :man-shrugging: :green_circle: :large_green_circle:', '🤷‍♂️ 🤷‍♂️ 🟢 🟢'],
  [':parrot_of_ours: :constructor:', ':parrot_of_ours: :constructor:'],
  [
    '10:30:45 2001:18:1:beef::a:b std::key::x a:key:b :100:',
    '10:30:45 2001:18:1:beef::a:b std::key::x a:key:b 💯',
  ],
  // Whom it is for.
  ['<!here> <!channel|@channel> <!everyone> <!group>', '@team @team @team @team'],
  ['<@U024BE7LH> <@U1|Bob> <#C1|general> <#C2>', '@U024BE7LH Bob #general #C2'],
  ['<!subteam^S1|@devs> <!subteam^S2>', '@devs @S2'],
  ['<!date^1392734382^{date} at {time}^https://x.example|18 February>', '18 February'],
  ['<!-- a comment --> <b> <@> a < b > c', '<!-- a comment --> <b> <@> a < b > c'],
])('Slack’s %j', (given, ours) => expect(slackText(given)).toBe(ours));

it.each([
  ['*em* **strong** &amp; _em_ :tada:', '*em* **strong** &amp; _em_ 🎉'],
  ['### Changes\n- [one](https://x.example/1)', '**Changes**\n- [one](https://x.example/1)'],
  ['```sh\n# no heading\n```', '```sh\n# no heading\n```'],
])('the Markdown %j', (given, ours) => expect(markdownText(given)).toBe(ours));

/** What a message is shown as, without its words. */
const shape = (text: string): string => readText(text).map(shapeOf).join(' ');

function shapeOf(block: Block): string {
  if ('children' in block) return `${block.kind}[${piecesOf(block.children)}]`;
  if (block.kind === 'quote') return `quote(${block.blocks.map(shapeOf).join(' ')})`;
  if (block.kind === 'list')
    return `list(${block.items.flatMap((item) => item.blocks.map(shapeOf)).join(' ')})`;
  return block.kind;
}

const piecesOf = (pieces: readonly Inline[]): string =>
  pieces
    .filter(({ kind }) => kind !== 'text')
    .map((piece) =>
      'children' in piece && piece.kind !== 'link'
        ? `${piece.kind}(${piecesOf(piece.children)})`
        : piece.kind,
    )
    .join(' ')
    .replaceAll('()', '');

it.each([
  ['&gt; *Late*: _why_?\n&gt; ~no~ `x`\nafter', 'quote(paragraph[strong em strike code]) paragraph[]'],
  ['before\n&gt;&gt;&gt; one\n\n*two*\n```three```', 'paragraph[] quote(paragraph[strong] code)'],
  ['*_both_* ~*old*~ a~b~c ~/x ~/y', 'paragraph[em(strong) strike(strong)]'],
  [
    '- one\n- <https://a.example|two>\n1. *three*',
    'list(paragraph[] paragraph[link]) list(paragraph[strong])',
  ],
  ['<https://a.example> (<https://b.example/x_y|the page>)', 'paragraph[link link]'],
  ['```\n*x* ~y~\n```', 'code'],
  ['<!here> &lt;b&gt; <@U1|bob>', 'paragraph[mention]'],
  ['&gt;', 'paragraph[]'],
])('Slack’s %j is shown as it means', (given, expected) => expect(shape(slackText(given))).toBe(expected));

it.each([
  ['> **Late**: *why*?\n~~no~~ __under__', 'quote(paragraph[strong em]) paragraph[strike strong]'],
  ['>>> one\n- two\n  - three', 'quote(paragraph[] list(paragraph[] list(paragraph[])))'],
  ['# News\n[a](https://a.example)\n```ts\nx\n```', 'paragraph[strong link] code'],
  ['~5 and ~6 <:party:1> <t:1392734382:R>', 'paragraph[emoji]'],
  ['[**a** b](https://a.example)', 'paragraph[link]'],
])('Discord’s %j is shown as it means', (given, expected) =>
  expect(shape(discordText(given))).toBe(expected),
);

it.each([
  ['It was ||the **cook**|| and ||`x || y`||.', 'It was the **cook** and `x || y`.'],
  ['||two\nlines|| a || b', 'two\nlines a || b'],
  ['|| || ||||', '|| || ||||'],
  ['||https://a.example||b', 'https://a.example b'],
  ['-# 3 minutes ago\n> -# so\n-#no a -# b', '3 minutes ago\n> so\n-#no a -# b'],
])('of Discord’s %j everything is shown', (given, ours) => expect(discordText(given)).toBe(ours));

it('a text without formatting has emoji', () =>
  expect(emojiText('*:fire:* <!here> `:fire:`')).toBe('*🔥* <!here> `:fire:`'));

it('the tokens together are the text', () => {
  const signs = [
    '*',
    '_',
    '`',
    '```',
    '<',
    '<http://a',
    '<!here|',
    '>',
    '|',
    '[',
    '](http://a',
    ':',
    ':a',
    '# ',
    '\n',
    '&lt;',
  ];
  const text = `a ${signs.join(' x')} <https://a.example|b> *c* :tada:`;
  expect(
    readMrkdwn(text)
      .map(({ raw }) => raw)
      .join(''),
  ).toBe(text);
});
