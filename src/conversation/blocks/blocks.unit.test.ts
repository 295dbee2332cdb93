import { describe, expect, it } from 'vitest';
import { plainText } from '#platform/text/index.ts';
import { checkBlocks } from './check.ts';
import { literal } from './literal.ts';
import { textOfBlocks } from './said.ts';
import type { Block } from './shapes/blocks.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const button = (name: string, rest: object = {}) => ({ type: 'button', text: plain(name), ...rest });
const option = (value: string) => ({ text: plain(`Option ${value}`), value });
const picture = { type: 'image', image_url: 'https://a.example/cat.png', alt_text: 'A cat' };
const section = (rest: object) => ({ type: 'section', text: mrkdwn('Choose'), ...rest });
const words = (text: string, style?: object) => ({ type: 'text', text, ...(style && { style }) });
const rich = (...elements: object[]) => ({ type: 'rich_text', elements });
const line = (...elements: object[]) => ({ type: 'rich_text_section', elements });

/** One of each block, and each element somewhere. */
const VALID: readonly (readonly [string, object, string])[] = [
  ['header', { type: 'header', text: plain('Release 2 :tada:') }, 'Release 2 🎉'],
  ['section', section({ fields: [mrkdwn('*State*\nok'), plain('a *b*')] }), 'Choose\nState\nok\na *b*'],
  ['section with a picture', section({ accessory: picture }), 'Choose\nA cat (https://a.example/cat.png)'],
  ['divider', { type: 'divider' }, ''],
  ['context', { type: 'context', elements: [picture, mrkdwn('by _Ada_')] }, 'A cat by Ada'],
  ['image', { ...picture, title: plain('Pet') }, 'Pet\nA cat (https://a.example/cat.png)'],
  [
    'actions',
    {
      type: 'actions',
      block_id: 'ask',
      elements: [
        button('Approve', { action_id: 'yes', style: 'primary', confirm: { text: plain('Sure?') } }),
        button('Read', { action_id: 'no', url: 'https://a.example/7' }),
        { type: 'overflow', action_id: 'more', options: [option('a'), option('b')] },
      ],
    },
    '[Approve] Read (https://a.example/7) [Option a] [Option b]',
  ],
  [
    'menus',
    {
      type: 'actions',
      elements: [
        { type: 'static_select', placeholder: plain('Pick'), options: [option('a')] },
        { type: 'multi_static_select', option_groups: [{ label: plain('G'), options: [option('a')] }] },
        { type: 'external_select', min_query_length: 0, placeholder: plain('Find') },
        { type: 'users_select', placeholder: plain('Who') },
        { type: 'conversations_select', default_to_current_conversation: true },
        { type: 'channels_select' },
        { type: 'datepicker', initial_date: '2026-02-28' },
        { type: 'timepicker', initial_time: '09:30' },
        { type: 'datetimepicker', initial_date_time: 1_795_305_600 },
      ],
    },
    '[Pick] [Find] [Who] [2026-02-28] [09:30] [2026-11-22 00:00 UTC]',
  ],
  [
    'choices',
    section({
      accessory: { type: 'checkboxes', options: [option('a'), option('b')], initial_options: [option('b')] },
    }),
    'Choose\n☐ Option a\n☑ Option b',
  ],
  [
    'input',
    {
      type: 'input',
      label: plain('Why?'),
      hint: plain('Short'),
      element: { type: 'plain_text_input', multiline: true },
    },
    'Why?\nShort',
  ],
  [
    'feedback',
    {
      type: 'context_actions',
      elements: [
        {
          type: 'feedback_buttons',
          positive_button: { text: plain('Good'), value: '1' },
          negative_button: { text: plain('Bad'), value: '0' },
        },
        { type: 'icon_button', icon: 'trash', text: plain('Delete') },
      ],
    },
    '[Good] [Bad] [Delete]',
  ],
  ['markdown', { type: 'markdown', text: '**now**' }, 'now'],
  [
    'rich text',
    rich(
      line(words('All '), words('is well', { bold: true, italic: true }), {
        type: 'link',
        url: 'https://a.example',
        text: 'here',
      }),
      { type: 'rich_text_list', style: 'ordered', elements: [line(words('one')), line(words('two'))] },
      { type: 'rich_text_quote', elements: [words('said')] },
      { type: 'rich_text_preformatted', elements: [words('a ``` b')] },
    ),
    'All is wellhere (https://a.example)\n1. one\n2. two\n> said\na ``` b',
  ],
  [
    'table',
    {
      type: 'table',
      rows: [
        [
          { type: 'raw_text', text: 'A|B' },
          { type: 'raw_number', value: 3 },
        ],
        [rich(line(words('x')))],
      ],
    },
    'A|B | 3\nx | ',
  ],
  [
    'data table',
    {
      type: 'data_table',
      caption: 'Sales',
      rows: [[{ type: 'raw_text', text: 'City' }], [{ type: 'raw_text', text: 'Oslo' }]],
    },
    'Sales\nCity\nOslo',
  ],
  [
    'card',
    { type: 'card', title: mrkdwn('Bread'), body: plain('Fresh'), actions: [button('Buy')] },
    'Bread\nFresh\n[Buy]',
  ],
  [
    'carousel',
    {
      type: 'carousel',
      elements: [
        { type: 'card', title: plain('A') },
        { type: 'card', title: plain('B') },
      ],
    },
    'A\n\nB',
  ],
  ['alert', { type: 'alert', level: 'error', text: plain('Down') }, '❌ Down'],
  [
    'container',
    { type: 'container', title: plain('Details'), is_collapsible: true, child_blocks: [section({})] },
    'Details\nChoose',
  ],
];

