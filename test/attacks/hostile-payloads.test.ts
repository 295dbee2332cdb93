/**
 * The attacker has the address of an incoming webhook. They send what no product sends: texts that patterns read again and
 * again from each place, lists within lists, thousands of parts, a little that unpacks to gigabytes, and values with the
 * names that every object has. The server would be busy with one call for minutes, or break at it. Each call is posted, or refused with a reason.
 */
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';
import { makeTeam } from '../support/people.ts';
import { scene } from '../support/scene.ts';

const { server, alice } = scene({ people: ['Alice'] });
const MOST_CHARACTERS = 1_000_000;
let team: string;
let path: string;

beforeAll(async () => {
  team = await makeTeam(alice);
  const { data } = await alice.client.post(`/v1/teams/${team}/webhooks`, { name: 'Grafana' });
  path = new URL(data[0].url).pathname;
});

const send = (json: unknown, headers = {}) =>
  server.anonymous().ask('POST', path, { raw: JSON.stringify(json), headers: { ...JSON_TYPE, ...headers } });
const JSON_TYPE = { 'Content-Type': 'application/json' };
const listsIn = (levels: number, width: number, leaf: object): object =>
  levels === 0 ? leaf : { events: Array.from({ length: width }, () => listsIn(levels - 1, width, leaf)) };
const newest = async () => (await alice.client.get(`/v1/messages?team=${team}&limit=1`)).data[0]?.text;

it('reads a text of any marks in a time that grows with its length alone', async () => {
  for (const mark of [
    '[',
    '[](http://a',
    '<http://a',
    '<mailto:a',
    '<!here|',
    '<!date^|',
    '<@|a',
    '<#a',
    '# \n',
    '# #',
    '*a',
    '_a ',
  ]) {
    const text = mark.repeat(MOST_CHARACTERS / mark.length / 2);
    for (const given of [text, `x\n${text}`])
      expect([mark, (await send({ text: given })).text]).toEqual([mark, 'ok']);
  }
  const wide = ' '.repeat(MOST_CHARACTERS / 2);
  for (const text of [`# ${wide}x${wide}`, `[a](http://a${wide}`])
    expect((await send({ text })).text).toBe('ok');
});

it('refuses what lies too deep, and posts thousands of parts cut', async () => {
  const deep = (depth: number, open: string, close: string) => `${open.repeat(depth)}1${close.repeat(depth)}`;
  const before = await newest();
  for (const [depth, open, close] of [
    [65, '[', ']'],
    [MOST_CHARACTERS / 2, '[', ']'],
    [MOST_CHARACTERS / 10, '{"a":', '}'],
  ] as const) {
    const body = deep(depth, open, close);
    for (const raw of [`{"blocks":[{"type":"rich_text","elements":${body}}]}`, `{"a":${body}}`, body])
      for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
        if (type !== 'application/json' && !raw.startsWith('{')) continue;
        const answer = await server.anonymous().ask('POST', path, { raw, headers: { 'Content-Type': type } });
        expect([depth, type, answer.code]).toEqual([depth, type, 4000]);
      }
  }
  let list: object = { type: 'text', text: 'deep' };
  for (let depth = 0; depth < 40; depth++) list = { type: 'rich_text_list', elements: [list] };
  const rich = { blocks: [{ type: 'rich_text', elements: [list] }] };
  expect((await send(rich)).code).toBe(4000);
  expect(await newest()).toBe(before);
  const many = (item: object) => Array.from({ length: 9000 }, () => item);
  for (const parts of [
    { blocks: many({ type: 'header', text: 'x' }) },
    { attachments: many({ text: 'x' }) },
    { status: 'firing', alerts: many({ labels: { a: 'x' } }) },
    { unknown: many({ deep: { a: ['x'] } }) },
    { embeds: many({ title: 'x', fields: [{ name: 'x', value: {} }] }) },
    { '@type': 'MessageCard', sections: many({ facts: [{ name: 'x', value: 'x' }] }) },
    { type: 'AdaptiveCard', body: many({ type: 'TextBlock', text: '<br>', weight: 'Bolder' }) },
    { repository: { full_name: 'a/b' }, sender: { login: 'x' }, action: 'x', others: many({ name: 'x' }) },
    { object_kind: 'x', object_attributes: { others: many({ state: 'x' }) }, project: {} },
    Object.fromEntries(many({}).map((_, at) => [`state_${at}_status`, `${at}`])),
    { title: 'x'.repeat(MOST_CHARACTERS / 2), states: many({}).map((_, at) => ({ state: `${at}` })) },
    // Links that are none of ours are tried in four ways each.
    { '@type': 'MessageCard', text: '<a href="http://a@b">*_</a>'.repeat(MOST_CHARACTERS / 30) },
    { title: 'x', message: '<a href="http://a@b">*_</a>'.repeat(MOST_CHARACTERS / 30) },
    // Lists in lists: a hundred thousand cards.
    listsIn(3, 46, { a: 1 }),
    listsIn(14, 2, { a: 1 }),
    listsIn(1, 50, Object.fromEntries(many({}).map((_, at) => [`${at % 1500}`, 1]))),
  ]) {
    expect((await send(parts)).text).toBe('ok');
    expect((await newest()).length).toBeLessThanOrEqual(16_000);
  }
});

