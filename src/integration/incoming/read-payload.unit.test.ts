import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readText } from '#platform/text/formatting.ts';
import { readPayload } from './read-payload.ts';

const textOf = (...payload: Parameters<typeof readPayload>): string => readPayload(...payload).text;

const folder = new URL('../../../test/fixtures/webhooks/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length));
const nothing = { event: undefined };

/** The ways to all that an object holds. */
const waysOf = (value: unknown, way: readonly string[] = []): string[][] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, inner]) => [[...way, name], ...waysOf(inner, [...way, name])]);

describe('payloads as their products document them', () => {
  it('shows that there is a secret, and not which one', () => {
    const payload = {
      title: 'Paid',
      shared_secret: 'hunter2',
      signature: { token: 'abc', timestamp: 1 },
      apiKey: 'k1',
    };
    const text = textOf(payload, { event: undefined });
    for (const name of ['shared_secret', 'signature.token', 'apiKey']) expect(text).toContain(`${name}: •••`);
    expect(text).not.toMatch(/hunter2|abc|k1/);
    const deploy = {
      event: 'deploy',
      headers: { Authorization: 'Bearer s1', 'X-Api-Key': 's2', Cookie: 'sid=s3' },
      params: [{ name: 'password', value: 's4' }],
      credentials: { user: 's5', value: 's6' },
      ...{ aws_secret_access_key: 's7', privateKey: 's8', secretKey: 's9', access_key: 's10' },
      db: { url: 'postgres://user:s11@host/db' },
    };
    const shown = textOf(deploy, { event: undefined });
    expect(shown.split('\n')[0]).toContain('deploy');
    expect(shown).not.toMatch(/s\d/);
    for (const line of ['headers.Authorization: •••', 'params.1.value: •••', 'postgres://•••@host/db'])
      expect(shown).toContain(line);
  });

  it('an address at which others post is a secret', () => {
    const payload = {
      title: 'Saved',
      webhookURL: 'https://parley.example.org/v1/hooks/aB3_-x?subject=Bread',
      others: ['https://discord.com/api/webhooks/123/aB3_-y', 'https://hooks.slack.com/services/T1/B2/aB3z'],
    };
    const text = textOf(payload, { event: undefined });
    for (const shown of ['/v1/hooks/•••?subject=Bread', '/api/webhooks/•••', '/services/•••'])
      expect(text).toContain(shown);
    expect(text).not.toContain('aB3');
  });

  it('lists of other products that are called as those of Slack are shown in full', () => {
    const mail = {
      subject: 'Flour',
      attachments: [{ filename: 'order.pdf', content_type: 'application/pdf' }],
    };
    expect(textOf(mail, nothing)).toBe(
      '**Flour**\nfile: order.pdf\nattachments.1.content_type: application/pdf',
    );
    const build = { pipeline: { name: 'Tests', result: 'failed' }, blocks: [{ name: 'Bake', jobs: 2 }] };
    expect(textOf(build, nothing).split('\n')).toEqual([
      '❌ **Tests**',
      'pipeline result: failed',
      'blocks.1.name: Bake',
      'blocks.1.jobs: 2',
    ]);
  });

  it.each([
    [
      'a vote',
      { approvals: [{ type: 'Code-Review', value: '-2' }], subject: 'Fan' },
      '**Fan**\nCode-Review: -2\napprovals.1.type: Code-Review',
    ],
    ['success', { name: 'Nightly', success: true }, '✅ **Nightly**\nsuccess: yes'],
    ['no success', { name: 'Nightly', is_success: 'false' }, '❌ **Nightly**\nis success: false'],
    [
      'a success beside a state',
      { name: 'Nightly', state: 'failed', success: true },
      '❌ **Nightly**\nstate: failed\nsuccess: yes',
    ],
    [
      'what all of a list have',
      { name: 'Errors', events: [{ severity: 'fatal' }, { severity: 'fatal' }] },
      '🔴 **Errors**\nseverity: fatal\nevents.1.severity: fatal\nevents.2.severity: fatal',
    ],
    [
      'a title in languages',
      { fields: { title: { 'de-DE': 'Roggen', 'en-US': 'Rye' } } },
      '**Roggen**\nfields.title.en-US: Rye',
    ],
    ['a known weakness', { name: 'oven', finding: { id: 'CVE-2026-1234' } }, '**oven**\nCVE-2026-1234'],
  ])('%s stands in the first lines', (_, payload, text) => expect(textOf(payload, nothing)).toBe(text));

  it('are there', () => expect(names.length).toBeGreaterThanOrEqual(20));

  it.each(names)('%s is readable (claim: webhooks-of-products)', (name) => {
    expect(textOf(JSON.parse(read(`${name}.json`)), nothing)).toBe(read(`${name}.txt`).trimEnd());
  });
});