describe('blocks that are right', () => {
  it.each(VALID)('%s', (_, block, said) => {
    expect(checkBlocks([block])).toEqual([block]);
    expect(plainText(textOfBlocks([block] as unknown as Block[]))).toBe(said);
  });
});

const cells = (rows: number, columns: number) =>
  Array.from({ length: rows }, () =>
    Array.from({ length: columns }, () => ({ type: 'raw_text', text: 'x' })),
  );
const deep = (levels: number): unknown => (levels === 0 ? {} : { elements: [deep(levels - 1)] });

describe('blocks that are wrong are refused at their place', () => {
  it.each<[string, unknown, string, string]>([
    [
      'a block that nobody knows',
      [{ type: 'divider' }, { type: 'banner' }],
      'blocks[1].type',
      '/blocks/1/type',
    ],
    ['a block without a type', [{}], 'blocks[0].type', '/blocks/0/type'],
    ['no block', [null], 'blocks[0]', '/blocks/0'],
    ['a film', [{ type: 'video', title: plain('x') }], 'blocks[0].type', '/blocks/0/type'],
    [
      'an element that nobody knows',
      [{ type: 'actions', elements: [button('A'), { type: 'slider' }] }],
      'blocks[0].elements[1].type',
      '/blocks/0/elements/1/type',
    ],
    ['a field that nobody knows', [{ type: 'divider', 'a/b~c': 1 }], 'blocks[0].a/b~c', '/blocks/0/a~1b~0c'],
    [
      'a missing field',
      [{ type: 'image', image_url: 'https://a.example' }],
      'blocks[0].alt_text',
      '/blocks/0/alt_text',
    ],
    [
      'formatting in a header',
      [{ type: 'header', text: mrkdwn('x') }],
      'blocks[0].text.type',
      '/blocks/0/text/type',
    ],
    [
      'a long text',
      [{ type: 'header', text: plain('x'.repeat(151)) }],
      'blocks[0].text.text',
      '/blocks/0/text/text',
    ],
    ['an empty text', [{ type: 'header', text: plain('') }], 'blocks[0].text.text', '/blocks/0/text/text'],
    ['a section that says nothing', [{ type: 'section' }], 'blocks[0].text', '/blocks/0/text'],
    [
      'an address that is no https',
      [{ ...picture, image_url: 'http://a.example' }],
      'blocks[0].image_url',
      '/blocks/0/image_url',
    ],
    [
      'a name that poses as the host',
      [section({ accessory: button('A', { url: 'https://bank.example:x@evil.example' }) })],
      'blocks[0].accessory.url',
      '/blocks/0/accessory/url',
    ],
    [
      'a script as an address',
      [rich(line({ type: 'link', url: 'javascript:alert(1)' }))],
      'blocks[0].elements[0].elements[0].url',
      '/blocks/0/elements/0/elements/0/url',
    ],
    [
      'a choice that is not offered',
      [
        section({
          accessory: { type: 'static_select', options: [option('a')], initial_option: option('b') },
        }),
      ],
      'blocks[0].accessory.initial_option',
      '/blocks/0/accessory/initial_option',
    ],
    [
      'the same action twice in a block',
      [{ type: 'actions', elements: [button('A', { action_id: 'a' }), button('B', { action_id: 'a' })] }],
      'blocks[0].elements[1].action_id',
      '/blocks/0/elements/1/action_id',
    ],
    [
      'the same block twice',
      [
        { type: 'divider', block_id: 'a' },
        { type: 'divider', block_id: 'a' },
      ],
      'blocks[1].block_id',
      '/blocks/1/block_id',
    ],
    [
      'rows of different lengths',
      [{ type: 'data_table', caption: 'C', rows: [...cells(1, 2), ...cells(1, 3)] }],
      'blocks[0].rows[1]',
      '/blocks/0/rows/1',
    ],
    ['a large table', [{ type: 'table', rows: cells(101, 2) }], 'blocks[0].rows', '/blocks/0/rows'],
    ['a wide table', [{ type: 'table', rows: cells(1, 21) }], 'blocks[0].rows[0]', '/blocks/0/rows/0'],
    ['no list', { type: 'divider' }, 'blocks', '/blocks'],
    ['no blocks', [], 'blocks', '/blocks'],
    ['many blocks', Array.from({ length: 51 }, () => ({ type: 'divider' })), 'blocks', '/blocks'],
    [
      'many elements',
      Array.from({ length: 20 }, () => ({
        type: 'actions',
        elements: Array.from({ length: 25 }, () => button('x')),
      })),
      'blocks',
      '/blocks',
    ],
    ['deep ones', [deep(200)], 'blocks', '/blocks'],
    [
      'large ones',
      [
        {
          type: 'table',
          rows: cells(100, 20).map((row) => row.map((cell) => ({ ...cell, text: 'x'.repeat(50) }))),
        },
      ],
      'blocks',
      '/blocks',
    ],
    [
      'a heading that nobody sees',
      [{ type: 'header', text: plain('\u200b \u2060') }],
      'blocks[0].text.text',
      '/blocks/0/text/text',
    ],
    [
      'an edge of a colour that is none',
      [{ type: 'container', color: 'reddish', child_blocks: [section({})] }],
      'blocks[0].color',
      '/blocks/0/color',
    ],
    [
      'a container that folds without a title',
      [{ type: 'container', color: 'good', is_collapsible: true, child_blocks: [section({})] }],
      'blocks[0].is_collapsible',
      '/blocks/0/is_collapsible',
    ],
    ['U+0000', [{ type: 'header', text: plain('a\0b') }], 'blocks', '/blocks'],
  ])('%s', (_, blocks, field, pointer) => {
    const found = checkBlocks(blocks);
    expect('problems' in found && found.problems).toEqual([
      expect.objectContaining({ field, pointer, message: expect.stringMatching(/./) }),
    ]);
  });
});

