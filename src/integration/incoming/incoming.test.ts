import { createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import pino from 'pino';
import sharp from 'sharp';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Answer, Asked } from '../../../test/support/client.ts';
import { EventStream } from '../../../test/support/event-stream.ts';
import { makeTeam, type Person } from '../../../test/support/people.ts';
import { productExamples } from '../../../test/support/products.ts';
import { scene } from '../../../test/support/scene.ts';

const logged: string[] = [];
const memory = new Writable({
  write: (line, _, done) => {
    logged.push(String(line));
    done();
  },
});
const { server, ada, bob, carol } = scene({
  people: ['Ada', 'Bob', 'Carol'],
  options: { logger: pino({ level: 'debug' }, memory) },
});

interface Made {
  readonly id: string;
  readonly url: string;
  readonly key?: string;
  readonly author: { readonly id: string };
}

/** Of WEBHOOK_MAX_BODY_BYTES, in bytes. */
const MOST = 1_048_576;

const fixture = (name: string) =>
  readFileSync(new URL(`../../../test/fixtures/webhooks/${name}`, import.meta.url), 'utf8');

const bytes = (text: string) => new TextEncoder().encode(text);

function multipart(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

let team: string;
let hook: Made;

beforeAll(async () => {
  team = await makeTeam(ada, [bob]);
});

beforeEach(async () => {
  hook = await make();
});

// A team has room for fewer than there are tests.
afterEach(() => ada.client.delete(`/v1/teams/${team}/webhooks/${hook.id}`));

async function make(fields: object = {}): Promise<Made> {
  const answer = await ada.client.post(`/v1/teams/${team}/webhooks`, { name: 'Grafana', ...fields });
  if (answer.status !== 200) throw new Error(`no webhook: ${answer.text}`);
  return answer.data[0];
}

const send = ({ url }: Made, asked: Asked): Promise<Answer> =>
  server.anonymous().ask('POST', new URL(url).pathname, asked);
const newest = async () => (await bob.client.get(`/v1/messages?team=${team}&limit=1`)).data[0];

describe('an incoming webhook', () => {
  it('shows blocks that are right as blocks, and reads all others as text', async () => {
    const header = { type: 'header', text: { type: 'plain_text', text: 'Build 7' } };
    await send(hook, { json: { blocks: [header] } });
    expect(await newest()).toMatchObject({ text: '**Build 7**', blocks: [header] });
    await send(hook, { json: { text: 'It *failed*', blocks: [header] } });
    expect(await newest()).toMatchObject({ text: 'It **failed**', blocks: [header] });
    const video = { type: 'video', title: { type: 'plain_text', text: 'The film' } };
    const ask = { type: 'actions', elements: [{ type: 'button', text: header.text, action_id: 'a' }] };
    for (const json of [
      { blocks: [header, video] },
      { blocks: [header, ask] },
      { blocks: [header], attachments: [{ text: 'more' }] },
    ]) {
      await send(hook, { json });
      const { text, blocks } = await newest();
      expect([text, blocks]).toEqual([expect.stringContaining('Build 7'), undefined]);
    }
  });

  it('shows what a product sends as blocks that nobody can press, and finds it by its text once (claim: webhook-blocks)', async () => {
    const attachment = {
      title: 'Kneading',
      color: 'good',
      actions: [{ text: 'Look', url: 'https://e.org/1' }],
    };
    await send(hook, { json: { attachments: [attachment] } });
    const { id, text, blocks } = await newest();
    expect([text, blocks[0].color]).toEqual(['**Kneading**\nLook https://e.org/1', 'good']);
    const [, actions] = blocks[0].child_blocks;
    const press = {
      block_id: actions.block_id,
      action_id: actions.elements[0].action_id,
      click: randomUUID(),
    };
    const pressed = await bob.client.post(`/v1/messages/${id}/interactions`, press);
    expect([pressed.status, pressed.body.errors[0].reason]).toEqual([403, 'app_not_installed']);
    const found = await bob.client.get('/v1/messages?q=kneading');
    expect(found.data.map((message) => message.id)).toEqual([id]);
    const snippet = found.body.meta.snippets[id].map((piece: { text: string }) => piece.text).join('');
    expect(snippet.match(/kneading/gi)).toHaveLength(1);
  });

  it('posts under the subject that its address names (claim: webhook-subject)', async () => {
    const about = (subject: string) => {
      const { pathname } = new URL(hook.url);
      const path = `${pathname}?subject=${encodeURIComponent(subject)}`;
      return server.anonymous().ask('POST', path, { json: { text: `About ${subject}` } });
    };
    expect((await about(' Deploys ')).text).toBe('ok');
    const { subject_id, ...first } = await newest();
    expect([first.text, first.subject]).toEqual(['About  Deploys', 'Deploys']);
    expect((await about('deploys')).status).toBe(200);
    expect(await newest()).toMatchObject({ text: 'About deploys', subject: 'Deploys', subject_id });
    expect((await about('')).status).toBe(200);
    expect(await newest()).toMatchObject({ text: 'About', subject: null });
    for (const wrong of ['x'.repeat(121), 'De\0ploys']) {
      const { status, body } = await about(wrong);
      expect([status, body.errors]).toEqual([400, [expect.objectContaining({ reason: 'subject' })]]);
    }
  });

  it('is an address alone, and posts under its own name, marked (claim: webhook-address)', async () => {
    expect(hook).toMatchObject({
      author: { first_name: 'Grafana', is_application: true },
      signed: false,
      used_at: null,
    });
    const sent = await send(hook, { json: JSON.parse(fixture('grafana.json')) });
    expect([sent.status, sent.text, sent.headers.get('content-type')]).toEqual([
      200,
      'ok',
      'text/plain; charset=utf-8',
    ]);
    expect(await newest()).toMatchObject({
      text: fixture('grafana.txt').trimEnd(),
      author_type: 'application',
      author: { id: hook.author.id, first_name: 'Grafana', email: '' },
      via_app: null,
      read: false,
    });
    const listed = (await ada.client.get(`/v1/teams/${team}/webhooks`)).data.find(({ id }) => id === hook.id);
    expect(listed).toMatchObject({ author: { first_name: 'Grafana' }, used_at: expect.any(Number) });
    expect(listed).not.toHaveProperty('url');
    expect((await ada.client.get(`/v1/teams/${team}/users`)).data).toHaveLength(2);
  });

  it.each([
    ['a form with the JSON in payload', { form: { payload: '{"text":"by form"}' } }, 'by form'],
    [
      'JSON that is said to be a form',
      { raw: '{"text":"by curl"}', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
      'by curl',
    ],
    [
      'JSON that is said to be a form, and holds the fields of one',
      {
        raw: '{"text":"https://example.org/?a=1&payload=2&text=3&text=4"}',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      },
      'https://example.org/?a=1&payload=2&text=3&text=4',
    ],
    ['plain text', { raw: 'by hand', headers: { 'Content-Type': 'text/plain' } }, 'by hand'],
    ['XML', { raw: '<down/>', headers: { 'Content-Type': 'application/xml' } }, '<down/>'],
    ['JSON of no type', { raw: bytes('{"text":"of no type"}') }, 'of no type'],
    ['text of no type', { raw: bytes('also of no type') }, 'also of no type'],
    ...['garbage', 'application/json; charset', 'text/html', 'application/cloudevents+json'].map((type) => [
      `JSON of the type ${type}`,
      { raw: `{"text":"of ${type}"}`, headers: { 'Content-Type': type } },
      `of ${type}`,
    ]),
    ['multipart', { raw: multipart({ data: '{"text":"in data"}' }) }, 'in data'],
    [
      'text under the type of JSON',
      { raw: 'Updated 3 containers', headers: { 'Content-Type': 'application/json' } },
      'Updated 3 containers',
    ],
    [
      'line breaks within texts of JSON',
      { raw: '{"text":"one\ntwo"}', headers: { 'Content-Type': 'application/json' } },
      'one\ntwo',
    ],
    [
      'another charset',
      {
        raw: Buffer.from('{"text":"Grüße"}', 'latin1'),
        headers: { 'Content-Type': 'application/json; charset=ISO-8859-1' },
      },
      'Grüße',
    ],
    ...Object.entries({ gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }).map(
      ([name, pack]) => [
        `a body packed with ${name}`,
        {
          raw: pack(`{"text":"in ${name}"}`),
          headers: { 'Content-Type': 'application/json', 'Content-Encoding': name },
        },
        `in ${name}`,
      ],
    ),
    [
      'a body packed with deflate, without its wrapper',
      { raw: deflateRawSync('{"text":"raw"}'), headers: { 'Content-Encoding': 'deflate' } },
      'raw',
    ],
    ['a packed body that does not say so', { raw: gzipSync('{"text":"silent"}') }, 'silent'],
  ] as [string, Asked, string][])('takes %s (claim: webhook-any-body)', async (_, asked, text) => {
    expect((await send(hook, asked)).text).toBe('ok');
    expect((await newest()).text).toBe(text);
  });

  it('shows products that nobody named as their readers want it (claim: webhooks-of-products)', async () => {
    const few = productExamples.filter(({ body }, at) => body !== undefined || at % 7 === 0);
    for (const { first, payload, type, body, topic } of few) {
      const headers = {
        'Content-Type': type ?? 'application/json',
        ...(topic !== undefined && { 'X-Bakery-Topic': topic }),
      };
      expect((await send(hook, { raw: body ?? JSON.stringify(payload), headers })).text).toBe('ok');
      expect((await newest()).text.split('\n').slice(0, 3)).toEqual(first);
    }
  });

  it.each([
    ['X-Event-Key', 'repo:push', 'repo push'],
    ['X-Shopify-Topic', 'orders/paid', 'orders paid'],
    ['ce-type', 'oven.heated', 'oven heated'],
    ['X-Bakery-Topic', 'BreadManagement.Bread.bake', 'bread management bread bake'],
    ['X-Mixer-Event', 'mixer.on', 'mixer on'],
    // As bytes of UTF-8, which is how programs send it.
    ['X-Event-Name', Buffer.from('grüße').toString('latin1'), 'grüße'],
  ])('reads the event in the header %s (claim: webhook-event-in-header)', async (name, event, said) => {
    const json = { name: 'Oven', actor: { display_name: 'Ada' }, url: 'https://example.org/7' };
    expect((await send(hook, { json, headers: { [name]: event } })).text).toBe('ok');
    expect((await newest()).text).toBe(`**Oven** https://example.org/7\n${said} · by: Ada`);
  });

  it('cuts what is too long, and shows placeholders as they are', async () => {
    await send(hook, { json: { text: `{0} ${'x'.repeat(20_000)}` } });
    const { text, mentions } = await newest();
    expect([text.length, text.slice(0, 5), text.at(-1), mentions]).toEqual([16_000, '{0} x', '…', []]);
  });

  it('refuses garbage with a reason, and posts nothing', async () => {
    const before = (await newest())?.id;
    const json = { 'Content-Type': 'application/json' };
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const codes = [];
    for (const asked of [
      { raw: '{"text":', headers: json },
      { raw: Buffer.from([0x7b, 0xff, 0x7d]), headers: json },
      { raw: Buffer.from([0x78, 0xff]), headers: { 'Content-Type': 'text/plain' } },
      { raw: 'zipped', headers: { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' } },
      { form: { payload: 'no json' } },
      { raw: 'text=one&text=two', headers: form },
      { raw: 'payload={}&payload={"text":"two"}', headers: form },
      { json: {} },
      { json: { text: '   ' } },
      { raw: '' },
      { raw: 'packed', headers: { 'Content-Type': 'text/plain', 'Content-Encoding': 'compress' } },
      { raw: 'x', headers: { 'Content-Type': 'text/plain; charset=klingon' } },
      { raw: multipart({}) },
      { raw: multipart({ a: `${'['.repeat(5000)}${']'.repeat(5000)}` }) },
      { json: { text: 'x'.repeat(MOST) } },
      { raw: gzipSync(Buffer.alloc(MOST + 1, 'x')), headers: { 'Content-Encoding': 'gzip' } },
    ] as Asked[])
      codes.push((await send(hook, asked)).code);
    expect(codes).toEqual([
      4000, 4000, 4000, 4000, 4000, 4000, 4000, 4004, 4004, 4004, 4150, 4150, 4004, 4000, 4130, 4130,
    ]);
    expect((await newest())?.id).toBe(before);
  });

  it('posts nothing for JSON that says nothing, and tells what to send', async () => {
    const before = (await newest())?.id;
    for (const raw of ['null', 'true', '[]', '""', '42', '{"text":null}']) {
      const { status, body } = await send(hook, { raw, headers: { 'Content-Type': 'application/json' } });
      const message = expect.stringContaining('send a text, or a JSON object');
      expect([raw, status, body.errors]).toEqual([raw, 400, [{ code: 4004, message }]]);
    }
    expect((await newest())?.id).toBe(before);
  });

  it('takes more than other routes, and names the setting that limits it (claim: webhook-size)', async () => {
    const files = Array.from(
      { length: 6000 },
      (_, at) => `src/oven/a-folder/another-folder/and-its-file-${at}.ts`,
    );
    const push = { ...JSON.parse(fixture('github-push.json')), files };
    expect(JSON.stringify(push).length).toBeGreaterThan(300_000);
    expect((await send(hook, { json: push })).text).toBe('ok');
    const refused = await send(hook, { json: { text: 'x'.repeat(MOST) } });
    expect(refused.body.errors).toEqual([
      { code: 4130, message: `At most ${MOST} bytes are accepted here (WEBHOOK_MAX_BODY_BYTES)` },
    ]);
  });

  it('says where JSON breaks', async () => {
    const raw = '{\n  "text": "oven",\n  "door": open\n}';
    const { body } = await send(hook, { raw, headers: { 'Content-Type': 'application/json' } });
    expect(body.errors[0].message).toBe('The payload is not valid JSON, from line 3, column 11 on');
  });

  it('two events of GitLab that share a UUID are two (claim: webhook-repeated)', async () => {
    const headers = { 'X-Gitlab-Event-UUID': randomUUID() };
    for (const text of ['first event', 'second event', 'first event'])
      expect((await send(hook, { json: { text }, headers })).text).toBe('ok');
    const told = (await bob.client.get(`/v1/messages?team=${team}&limit=3`)).data.map(({ text }) => text);
    expect(told.slice(0, 2)).toEqual(['second event', 'first event']);
    expect(told[2]).not.toBe('first event');
  });

  it.each([
    ['with a length', 'application/json', 'Content-Length: 200', '{"text":"half of it"}'],
    ['in chunks', 'application/json', 'Transfer-Encoding: chunked', '30\r\n{"text":"half of it"}'],
    ['as text', 'text/plain', 'Content-Length: 200', 'half of it'],
    [
      'as a form',
      'application/x-www-form-urlencoded',
      'Content-Length: 200',
      'payload={"text":"half of it"}',
    ],
  ])(
    'posts nothing of a body that breaks off %s, and takes it for no fault of its own',
    async (_, type, length, body) => {
      const before = (await newest())?.id;
      const { hostname, port, pathname } = new URL(hook.url);
      const from = logged.length;
      const over = (end: (socket: ReturnType<typeof connect>) => void) =>
        new Promise<string>((resolve) => {
          const socket = connect(Number(port), hostname);
          let answer = '';
          socket.on('data', (data) => {
            answer += data;
          });
          socket.on('error', () => {});
          socket.on('close', () => resolve(answer));
          const head = `POST ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: ${type}\r\n${length}\r\n\r\n`;
          socket.write(head + body, () => end(socket));
        });
      const answers = [await over((socket) => socket.end()), await over((socket) => socket.destroy())];
      expect((await send(hook, { json: { text: 'whole' } })).text).toBe('ok');
      const { id, text } = await newest();
      expect(text).toBe('whole');
      expect((await bob.client.get(`/v1/messages?team=${team}&limit=2`)).data.map((one) => one.id)).toEqual(
        [id, before].filter((one) => one !== undefined),
      );
      expect(answers.join()).not.toMatch(/HTTP\/1\.1 [25]/);
      const faults = logged.slice(from).filter((line) => JSON.parse(line).level >= 50);
      expect(faults).toEqual([]);
    },
  );

  it('posts a call that is repeated once (claim: webhook-repeated)', async () => {
    for (const name of ['Idempotency-Key', 'webhook-id', 'X-GitHub-Delivery', 'X-Gitlab-Event-UUID']) {
      const asked = { json: { text: `told by ${name}` }, headers: { [name]: `one-${name}` } };
      const answers = await Promise.all([send(hook, asked), send(hook, asked), send(hook, asked)]);
      expect(answers.map(({ text }) => text)).toEqual(['ok', 'ok', 'ok']);
      expect((await send(hook, asked)).text).toBe('ok');
    }
    const told = (await bob.client.get(`/v1/messages?team=${team}&limit=10`)).data.map(({ text }) => text);
    expect(told.filter((text) => text.startsWith('told by'))).toHaveLength(4);
  });

  it('is signed in any of three ways, if it must be (claim: webhook-signature)', async () => {
    const signed = await make({ name: 'Signed', signed: true });
    const key = signed.key as string;
    const raw = '{"text":"signed"}';
    const [id, at] = ['msg_1', new Date()];
    const json = { 'Content-Type': 'application/json' };
    const standard = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(key).sign(id, at, raw),
    };
    const hub = `sha256=${createHmac('sha256', key).update(raw).digest('hex')}`;
    const ways: Record<string, string>[] = [
      {},
      standard,
      { ...standard, 'webhook-id': 'msg_2' },
      { 'X-Hub-Signature-256': hub },
      { 'X-Hub-Signature-256': `${hub.slice(0, -1)}x` },
      { 'X-Gitlab-Token': key },
      { 'X-Gitlab-Token': 'another' },
    ];
    const codes = [];
    for (const headers of ways) {
      const { code, status } = await send(signed, { raw, headers: { ...json, ...headers } });
      codes.push(code ?? status);
    }
    expect(codes).toEqual([4010, 200, 4010, 200, 4010, 200, 4010]);
    // What is signed are the bytes, of whatever type, before or after they are compressed.
    const latin = Buffer.from('{"text":"Grüße"}', 'latin1');
    const packed = gzipSync('{"text":"packed"}');
    const hubOf = (bytes: Buffer) => `sha256=${createHmac('sha256', key).update(bytes).digest('hex')}`;
    const form = 'payload={"text":"a form"}';
    for (const [body, headers] of [
      [latin, { 'Content-Type': 'text/plain; charset=latin1', 'X-Hub-Signature-256': hubOf(latin) }],
      [packed, { 'Content-Encoding': 'gzip', 'X-Hub-Signature-256': hubOf(packed) }],
      [
        packed,
        { 'Content-Encoding': 'gzip', 'X-Hub-Signature-256': hubOf(Buffer.from('{"text":"packed"}')) },
      ],
      [
        form,
        {
          ...standard,
          'webhook-id': 'msg_form',
          'webhook-signature': new Webhook(key).sign('msg_form', at, form),
        },
      ],
    ] as const)
      expect((await send(signed, { raw: body, headers })).text).toBe('ok');
  });

  it('a captured signed call posts once, whatever its unsigned headers say (claim: signed-calls-once)', async () => {
    const signed = await make({ name: 'Signed', signed: true });
    const key = signed.key as string;
    const standard = (raw: string, id: string) => {
      const at = new Date();
      return {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(key).sign(id, at, raw),
      };
    };
    const hub = (raw: string) => ({
      'X-Hub-Signature-256': `sha256=${createHmac('sha256', key).update(raw).digest('hex')}`,
    });
    for (const headersOf of [(raw: string) => standard(raw, `msg_${raw.length}`), hub]) {
      const text = `only once ${headersOf.length}${randomUUID()}`;
      const raw = JSON.stringify({ text });
      const headers = { 'Content-Type': 'application/json', ...headersOf(raw) };
      const other = () => ({ 'Idempotency-Key': randomUUID(), 'X-GitHub-Delivery': randomUUID() });
      for (const more of [{}, other(), other()])
        expect((await send(signed, { raw, headers: { ...headers, ...more } })).text).toBe('ok');
      const posted = (await ada.client.get(`/v1/messages?team=${team}&limit=50`)).data;
      expect(posted.filter((one) => one.text === text)).toHaveLength(1);
    }
    // The holder of the key can say the same twice.
    for (const id of ['a', 'b']) {
      const raw = '{"text":"said again"}';
      const headers = { 'Content-Type': 'application/json', ...standard(raw, id) };
      expect((await send(signed, { raw, headers })).text).toBe('ok');
    }
    const again = (await ada.client.get(`/v1/messages?team=${team}&limit=50`)).data;
    expect(again.filter((one) => one.text === 'said again')).toHaveLength(2);
  });

  it('is renewed and withdrawn at once, and what it wrote stays (claim: webhook-withdrawn)', async () => {
    await send(hook, { json: { text: 'before' } });
    const { id } = await newest();
    const path = `/v1/teams/${team}/webhooks/${hook.id}`;
    const [renewed] = (await ada.client.post(`${path}/address`)).data;
    expect((await send(hook, { json: { text: 'old' } })).code).toBe(4040);
    expect((await send(renewed, { json: { text: 'new' } })).text).toBe('ok');
    server.clock.advance(1);
    const [named] = (await ada.client.patch(path, { name: 'Alarm' })).data;
    expect(named.author.first_name).toBe('Alarm');
    expect(named.updated_at).toBeGreaterThan(renewed.updated_at);
    await ada.client.delete(path);
    expect((await send(renewed, { json: { text: 'gone' } })).code).toBe(4040);
    expect((await bob.client.get(`/v1/messages/${id}`)).data[0]).toMatchObject({
      text: 'before',
      author: { first_name: 'Alarm' },
    });
    expect((await ada.client.get(`/v1/teams/${team}/webhooks`)).data.map((one) => one.id)).not.toContain(
      hook.id,
    );
  });

  describe('has a picture', () => {
    const square = (edge: number) =>
      sharp({ create: { width: edge, height: edge, channels: 3, background: '#e6522c' } })
        .png()
        .toBuffer();
    const pathOf = ({ id }: Made, inTeam = team) => `/v1/teams/${inTeam}/webhooks/${id}/image`;

    async function upload(who: Person, path: string, bytes?: Uint8Array): Promise<Answer> {
      const raw = new FormData();
      raw.set('file', new Blob([new Uint8Array(bytes ?? (await square(400)))]), 'grafana.png');
      return who.client.ask('PUT', path, { raw });
    }
    const pictures = async () => {
      const rows = await server.running.db.all('SELECT user_id FROM user_images', []);
      return (rows as { user_id: string }[]).filter((row) => row.user_id === hook.author.id).length;
    };
    const status = async (url: string) => (await fetch(url)).status;

    it('that an admin uploads, at what it wrote before, too, until it is taken back (claim: webhook-picture)', async () => {
      await send(hook, { json: { text: 'before the picture' } });
      const { id } = await newest();
      expect((await newest()).author.images).toEqual([]);
      const given = await upload(ada, pathOf(hook));
      const [image] = given.data[0].author.images;
      const shown = await fetch(image.icon);
      expect(shown.headers.get('content-type')).toBe('image/webp');
      const { width, height } = await sharp(Buffer.from(await shown.arrayBuffer())).metadata();
      expect([width, height]).toEqual([64, 64]);
      await send(hook, { json: { text: 'after it' } });
      for (const message of [(await bob.client.get(`/v1/messages/${id}`)).data[0], await newest()])
        expect(message.author.images).toEqual([image]);
      expect((await bob.client.get(`/v1/users/${hook.author.id}`)).data[0].images).toEqual([image]);

      const [another] = (await upload(ada, pathOf(hook))).data[0].author.images;
      expect(await Promise.all([status(image.icon), status(another.icon)])).toEqual([404, 200]);
      const without = await ada.client.delete(pathOf(hook));
      expect(without.data[0].author.images).toEqual([]);
      expect(await status(another.icon)).toBe(404);
      expect((await newest()).author.images).toEqual([]);
      expect(await pictures()).toBe(0);
      expect((await ada.client.delete(pathOf(hook))).status).toBe(200);
    });

    it('that goes with the webhook, and with the team', async () => {
      await send(hook, { json: { text: 'mine' } });
      await upload(ada, pathOf(hook));
      await ada.client.delete(`/v1/teams/${team}/webhooks/${hook.id}`);
      expect((await newest()).author).toMatchObject({ first_name: 'Grafana', images: [] });
      expect(await pictures()).toBe(0);
      expect((await upload(ada, pathOf(hook))).code).toBe(4040);
      expect(await pictures()).toBe(0);
    });

    it('no part of which is left when uploads, a withdrawal and a removal come at once', async () => {
      const answers = await Promise.all([
        upload(ada, pathOf(hook)),
        upload(ada, pathOf(hook)),
        ada.client.delete(pathOf(hook)),
        upload(ada, pathOf(hook)),
        ada.client.delete(`/v1/teams/${team}/webhooks/${hook.id}`),
        upload(ada, pathOf(hook)),
      ]);
      for (const { code, status } of answers) expect([200, 4040]).toContain(code ?? status);
      expect(await pictures()).toBe(0);
    });

    it('for the team’s admins to give, and of a picture alone', async () => {
      const other = await makeTeam(carol);
      const refused = [
        await upload(bob, pathOf(hook)),
        await upload(carol, pathOf(hook)),
        await upload(carol, pathOf(hook, other)),
        await upload(ada, pathOf({ ...hook, id: hook.author.id })),
        await bob.client.delete(pathOf(hook)),
        await carol.client.delete(pathOf(hook, other)),
        await server.anonymous().delete(pathOf(hook)),
        await upload(ada, pathOf(hook), Buffer.from('<svg onload="alert(1)"/>')),
        await upload(ada, pathOf(hook), (await square(400)).subarray(0, 60)),
        await ada.client.ask('PUT', pathOf(hook), { raw: new FormData() }),
        await ada.client.put(pathOf(hook), { file: 'https://example.org/a.png' }),
        await ada.client.ask('PUT', pathOf(hook), {
          raw: '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nhalf',
          headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
        }),
        await upload(ada, pathOf(hook), Buffer.alloc(26 * 1024 * 1024)),
      ];
      expect(refused.map(({ code }) => code)).toEqual([
        4030, 4040, 4040, 4040, 4030, 4040, 4010, 4002, 4002, 4002, 4150, 4000, 4130,
      ]);
      expect(await pictures()).toBe(0);
    });

    it('of which windows that are open hear, as of another name', async () => {
      const stream = await EventStream.open(bob.client);
      const stranger = await EventStream.open(carol.client);
      const own = `/v1/teams/${team}/webhooks/${hook.id}`;
      const changes = [
        () => upload(ada, pathOf(hook)),
        () => ada.client.patch(own, { name: 'Alarm' }),
        () => ada.client.delete(own),
      ];
      // An event tells how the author is when it is sent.
      for (const [before, change] of changes.entries()) {
        await change();
        await stream.until(() => stream.of('user.updated').length > before);
      }
      await carol.client.post('/v1/messages', { text: 'the end', addressed_teams: [await makeTeam(carol)] });
      await stranger.until(() => stranger.of('message.created').length > 0);
      const told = stream.of('user.updated').map(({ data }) => data.user);
      expect(told).toMatchObject([
        { id: hook.author.id, first_name: 'Grafana', images: [{ icon: expect.any(String) }] },
        { first_name: 'Alarm', images: [{ icon: expect.any(String) }] },
        { first_name: 'Alarm', images: [] },
      ]);
      expect(stranger.of('user.updated')).toEqual([]);
      stream.close();
      stranger.close();
    });
  });

  it('keeps its secret out of the database and of logs (claim: webhook-secret)', async () => {
    const secret = hook.url.split('/').at(-1) as string;
    await send(hook, { json: { text: 'hi' } });
    await send(hook, { raw: '{', headers: { 'Content-Type': 'application/json' } });
    const rows = await server.running.db.all('SELECT * FROM incoming_webhooks', []);
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(logged.join('')).toContain('/v1/hooks/:secret');
    expect(logged.join('')).not.toContain(secret);
  });

  it('is the business of the team’s admins', async () => {
    expect((await bob.client.get(`/v1/teams/${team}/webhooks`)).code).toBe(4030);
    expect((await carol.client.post(`/v1/teams/${team}/webhooks`, { name: 'Mine' })).code).toBe(4040);
    const other = await makeTeam(carol);
    expect((await carol.client.delete(`/v1/teams/${other}/webhooks/${hook.id}`)).code).toBe(4040);
    expect((await send(hook, { json: { text: 'still there' } })).text).toBe('ok');
  });

  it('are at most fifty of a team, also when more are made at once', async () => {
    const path = `/v1/teams/${await makeTeam(carol)}/webhooks`;
    const make = (count: number) =>
      Promise.all(Array.from({ length: count }, () => carol.client.post(path, { name: 'Program' })));
    await make(49);
    const codes = (await make(8)).map(({ code, status }) => code ?? status);
    expect(codes.sort()).toEqual([200, ...Array(7).fill(4090)]);
    expect((await carol.client.get(path)).data).toHaveLength(50);
  });
});