describe('what no product sends', () => {
  it.each([
    ['a text', ' hello ', 'hello'],
    [
      'a title and a message',
      { title: 'Backup', message: 'done', url: 'https://example.org/b' },
      '**Backup**\ndone https://example.org/b',
    ],
    ['a list', [1, 2], '1, 2'],
    ['a list of events', [{ title: 'a' }, { title: 'b' }], '**a**\n\n**b**'],
    [
      'an event of GitHub that is new',
      { repository: { full_name: 'a/b', html_url: 'https://github.com/a/b' }, sender: { login: 'eve' } },
      '**a/b** · eve star https://github.com/a/b',
    ],
    [
      'the example of the documents',
      { check_name: 'Oven', status: 'critical', details: { celsius: 260 }, url: 'https://example.org/7' },
      '🔴 **Oven** https://example.org/7\nstatus: critical\ndetails.celsius: 260',
    ],
    ['a layout without anything to read', { blocks: [{ type: 'divider' }] }, 'blocks.1.type: divider'],
    ['a fence in a value', { a: '```', b: 1, c: [2, 'x'] }, "a: '''\nb: 1\nc: 2, x"],
  ])('%s', (_, payload, text) => {
    expect(textOf(payload, { event: 'star' })).toBe(text);
  });

  it.each([[null], [{}], [[]], [''], [{ text: '  ' }], [7], [true]])('%j says nothing', (payload) => {
    expect(textOf(payload, nothing)).toBe('');
  });

  it('fields of every kind in the wrong place break nothing', () => {
    const odd = [null, 7, 'x', [], {}, [null], [[]], { text: {} }];
    const fields = [
      'text',
      'blocks',
      'attachments',
      'alerts',
      'status',
      'heartbeat',
      'monitor',
      'commits',
      'object_kind',
      'project',
      'repository',
      'sender',
      'data',
      'action',
      'installation',
      'event',
      'issue',
    ];
    for (const name of fields)
      for (const value of odd)
        for (const other of odd) {
          const payload = Object.fromEntries(fields.map((field) => [field, other]));
          expect(textOf({ ...payload, [name]: value }, nothing)).toBeTypeOf('string');
        }
  });

  it('values that are no text break nothing, wherever a product has another', () => {
    // A form makes objects without any methods.
    for (const odd of [{ toString: 'x', valueOf: 'y' }, Object.assign(Object.create(null), { a: 'b' })])
      for (const name of names) {
        const given = JSON.parse(read(`${name}.json`));
        for (const way of waysOf(given)) {
          const payload = structuredClone(given);
          const within = way.slice(0, -1).reduce((found, key) => found[key], payload);
          within[way.at(-1) as string] = odd;
          expect(textOf(payload, nothing), `${name}: ${way.join('.')}`).toBeTypeOf('string');
        }
      }
  });

  it('no more is read than can be shown', () => {
    const shown = 100;
    const long = '*a* '.repeat(1000);
    const many = Array(5000).fill({ text: long, fields: Array(100).fill({ title: 'b', value: long }) });
    for (const payload of [
      { text: long },
      { content: long },
      { '@type': 'MessageCard', text: long },
      { x: 1, message: long },
      { attachments: many },
      { embeds: many.map(({ text, fields }) => ({ title: text, fields })) },
      { ['k'.repeat(500_000)]: Array.from({ length: 2000 }, (_, a) => ({ a })) },
      { a: Array(50).fill(Array(10_000).fill(1)) },
    ]) {
      const text = textOf(payload, nothing, shown);
      expect(text.length).toBeGreaterThan(shown);
      expect(text.length).toBeLessThan(1_000_000);
      expect(text.endsWith('…')).toBe(true);
    }
    expect(textOf({ text: long }, nothing, shown).length).toBeLessThan(5 * shown);
    expect(textOf({ attachments: many }, nothing, shown).length).toBeLessThan(20_000);
  });

  it('no more tags are looked for than can be shown', () => {
    const tagged = `${'<a href="http://a@b">*_</a>'.repeat(10_000)}<b>end</b>`;
    const widgets = [1, 2, 3].map(() => ({ textParagraph: { text: tagged } }));
    for (const payload of [
      { '@type': 'MessageCard', text: '<b></b>'.repeat(10_000) + tagged },
      { title: 'Long', message: '<b></b>'.repeat(10_000) + tagged },
      { cardsV2: [{ card: { sections: [{ widgets }] } }] },
    ]) {
      const text = textOf(payload, nothing, 1000);
      expect(text).toContain('…');
      expect(text.length).toBeLessThan(10_000);
    }
    const few = `${'<b></b>'.repeat(900)}end`;
    expect(textOf({ '@type': 'MessageCard', text: few }, nothing, 1000)).toBe('end');
  });

  it('no more cards of lists in lists are read than can be shown', () => {
    const inner = (levels: number, leaf: object): object =>
      levels === 0 ? leaf : { events: Array.from({ length: 20 }, () => inner(levels - 1, leaf)) };
    const wide = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`name_${at}`, at]));
    for (const payload of [
      inner(3, { a: 1 }),
      inner(2, wide),
      Array.from({ length: 50 }, () => Array.from({ length: 50 }, () => [{ a: 1 }, {}, 'b', []])),
    ]) {
      const { text, blocks } = readPayload(payload, nothing, 16_000);
      expect(text.length).toBeLessThan(50_000);
      expect(text.endsWith('…')).toBe(true);
      expect(blocks?.length).toBeGreaterThan(0);
    }
    const few = readPayload(
      Array.from({ length: 45 }, (_, at) => ({ title: `No. ${at}` })),
      nothing,
      16_000,
    ).text;
    expect(few).toContain('No. 44');
  });

  it('a text of Amazon SNS that is nested too deeply stays one', () => {
    const deep = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    const text = textOf({ Type: 'Notification', TopicArn: 'a', Message: deep }, nothing, 100);
    expect(text.startsWith('{"a":[[[')).toBe(true);
  });

  it('links of rich text that stand side by side stay separate', () => {
    const link = (url: string, text?: string) => ({ type: 'link', url, ...(text && { text }) });
    const elements = [
      link('https://a.example'),
      link('https://b.example'),
      link('https://c.example', 'c'),
      link('https://d.example', 'd'),
      { type: 'text', text: 'and ' },
      { type: 'text', text: 'more', style: { bold: true } },
      { type: 'broadcast', range: 'here' },
      { type: 'emoji', name: 'tada' },
    ];
    const blocks = [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }];
    expect(textOf({ blocks }, nothing)).toBe(
      'https://a.example https://b.example [c](https://c.example) [d](https://d.example)and **more**@team🎉',
    );
  });

  it('a link of Slack shows where it leads', () => {
    const text = textOf(
      { text: '<https://evil.example|https://bank.example> &lt;b&gt; <!channel>' },
      nothing,
    );
    expect(text).toBe('[https://bank.example](https://evil.example) <b> @team');
    expect(readText(text)).toMatchObject([
      { children: [{ kind: 'link', url: 'https://evil.example', host: 'evil.example' }, {}, {}] },
    ]);
  });
});