describe('a plain text is shown as it was written', () => {
  const shown = (text: string) => plainText(literal(text)).replaceAll('\u2060', '');

  it.each([
    ...['*a* _b_ ~~c~~', '# a\n> b\n- c\n1. d', '[me](https://a.example/a_b_c)', '@ada {0} a | b', '`x` \\*'],
    ...['   - x', 'a | b\n--- | ---\nc | d', '```\ncode\n```', '~~~\nx', 'snake_case 2 * 3 [x] (y)'],
    ...[':tada: 10:30:00', '\\\\[a](b)'],
  ])('%s', (text) => {
    expect(shown(text)).toBe(text);
  });

  it('whatever signs follow each other', () => {
    const signs = '*,_,~,`,[,],(,),#,>,-,|,:,@,{0},\\, ,\n,a,1., https://a.example '.split(',');
    for (let seed = 1; seed <= 3000; seed++) {
      let random = seed;
      const next = () => {
        random = (random * 48_271) % 2_147_483_647;
        return signs[random % signs.length] as string;
      };
      const text = `x${Array.from({ length: 12 }, next).join('')}x`;
      // Blanks at the end of a line are not seen.
      const seen = (one: string) => one.replaceAll(/ +$/gm, '');
      expect(seen(shown(text))).toBe(seen(text));
    }
  });
});
