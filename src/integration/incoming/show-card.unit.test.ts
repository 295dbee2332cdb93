import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plainText } from '#platform/text/index.ts';
import { payloadOf, productExamples } from '../../../test/support/products.ts';
import { type Block, checkBlocks, textOfBlocks } from '../../conversation/blocks/index.ts';
import { readPayload } from './read-payload.ts';

const examples = dirname(createRequire(import.meta.url).resolve('@octokit/webhooks-examples/package.json'));
const fixtures = new URL('../../../test/fixtures/', import.meta.url).pathname;
const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const nothing = { event: undefined };
const MOST = 16_000;

/** Names that buttons have here, where the text has an address alone. */
const NAMES = new Set(['panel', 'source', 'silence']);
const wordsIn = (text: string) =>
  [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))].filter((word) => !NAMES.has(word)).sort();

/** They are right, and say what the text says. */
function expectShown(payload: unknown, event?: string): void {
  const { text, blocks } = readPayload(payload, { event }, MOST);
  expect([text, checkBlocks(blocks)]).toEqual([text, blocks]);
  expect(wordsIn(textOfBlocks(blocks as Block[]))).toEqual(wordsIn(text));
}

/** Payloads that are a text, or blocks that are read as one. */
const TEXTS = new Set(
  'discord-components ours slack-blocks slack-elements slack-half-known slack-rich-text uptime-kuma-test'.split(
    ' ',
  ),
);

describe('blocks say what the text of a payload says (claim: webhook-blocks)', () => {
  for (const file of globSync(`${examples}/*/index.json`).sort()) {
    const events = readJson(file) as { name: string; examples: object[] }[];
    it(`of ${file.slice(examples.length + 1)}`, () => {
      for (const { name, examples: payloads } of events)
        for (const payload of payloads) expectShown(payload, name);
    });
  }

  it.each(globSync(`${fixtures}webhooks/*.json`).map((file) => basename(file, '.json')))('of %s', (name) => {
    const payload = readJson(`${fixtures}webhooks/${name}.json`);
    if (TEXTS.has(name)) expect(readPayload(payload, nothing, MOST).blocks).toBeUndefined();
    else expectShown(payload);
  });

  it.each(productExamples)('of $product', async (example) => {
    expectShown(await payloadOf(example));
  });
});

const blocksOf = (payload: unknown) => readPayload(payload, nothing, MOST).blocks ?? [];
const fixture = (name: string) => readJson(`${fixtures}webhooks/${name}.json`);

it('an attachment of Slack has its edge, its fields beside each other, and its buttons', () => {
  const attachment = {
    color: 'warning',
    pretext: 'Disk of *db-1*',
    author_name: 'Nagios',
    title: 'Almost full',
    title_link: 'https://nagios.example/db-1',
    fields: [
      { title: 'Used', value: '91%', short: true },
      { title: 'Log', value: '```\nno space\n```' },
    ],
    image_url: 'https://nagios.example/graph.png',
    actions: [
      { type: 'button', text: 'Look', url: 'https://nagios.example/look' },
      { type: 'button', text: 'Old', url: 'http://nagios.example/old' },
    ],
    footer: 'eu-west',
  };
  expect(blocksOf({ attachments: [attachment] })).toEqual([
    {
      type: 'container',
      color: 'warning',
      child_blocks: [
        { type: 'markdown', text: 'Disk of **db-1**' },
        { type: 'context', elements: [{ type: 'mrkdwn', text: 'Nagios' }] },
        { type: 'markdown', text: '[**Almost full**](https://nagios.example/db-1)' },
        { type: 'section', fields: [{ type: 'mrkdwn', text: '*Used*\n91%' }] },
        { type: 'markdown', text: '**Log**:\n```\nno space\n```' },
        { type: 'image', image_url: 'https://nagios.example/graph.png', alt_text: 'nagios.example' },
        { type: 'markdown', text: '[Old](http://nagios.example/old)' },
        {
          type: 'actions',
          block_id: expect.any(String),
          elements: [
            {
              type: 'button',
              action_id: expect.any(String),
              text: { type: 'plain_text', text: 'Look' },
              url: 'https://nagios.example/look',
            },
          ],
        },
        { type: 'context', elements: [{ type: 'mrkdwn', text: 'eu-west' }] },
      ],
    },
  ]);
});

it('the sign of a state gives the edge its colour, and each alert has its own', () => {
  const edges = (payload: unknown) =>
    blocksOf(payload).map((block) => (block.type === 'container' ? block.color : block.type));
  expect(edges(fixture('github-workflow-run'))).toEqual(['danger']);
  expect(edges(fixture('alertmanager-resolved')).every((edge) => edge === 'good')).toBe(true);
  expect(edges(fixture('sentry-issue'))).toEqual(['danger']);
  expect(edges({ embeds: [{ title: 'One', color: 255 }, { title: 'Two' }] })).toEqual([
    '#0000ff',
    'markdown',
  ]);
});

it('blocks in an attachment stand in its edge as they are', () => {
  const blocks = [{ type: 'header', text: { type: 'plain_text', text: 'Baked' } }];
  const [container] = blocksOf({ attachments: [{ color: '#36a64f', blocks }] });
  expect(container).toEqual({ type: 'container', color: '#36a64f', child_blocks: blocks });
});

it('signs that Slack’s formatting would take for its own stay as they were sent', () => {
  const fields = ['* * * * *', 'x < y & z', '2*3*4', '~/a~b'].map((value) => ({ name: 'Value', value }));
  const text = textOfBlocks(blocksOf({ embeds: [{ title: 'Job', fields }] }));
  for (const { value } of fields) expect(plainText(text)).toContain(value);
});

it('what a message cannot hold is cut at its end, which says so', () => {
  const attachment = (at: number) => ({
    color: 'good',
    title: `Number ${at}`,
    text: 'é'.repeat(2000),
    fields: Array.from({ length: 10 }, (_, field) => ({ title: `f${field}`, value: 'v' })),
    actions: [{ text: 'Look', url: `https://example.org/${at}` }],
  });
  for (const [count, shown] of [
    [60, 100_000],
    [400, 100_000],
    [30, MOST],
  ] as const) {
    const attachments = Array.from({ length: count }, (_, at) => attachment(at));
    const { text, blocks = [] } = readPayload({ attachments }, nothing, shown);
    expect(checkBlocks(blocks)).toEqual(blocks);
    expect(blocks.at(-1)).toEqual({ type: 'context', elements: [{ type: 'plain_text', text: '…' }] });
    expect(blocks.length).toBeGreaterThan(3);
    expect(text).toContain('Number 0');
  }
});