it('unpacks no more than may be sent, however little is sent', async () => {
  const bomb = Buffer.alloc(64 * 1024 * 1024, ' ');
  for (const [encoding, raw] of [
    ['gzip', gzipSync(bomb)],
    ['deflate', deflateSync(bomb)],
    ['br', brotliCompressSync(bomb, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ['gzip, gzip', gzipSync(gzipSync(bomb))],
  ] as const) {
    const { code } = await server
      .anonymous()
      .ask('POST', path, { raw, headers: { ...JSON_TYPE, 'Content-Encoding': encoding } });
    expect([encoding, code]).toEqual([encoding, encoding === 'gzip, gzip' ? 4150 : 4130]);
  }
});

it('shows no more than the payload says, where values have names that every object has', async () => {
  const odd = { valueOf: 1, toString: 1, constructor: 1 };
  for (const payload of [
    {
      status: 'firing',
      alerts: [{ status: 'constructor', annotations: { summary: 'x' } }],
      truncatedAlerts: odd,
    },
    { heartbeat: { status: odd, msg: 'x' }, monitor: { name: 'm' } },
    { object_kind: 'push', project: odd, commits: [odd], total_commits_count: odd, user_name: odd, ref: 'x' },
    {
      object_kind: 'pipeline',
      project: { web_url: odd },
      object_attributes: { status: 'toString', id: 'x' },
    },
    { object_kind: 'build', project: {}, build_status: '__proto__', build_name: 'x' },
    {
      repository: { full_name: 'a/b' },
      sender: { login: 'x' },
      issue: odd,
      comment: odd,
      action: 'constructor',
    },
    {
      type: 'AdaptiveCard',
      body: [
        { type: 'TextBlock', text: 'x' },
        { type: 'RichTextBlock', inlines: [{ text: odd }] },
      ],
    },
    { text: '\ud800 lone' },
  ]) {
    const answer = await send(payload);
    expect([payload, answer.text]).toEqual([payload, 'ok']);
    expect(await newest()).not.toContain('native code');
  }
  expect(await newest()).toBe('\ufffd lone');
});

it('cuts what it shortens between characters', async () => {
  const long = '😀'.repeat(2000);
  // One character of a single unit moves every cut by one: each is tried at both.
  for (const shift of ['', 'a'])
    for (const [payload, headers] of [
      [{ unknown: shift + long, other: 1 }, {}],
      [
        {
          action: 'created',
          repository: { full_name: 'a/b' },
          sender: { login: 'x' },
          issue: { number: 1, title: 't', html_url: 'https://example.org/1' },
          comment: { body: shift + long, html_url: 'https://example.org/1' },
        },
        { 'X-GitHub-Event': 'issue_comment' },
      ],
      [{ object_kind: 'note', project: {}, object_attributes: { note: shift + long } }, {}],
    ] as const) {
      expect((await send(payload, headers)).text).toBe('ok');
      const text = await newest();
      // What nobody can read is shown in full, up to the length of a message.
      const most = 'unknown' in payload ? 4100 : 3500;
      expect([payload, text.includes('😀😀'), text.length < most]).toEqual([payload, true, true]);
      expect(text).not.toContain('\ufffd');
    }
});
