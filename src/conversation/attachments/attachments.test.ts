import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import sharp from 'sharp';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { UserPrincipal } from '#api';
import { FolderStore, Spool, type SpooledFile } from '#platform/files/index.ts';
import type { Client } from '../../../test/support/client.ts';
import { filesFolder, storedFiles } from '../../../test/support/files.ts';
import {
  ApplicationHost,
  authorize,
  install,
  makeTeam,
  type Person,
  register,
  signUp,
} from '../../../test/support/people.ts';
import { TestS3 } from '../../../test/support/s3.ts';
import { startTestServer, type TestServer } from '../../../test/support/server.ts';
import { untilHolds } from '../../../test/support/until.ts';
import { attachmentPresenter } from './attachment.present.ts';
import { attachmentService } from './attachment.service.ts';

let server: TestServer;
let s3: TestS3 | undefined;
/** For the tests that neither want settings of their own nor count or clear away what others have stored. */
let shared: TestServer | undefined;
let before: string[] = [];

async function useShared(): Promise<void> {
  shared ??= await startTestServer();
  server = shared;
  before = storedFiles(server);
}

afterEach(async () => {
  if (server !== shared) await server.stop();
  await s3?.stop();
  s3 = undefined;
});
afterAll(() => shared?.stop());

function form(content: string | Uint8Array, name = 'notes.txt', type = ''): FormData {
  const raw = new FormData();
  raw.set('file', new Blob([content as Uint8Array<ArrayBuffer>], { type }), name);
  return raw;
}

const send = (client: Client, raw: FormData, headers = {}) =>
  client.ask('POST', '/v1/attachments', { raw, headers });

async function upload(client: Client, content: string | Uint8Array, name?: string, type?: string) {
  const answer = await send(client, form(content, name, type));
  if (answer.status !== 200) throw new Error(`upload failed: ${answer.text}`);
  return answer.data[0];
}

/** The files that this test has stored. */
const stored = () => storedFiles(server).filter((file) => !before.includes(file));

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 0, g: 90, b: 200 } } });

const post = (person: Person, team: string, files: unknown[], fields: object = {}) =>
  person.client.post('/v1/messages', { addressed_teams: [team], attachments: { files }, ...fields });

async function statusOf(person: Person, id: string): Promise<number> {
  return (await person.client.get(`/v1/attachments/${id}`)).status;
}

function sql(text: string, ...values: unknown[]) {
  let place = 0;
  const placed = process.env.TEST_DATABASE === 'postgres' ? text.replaceAll('?', () => `$${++place}`) : text;
  return server.running.db.write((tx) => tx.all<Record<string, unknown>>(placed, values));
}

describe.each(['a folder', 'S3'])('uploads in %s', (kind) => {
  async function start() {
    if (kind === 'S3') s3 = await new TestS3().start();
    server = await startTestServer(s3?.environment);
  }

  it('are kept, described and given back', async () => {
    await start();
    const ada = await signUp(server, 'Ada');
    const file = await upload(ada.client, 'Grüße\n', 'notes.txt');
    expect(file).toEqual({
      id: expect.any(String),
      name: 'notes.txt',
      type: 'text/plain',
      size: 8,
      url: `${server.running.url}/v1/attachments/${file.id}`,
      thumbnail_url: null,
      width: null,
      height: null,
      created_at: expect.any(Number),
    });
    const bytes = await ada.client.get(`/v1/attachments/${file.id}`);
    expect(bytes.text).toBe('Grüße\n');
    expect(Object.fromEntries(bytes.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '8',
      'content-disposition': 'inline; filename=notes.txt',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
    });
    expect((await ada.client.get(`/v1/attachments/${file.id}/thumbnail`)).code).toBe(4040);
  });

  it('have a small picture if they are one', async () => {
    await start();
    const ada = await signUp(server, 'Ada');
    const file = await upload(ada.client, await picture(1200, 600).png().toBuffer(), 'p.png');
    expect(file).toMatchObject({ type: 'image/png', width: 1200, height: 600 });
    expect(file.thumbnail_url).toBe(`${file.url}/thumbnail`);
    const small = await ada.client.get(`/v1/attachments/${file.id}/thumbnail`);
    expect([small.status, small.headers.get('content-type')]).toEqual([200, 'image/webp']);
    expect(small.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
  });

  it('are given in parts', async () => {
    await start();
    const ada = await signUp(server, 'Ada');
    const { id } = await upload(ada.client, '0123456789');
    const part = async (range: string, headers = {}) => {
      const answer = await ada.client.get(`/v1/attachments/${id}`, { headers: { Range: range, ...headers } });
      return [answer.status, answer.headers.get('content-range'), answer.code ?? answer.text];
    };
    expect(await part('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234']);
    expect(await part('bytes=7-')).toEqual([206, 'bytes 7-9/10', '789']);
    expect(await part('bytes=-3')).toEqual([206, 'bytes 7-9/10', '789']);
    expect(await part('bytes=-30')).toEqual([206, 'bytes 0-9/10', '0123456789']);
    expect(await part('bytes=8-99')).toEqual([206, 'bytes 8-9/10', '89']);
    expect(await part('bytes=10-')).toEqual([416, 'bytes */10', 4160]);
    expect(await part('bytes=-0')).toEqual([416, 'bytes */10', 4160]);
    for (const none of ['bytes=4-2', 'bytes=-', 'bytes=a-b', 'lines=1-2', 'bytes=0-1,3-4', '']) {
      expect(await part(none)).toEqual([200, null, '0123456789']);
    }
    expect(await part('bytes=0-1', { 'If-Range': `"${id}"` })).toEqual([206, 'bytes 0-1/10', '01']);
    expect(await part('bytes=0-1', { 'If-Range': '"other"' })).toEqual([200, null, '0123456789']);
  });

  it('of the same moment do not meet, and an empty one is one', async () => {
    await start();
    const ada = await signUp(server, 'Ada');
    const contents = ['', 'one', 'two', 'three', 'three'];
    const files = await Promise.all(contents.map((content) => upload(ada.client, content)));
    expect(new Set(files.map((file) => file.id)).size).toBe(5);
    for (const [index, file] of files.entries()) {
      expect((await ada.client.get(`/v1/attachments/${file.id}`)).text).toBe(contents[index]);
    }
    expect(files[0]).toMatchObject({ size: 0, type: 'text/plain' });
  });
});

describe('a store that does not answer', () => {
  it('is 5030; nothing is shown, and what it may hold is cleared away', async () => {
    s3 = await new TestS3().start();
    const { log } = s3;
    server = await startTestServer(s3.environment, { housekeepingMs: 100 });
    const ada = await signUp(server, 'Ada');
    // Beside its start, the server tries the bucket.
    await untilHolds(() => expect(log).toContain('GET 404'));
    s3.faults.push(...Array(3).fill(500));
    expect((await send(ada.client, form('x'))).code).toBe(5030);
    await untilHolds(async () => expect(await sql('SELECT id FROM attachments')).toEqual([]));
    const { id } = await upload(ada.client, 'x');
    s3.faults.push(...Array(3).fill(500));
    expect(await statusOf(ada, id)).toBe(503);
    expect(await statusOf(ada, id)).toBe(200);
    expect(stored()).toEqual([]);
  });
});

describe('an upload is refused', () => {
  it.each([
    ['as JSON', {}, 4150],
    ['without a file', { raw: new FormData() }, 4002],
  ])('%s', async (_, asked, code) => {
    await useShared();
    const ada = await signUp(server, 'Ada');
    const answer = await ada.client.ask('POST', '/v1/attachments', 'raw' in asked ? asked : { json: {} });
    expect([answer.code, stored()]).toEqual([code, []]);
  });

  it('under another name than file, or with a second file', async () => {
    await useShared();
    const ada = await signUp(server, 'Ada');
    const other = new FormData();
    other.set('picture', new Blob(['x']), 'x');
    expect((await send(ada.client, other)).code).toBe(4002);
    const two = form('one');
    two.append('file', new Blob(['two']), 'two');
    expect((await send(ada.client, two)).code).toBe(4000);
    expect(stored()).toEqual([]);
    const fields = new FormData();
    fields.set('comment', 'ignored');
    fields.set('file', new Blob(['x']), 'x.txt');
    expect((await send(ada.client, fields)).data[0].name).toBe('x.txt');
  });

  it.each(['file', 'field'])('with thousands of parts, each a %s', async (kind) => {
    await useShared();
    const ada = await signUp(server, 'Ada');
    const raw = new FormData();
    for (let at = 0; at < 5000; at++)
      if (kind === 'file') raw.append('file', new Blob(['x']), 'x');
      else raw.append('comment', 'x');
    const { status, body } = await send(ada.client, raw);
    expect([status, body.errors]).toEqual([
      400,
      [{ code: 4000, message: 'Send one file, in the field `file`, and at most 20 other fields' }],
    ]);
    expect(stored()).toEqual([]);
  });

  it.each([
    ['without a boundary', 'multipart/form-data', 'x'],
    [
      'that breaks off in its head',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="file"',
    ],
    [
      'that breaks off in its content',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\nhalf',
    ],
    ['that is no multipart', 'multipart/form-data; boundary=b', '{}'],
    ['that is empty', 'multipart/form-data; boundary=b', ''],
  ])('with a body %s', async (_, type, raw) => {
    await useShared();
    const ada = await signUp(server, 'Ada');
    const answer = await ada.client.ask('POST', '/v1/attachments', {
      raw,
      headers: { 'Content-Type': type },
    });
    expect([4000, 4002]).toContain(answer.code);
    expect(stored()).toEqual([]);
    expect((await send(ada.client, form('fine'))).status).toBe(200);
  });

  it('when it is larger than the limit, and only then', async () => {
    server = await startTestServer({ MAX_UPLOAD_BYTES: '2000' });
    const ada = await signUp(server, 'Ada');
    expect((await send(ada.client, form('x'.repeat(2000)))).data[0].size).toBe(2000);
    const message = 'At most 2000 bytes are accepted here (MAX_UPLOAD_BYTES)';
    for (const size of [2001, 200_000]) {
      const refused = await send(ada.client, form('x'.repeat(size)));
      expect(refused.body.errors).toEqual([{ code: 4130, message }]);
    }
    expect(stored()).toHaveLength(1);
    expect(await sql('SELECT id FROM attachments')).toHaveLength(1);
  });
});

describe('a quota', () => {
  it('limits each user; what is cleared away makes room', async () => {
    server = await startTestServer({ UPLOAD_QUOTA_BYTES: '1000' }, { housekeepingMs: 100 });
    const ada = await signUp(server, 'Ada');
    const bob = await signUp(server, 'Bob');
    await upload(ada.client, 'x'.repeat(600));
    const refused = await send(ada.client, form('x'.repeat(401)));
    expect([refused.code, refused.body.errors[0].reason, stored().length]).toEqual([4030, 'upload_quota', 1]);
    await upload(ada.client, 'x'.repeat(400));
    await upload(bob.client, 'x'.repeat(1000));
    server.clock.advance(86_500);
    await untilHolds(() => expect(stored()).toEqual([]));
    await untilHolds(async () => expect((await send(ada.client, form('x'.repeat(1000)))).status).toBe(200));
  });

  it('is not exceeded by several uploads at once', async () => {
    server = await startTestServer({ UPLOAD_QUOTA_BYTES: '1000' });
    const ada = await signUp(server, 'Ada');
    const uploads = Array.from({ length: 6 }, () => send(ada.client, form('x'.repeat(600))));
    const statuses = (await Promise.all(uploads)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  });
});

/** Speaks multipart by hand: a body that need not end. */
class SlowUpload {
  readonly #request;
  readonly answer: Promise<{ status: number; body: { errors?: { code: number }[] } }>;

  constructor(cookie: string) {
    this.#request = httpRequest(`${server.url}/v1/attachments`, {
      method: 'POST',
      headers: { Cookie: cookie, Origin: server.url, 'Content-Type': 'multipart/form-data; boundary=b' },
    });
    this.answer = new Promise<IncomingMessage>((resolve, reject) => {
      this.#request.on('response', resolve).on('error', reject);
    }).then(async (response) => ({
      status: Number(response.statusCode),
      body: JSON.parse(await text(response)),
    }));
    this.answer.catch(() => undefined);
    this.#request.write('--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n');
  }

  write(bytes: Buffer): Promise<void> {
    return new Promise((resolve) => this.#request.write(bytes, () => resolve()));
  }

  end(bytes: Buffer): void {
    this.#request.end(Buffer.concat([bytes, Buffer.from('\r\n--b--\r\n')]));
  }

  breakOff(): void {
    this.#request.destroy();
  }
}

async function cookieOf(person: Person): Promise<string> {
  const answer = await person.client.copy().post('/v1/sessions', {
    email: person.email,
    password: 'a password of length',
  });
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

describe('an upload that goes on', () => {
  it('without end is refused while it comes, and nothing of it remains', async () => {
    server = await startTestServer({ MAX_UPLOAD_BYTES: '1000000' });
    const slow = new SlowUpload(await cookieOf(await signUp(server, 'Ada')));
    let answered = false;
    slow.answer.then(() => {
      answered = true;
    });
    const piece = Buffer.alloc(65_536);
    let sent = 0;
    for (; !answered && sent < 200_000_000; sent += piece.length) await slow.write(piece);
    expect((await slow.answer).body.errors?.[0]?.code).toBe(4130);
    expect(sent).toBeLessThan(200_000_000);
    await untilHolds(() => expect(stored()).toEqual([]));
    slow.breakOff();
  });

  it('and is broken off leaves nothing', async () => {
    server = await startTestServer();
    const slow = new SlowUpload(await cookieOf(await signUp(server, 'Ada')));
    await slow.write(Buffer.alloc(500_000));
    await untilHolds(() => expect(stored()).toHaveLength(1));
    slow.breakOff();
    await untilHolds(() => expect(stored()).toEqual([]));
    expect(await sql('SELECT id FROM attachments')).toEqual([]);
  });
});

describe('what an upload is', () => {
  const pdf = '%PDF-1.7\n1 0 obj\n<<>>\nendobj\n';
  const kinds: [string, string | Buffer, string, string, string][] = [
    ['a page', '<!DOCTYPE html><script>alert(1)</script>', 'image/png', 'text/html', 'attachment'],
    [
      'a page behind white space',
      '\n\t <html><body onload=alert(1)>',
      'text/plain',
      'text/html',
      'attachment',
    ],
    [
      'an SVG',
      '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
      'image/svg+xml',
      'image/svg+xml',
      'attachment',
    ],
    [
      'an SVG in XML',
      '<?xml version="1.0"?>\n<svg onload="alert(1)"/>',
      'image/png',
      'image/svg+xml',
      'attachment',
    ],
    ['XML', '<?xml version="1.0"?><a/>', 'text/plain', 'application/xml', 'attachment'],
    ['a page after a byte order mark', '\ufeff<html>', 'text/plain', 'text/html', 'attachment'],
    ['a PDF', pdf, 'text/plain', 'application/pdf', 'attachment'],
    ['a program', Buffer.from('7f454c4602010100', 'hex'), 'image/png', 'application/x-elf', 'attachment'],
    ['anything', Buffer.from([0, 1, 2, 3, 255]), 'image/png', 'application/octet-stream', 'attachment'],
    ['a script', 'alert(1)', 'text/javascript', 'text/plain', 'inline'],
    ['text', 'ä€😀 plain', 'text/html', 'text/plain', 'inline'],
    ['text cut within a character', '😀'.repeat(2000), 'text/html', 'text/plain', 'inline'],
    ['a GIF', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1'), 'text/html', 'image/gif', 'inline'],
    [
      'MP3',
      Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0'), Buffer.from('fffb9064', 'hex'), Buffer.alloc(500)]),
      '',
      'audio/mpeg',
      'inline',
    ],
    [
      'WebM',
      Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104', 'hex'),
      '',
      'video/webm',
      'inline',
    ],
  ];

  it.each(kinds)('%s: by its content', async (_, content, said, type, disposition) => {
    await useShared();
    const ada = await signUp(server, 'Ada');
    const file = await upload(ada.client, content, 'name.html', said);
    expect(file.type).toBe(type);
    const { headers } = await ada.client.get(`/v1/attachments/${file.id}`);
    const served = disposition === 'attachment' ? 'application/octet-stream' : type;
    expect(headers.get('content-type')?.split(';')[0]).toBe(served);
    expect(headers.get('content-disposition')).toBe(`${disposition}; filename=name.html`);
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('names', () => {
  it.each([
    ['../../etc/passwd', /^[^/\\]*passwd$/],
    ['..\\..\\windows\\system.ini', /^[^/\\]*system\.ini$/],
    ['..', /^file$/],
    ['   ', /^file$/],
    ['photo\u202Egpj.exe', /^photogpj\.exe$/],
    ['a\u0000b\u0007c\u2028d.txt', /^abcd\.txt$/],
    [`${'x'.repeat(500)}.jpeg`, /^x{250}\.jpeg$/],
    ['Grüße €.txt', /^Grüße €\.txt$/],
    ['say "hi"; x.txt', /^say "hi"; x\.txt$/],
    ['שלום.pdf', /^שלום\.pdf$/],
  ])('%j', async (given, expected) => {
    await useShared();
    const ada = await signUp(server, 'Ada');
    // By hand, since FormData escapes what it can.
    const head = `--b\r\nContent-Disposition: form-data; name="file"; filename="${given.replaceAll(/["\\]/g, '\\$&')}"`;
    const raw = Buffer.from(`${head}\r\n\r\nx\r\n--b--\r\n`);
    const answer = await ada.client.ask('POST', '/v1/attachments', {
      raw,
      headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
    });
    expect(answer.data[0].name).toMatch(expected);
    const bytes = await ada.client.get(`/v1/attachments/${answer.data[0].id}`);
    expect(bytes.status).toBe(200);
    const disposition = bytes.headers.get('content-disposition') ?? '';
    const extended = /filename\*=UTF-8''(\S+)/.exec(disposition)?.[1];
    if (extended !== undefined) expect(decodeURIComponent(extended)).toBe(answer.data[0].name);
    else expect(disposition).toContain('filename=');
  });
});

describe('pictures', () => {
  const turned = () =>
    picture(300, 100)
      .jpeg()
      .withMetadata({ orientation: 6, exif: { IFD3: { GPSLatitude: '52/1 30/1 0/1' } } })
      .toBuffer();

  it('are shown upright, small, and without the place where they were taken', async () => {
    await useShared();
    const ada = await signUp(server, 'Ada');
    const content = await turned();
    expect((await sharp(content).metadata()).exif).toBeDefined();
    const file = await upload(ada.client, content, 'p.jpg');
    expect(file).toMatchObject({ type: 'image/jpeg', width: 100, height: 300 });
    const answer = await fetch(file.thumbnail_url.replace('localhost', '127.0.0.1'), {
      headers: { Cookie: await cookieOf(ada) },
    });
    const small = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
    expect([small.format, small.width, small.height, small.exif, small.xmp]).toEqual([
      'webp',
      100,
      300,
      undefined,
      undefined,
    ]);
  });

  it.each([
    ['a broken one', async () => (await picture(400, 400).png().toBuffer()).subarray(0, 200), 'image/png'],
    ['one that would fill the memory', () => bomb(30_000), 'image/png'],
  ])('%s is a file without a small picture', async (_, make, type) => {
    await useShared();
    const ada = await signUp(server, 'Ada');
    const file = await upload(ada.client, await make(), 'p.png');
    expect(file).toMatchObject({ type, width: null, height: null, thumbnail_url: null });
    expect(await statusOf(ada, file.id)).toBe(200);
  });

  it('of the largest size are at most 480 pixels', async () => {
    await useShared();
    const ada = await signUp(server, 'Ada');
    const { id } = await upload(ada.client, await picture(2000, 1000).webp().toBuffer());
    const answer = await fetch(`${server.url}/v1/attachments/${id}/thumbnail`, {
      headers: { Cookie: await cookieOf(ada) },
    });
    const { width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
    expect([width, height]).toEqual([480, 240]);
  });
});

/** A small PNG that says it is `edge` pixels wide and high. */
async function bomb(edge: number): Promise<Buffer> {
  const { deflateSync, crc32 } = await import('node:zlib');
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const around = Buffer.alloc(8);
    around.writeUInt32BE(data.length, 0);
    around.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([around.subarray(0, 4), body, around.subarray(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(edge, 0);
  head.writeUInt32BE(edge, 4);
  head.set([1, 0], 8);
  const rows = deflateSync(Buffer.alloc((edge / 8 + 1) * edge));
  const magic = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([magic, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

describe('a message', () => {
  it('holds files, beside links, in the order they were given', async () => {
    await useShared();
    const ada = await signUp(server, 'Ada');
    const bob = await signUp(server, 'Bob');
    const team = await makeTeam(ada, [bob]);
    const note = await upload(ada.client, 'hello', 'note.txt');
    const image = await upload(ada.client, await picture(20, 10).png().toBuffer(), 'p.png');
    const links = [{ url: 'https://example.org/', title: 'E' }];
    const answer = await post(ada, team, [image.id.toUpperCase(), note.id, image.id], {
      attachments: { files: [image.id.toUpperCase(), note.id, image.id], links },
    });
    const expected = [
      {
        type: 'file',
        id: image.id,
        name: 'p.png',
        content_type: 'image/png',
        size: image.size,
        url: image.url,
        thumbnail_url: image.thumbnail_url,
        width: 20,
        height: 10,
      },
      {
        type: 'file',
        id: note.id,
        name: 'note.txt',
        content_type: 'text/plain',
        size: 5,
        url: note.url,
        thumbnail_url: null,
        width: null,
        height: null,
      },
      { type: 'link', url: 'https://example.org/', title: 'E' },
    ];
    expect(answer.data[0].attachments).toEqual(expected);
    expect((await bob.client.get('/v1/messages')).data[0].attachments).toEqual(expected);
    expect((await bob.client.get(`/v1/attachments/${note.id}`)).text).toBe('hello');
    expect((await bob.client.get(`/v1/attachments/${image.id}/thumbnail`)).status).toBe(200);
  });

  it('may hold what another one holds, and may consist of a file', async () => {
    await useShared();
    const ada = await signUp(server, 'Ada');
    const team = await makeTeam(ada);
    const { id } = await upload(ada.client, 'hello');
    const first = await post(ada, team, [id]);
    const second = await post(ada, team, [id]);
    expect([first.status, second.data[0].attachments[0].id]).toEqual([200, id]);
  });

  it('moves with the server: addresses are those of today', async () => {
    server = await startTestServer();
    const ada = await signUp(server, 'Ada');
    const team = await makeTeam(ada);
    const { id } = await upload(ada.client, 'hello');
    await post(ada, team, [id]);
    const [row] = await sql('SELECT attachments_json FROM messages');
    expect(row?.attachments_json).not.toContain('http');
  });

  it('takes nobody’s files but the author’s', async () => {
    await useShared();
    const ada = await signUp(server, 'Ada');
    const bob = await signUp(server, 'Bob');
    const team = await makeTeam(ada, [bob]);
    const mine = await upload(ada.client, 'mine');
    const his = await upload(bob.client, 'his');
    await post(bob, team, [his.id]);
    const refused = async (files: unknown) => {
      const answer = await post(ada, team, files as unknown[]);
      return [answer.code, answer.body.errors[0].reason];
    };
    expect(await refused([mine.id, his.id])).toEqual([4002, 'attachments.files.1']);
    expect(await refused([mine.id, crypto.randomUUID()])).toEqual([4002, 'attachments.files.1']);
    expect(await refused(['no id'])).toEqual([4002, 'attachments.files.0']);
    expect(await refused([mine.id, 7])).toEqual([4002, 'attachments.files.1']);
    expect(await refused([null])).toEqual([4002, 'attachments.files.0']);
    expect(await refused(mine.id)).toEqual([4002, 'attachments.files']);
    expect(await refused(Array(21).fill(mine.id))).toEqual([4002, 'attachments']);
    expect(await sql('SELECT num_messages FROM attachments WHERE id = ?', mine.id)).toEqual([
      { num_messages: 0 },
    ]);
    expect((await post(ada, team, [], { text: 'none' })).data[0].attachments).toEqual([]);
    expect((await post(ada, team, [])).code).toBe(4004);
  });

  it('does not let anything else pose as a file', async () => {
    await useShared();
    const ada = await signUp(server, 'Ada');
    const team = await makeTeam(ada);
    const posing = { type: 'file', id: crypto.randomUUID(), url: 'https://elsewhere.example/' };
    for (const attachments of [posing, [posing], [{ kind: 'poll' }, posing]]) {
      const answer = await ada.client.post('/v1/messages', { addressed_teams: [team], attachments });
      expect([answer.code, answer.body.errors[0].reason]).toEqual([
        4002,
        expect.stringMatching(/^attachments\.\d\.type$/),
      ]);
    }
  });

  it('that is refused takes no file', async () => {
    server = await startTestServer();
    const ada = await signUp(server, 'Ada');
    const { id } = await upload(ada.client, 'hello');
    expect((await post(ada, crypto.randomUUID(), [id])).code).toBe(4008);
    expect(await sql('SELECT num_messages FROM attachments')).toEqual([{ num_messages: 0 }]);
  });

  it('of many at once each hold their files', async () => {
    server = await startTestServer();
    const ada = await signUp(server, 'Ada');
    const team = await makeTeam(ada);
    const ids = [(await upload(ada.client, 'one')).id, (await upload(ada.client, 'two')).id];
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => post(ada, team, index % 2 ? ids : [...ids].reverse())),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200));
    expect(await sql('SELECT num_messages FROM attachments')).toEqual(Array(2).fill({ num_messages: 10 }));
  });
});

describe('who may open a file', () => {
  it('its uploader, and everybody who sees a message that holds it; nobody else', async () => {
    server = await startTestServer();
    const [ada, bob, eve, leaver] = (await Promise.all(
      ['Ada', 'Bob', 'Eve', 'Leo'].map((name) => signUp(server, name)),
    )) as [Person, Person, Person, Person];
    const team = await makeTeam(ada, [bob, leaver]);
    const { id } = await upload(ada.client, await picture(9, 9).png().toBuffer());
    expect([await statusOf(ada, id), await statusOf(bob, id)]).toEqual([200, 404]);
    await post(ada, team, [id]);
    expect([await statusOf(bob, id), await statusOf(leaver, id), await statusOf(eve, id)]).toEqual([
      200, 200, 404,
    ]);
    expect((await eve.client.get(`/v1/attachments/${id}`)).code).toBe(4040);
    expect((await eve.client.get(`/v1/attachments/${id}/thumbnail`)).code).toBe(4040);
    expect((await server.anonymous().get(`/v1/attachments/${id}`)).code).toBe(4010);
    await ada.client.delete(`/v1/teams/${team}/users/${leaver.id}`);
    expect(await statusOf(leaver, id)).toBe(404);
    const etag = { headers: { 'If-None-Match': `"${id}"` } };
    expect((await leaver.client.get(`/v1/attachments/${id}`, etag)).status).toBe(404);
    await sql('UPDATE users SET active = 0 WHERE id = ?', bob.id);
    expect((await bob.client.get(`/v1/attachments/${id}`)).code).toBe(4010);
    for (const unknown of [crypto.randomUUID(), 'x', '..%2f..']) {
      expect((await ada.client.get(`/v1/attachments/${unknown}`)).code).toBe(4040);
    }
  });

  it('the addressee of a direct message', async () => {
    await useShared();
    const ada = await signUp(server, 'Ada');
    const bob = await signUp(server, 'Bob');
    const carl = await signUp(server, 'Carl');
    await makeTeam(ada, [bob, carl]);
    const { id } = await upload(ada.client, 'secret');
    await ada.client.post('/v1/messages', { addressed_users: [bob.id], attachments: { files: [id] } });
    expect([await statusOf(bob, id), await statusOf(carl, id)]).toEqual([200, 404]);
  });

  it('a token with the scope; and one to write uploads', async () => {
    server = await startTestServer({ ALLOW_LOOPBACK_APPS: 'yes' });
    const host = await new ApplicationHost().start();
    const ada = await signUp(server, 'Ada');
    const team = await makeTeam(ada);
    const tokenOf = async (scopes: string[]) => {
      const application = await register(ada, host, { scopes });
      await install(ada, team, application);
      return server.anonymous().withToken((await authorize(ada, team, application)).access_token);
    };
    const reader = await tokenOf(['messages:read']);
    const writer = await tokenOf(['messages:write']);
    const { id } = (await send(writer, form('by an application'))).data[0];
    expect((await send(reader, form('x'))).code).toBe(4031);
    expect((await writer.get(`/v1/attachments/${id}`)).code).toBe(4031);
    expect((await reader.get(`/v1/attachments/${id}`)).code).toBe(4040);
    const posted = await writer.post('/v1/messages', {
      addressed_teams: [team],
      attachments: { files: [id] },
    });
    expect(posted.data[0].attachments[0].id).toBe(id);
    expect((await reader.get(`/v1/attachments/${id}`)).text).toBe('by an application');
    await host.stop();
  });

  it('no other site, with the browser’s cookie', async () => {
    await useShared();
    const ada = await signUp(server, 'Ada');
    expect((await send(ada.client, form('x'), { 'Sec-Fetch-Site': 'cross-site' })).code).toBe(4030);
  });
});

describe('requests', () => {
  it('HEAD tells without the bytes, If-None-Match saves them', async () => {
    await useShared();
    const ada = await signUp(server, 'Ada');
    const { id } = await upload(ada.client, '0123456789');
    const head = await ada.client.ask('HEAD', `/v1/attachments/${id}`, {});
    expect([head.status, head.headers.get('content-length'), head.text]).toEqual([200, '10', '']);
    const etag = head.headers.get('etag') ?? '';
    const again = (known: string) =>
      ada.client.get(`/v1/attachments/${id}`, { headers: { 'If-None-Match': known } });
    expect([(await again(etag)).status, (await again(`"x", W/${etag}`)).status]).toEqual([304, 304]);
    expect((await again('"x"')).status).toBe(200);
  });

  it('with the same Idempotency-Key are one upload', async () => {
    server = await startTestServer({}, { housekeepingMs: 100 });
    const ada = await signUp(server, 'Ada');
    const key = { 'Idempotency-Key': 'one' };
    const answers = await Promise.all([1, 2, 3].map(() => send(ada.client, form('same'), key)));
    expect(new Set(answers.map((answer) => answer.data[0].id)).size).toBe(1);
    expect((await send(ada.client, form('same'), key)).data).toEqual(answers[0]?.data);
    expect((await send(ada.client, form('other'), key)).code).toBe(4090);
    expect((await send(ada.client, form('same', 'other.txt'), key)).code).toBe(4090);
    await untilHolds(() => expect(stored()).toHaveLength(1));
    expect((await ada.client.get(`/v1/attachments/${answers[0]?.data[0].id}`)).text).toBe('same');
  });
});

/** The service on the test server's own database and folder, for what no request can do. */
function serviceOf({ orphanSeconds = 86_400, files = new FolderStore(filesFolder(server)) } = {}) {
  return attachmentService({
    db: server.running.db,
    clock: server.clock.now,
    files,
    spool: new Spool(join(filesFolder(server), 'incoming')),
    present: attachmentPresenter(() => ''),
    canSee: async () => false,
    pictures: { make: async () => 'type' },
    userQuota: 0,
    orphanLifetimeMs: orphanSeconds * 1000,
  });
}

describe('clearing away', () => {
  it('takes what no message holds, after a day', async () => {
    server = await startTestServer({}, { housekeepingMs: 100 });
    const ada = await signUp(server, 'Ada');
    const team = await makeTeam(ada);
    const orphan = await upload(ada.client, await picture(9, 9).png().toBuffer());
    const held = await upload(ada.client, 'held');
    await post(ada, team, [held.id]);
    expect(stored()).toHaveLength(3);
    server.clock.advance(86_300);
    await serviceOf().sweep(new AbortController().signal);
    expect(await statusOf(ada, orphan.id)).toBe(200);
    server.clock.advance(200);
    await untilHolds(() => expect(stored()).toHaveLength(1));
    expect([await statusOf(ada, orphan.id), await statusOf(ada, held.id)]).toEqual([404, 200]);
    await untilHolds(async () => expect(await sql('SELECT id FROM attachments')).toHaveLength(1));
  });

  it('takes a file with the last message that holds it (claim: deleted-is-gone)', async () => {
    server = await startTestServer();
    const ada = await signUp(server, 'Ada');
    const bob = await signUp(server, 'Bob');
    const team = await makeTeam(ada, [bob]);
    const { id } = await upload(ada.client, 'held twice');
    const messages = [await post(ada, team, [id]), await post(ada, team, [id])].map(({ data }) => data[0].id);
    const service = serviceOf();
    const detach = (message: string) => server.running.db.write((tx) => service.detach(tx, [message]));
    server.clock.advance(100_000);
    await detach(messages[0]);
    await detach(messages[0]);
    await service.sweep(new AbortController().signal);
    expect(await statusOf(bob, id)).toBe(200);
    await ada.client.delete(`/v1/messages/${messages[1]}`);
    expect([await statusOf(bob, id), await statusOf(ada, id)]).toEqual([404, 404]);
    await service.sweep(new AbortController().signal);
    expect(stored()).toEqual([]);
    expect((await post(ada, team, [id])).code).toBe(4002);
  });

  it('a setting tells how long', async () => {
    server = await startTestServer({ ORPHAN_LIFETIME: '60' }, { housekeepingMs: 100 });
    const ada = await signUp(server, 'Ada');
    await upload(ada.client, 'short');
    server.clock.advance(61);
    await untilHolds(() => expect(stored()).toEqual([]));
  });

  it('goes on where a crash stopped it: bytes without a shown row, and a row without bytes', async () => {
    server = await startTestServer();
    const ada = await signUp(server, 'Ada');
    const [half, gone, sound] = [
      await upload(ada.client, 'half'),
      await upload(ada.client, 'gone'),
      await upload(ada.client, 'sound'),
    ];
    // Killed after the bytes were stored, before they were shown.
    await sql("UPDATE attachments SET status = 'arriving' WHERE id = ?", half.id);
    // Killed after the bytes were deleted, before the row was.
    const [row] = await sql('SELECT file FROM attachments WHERE id = ?', gone.id);
    await sql("UPDATE attachments SET status = 'removed' WHERE id = ?", gone.id);
    rmSync(join(filesFolder(server), String(row?.file)));
    // Killed while it arrived.
    const left = join(filesFolder(server), 'incoming', 'left');
    writeFileSync(left, 'half');
    expect([await statusOf(ada, half.id), await statusOf(ada, gone.id)]).toEqual([404, 404]);
    await serviceOf({ orphanSeconds: 1_000_000 }).sweep(new AbortController().signal);
    expect([stored().length, existsSync(left)]).toEqual([3, true]);
    server.clock.advance(3 * 3600);
    const longAgo = Date.now() / 1000 - 3 * 3600;
    utimesSync(left, longAgo, longAgo);
    await serviceOf({ orphanSeconds: 1_000_000 }).sweep(new AbortController().signal);
    expect([stored().length, existsSync(left)]).toEqual([1, false]);
    expect(await sql('SELECT id FROM attachments')).toEqual([{ id: sound.id }]);
  });

  describe('leaves an upload alone that is under way, also when the clock jumps', () => {
    it('while its body arrives', async () => {
      server = await startTestServer({}, { housekeepingMs: 20 });
      const ada = await signUp(server, 'Ada');
      const slow = new SlowUpload(await cookieOf(ada));
      await slow.write(Buffer.from('half, '));
      const incoming = join(filesFolder(server), 'incoming');
      await untilHolds(() => expect(readdirSync(incoming)).toHaveLength(1));
      const [own] = readdirSync(incoming);
      server.clock.advance(3 * 3600);
      // Leftovers of a crash are gone after a round of housekeeping.
      const left = join(incoming, 'left');
      writeFileSync(left, 'half');
      utimesSync(left, 1000, 1000);
      await untilHolds(() => expect(readdirSync(incoming)).toEqual([own]));
      slow.end(Buffer.from('whole'));
      expect(await slow.answer).toMatchObject({ status: 200, body: { data: [{ size: 11 }] } });
    });

    it('while its bytes are stored', async () => {
      server = await startTestServer();
      const ada = await signUp(server, 'Ada');
      const gate = Promise.withResolvers<void>();
      class Slow extends FolderStore {
        override async put(name: string, file: SpooledFile): Promise<void> {
          await gate.promise;
          await super.put(name, file);
        }
      }
      const service = serviceOf({ files: new Slow(filesFolder(server)) });
      const file = await new Spool(join(filesFolder(server), 'incoming')).receive(Readable.from(['content']));
      const principal = { userId: ada.id } as UserPrincipal;
      const kept = service.keep(principal, { file, name: 'a.txt' }, (_, work) =>
        server.running.db.write(work),
      );
      await untilHolds(async () => expect(await sql('SELECT id FROM attachments')).toHaveLength(1));
      server.clock.advance(3 * 3600);
      await service.sweep(new AbortController().signal);
      gate.resolve();
      expect(await kept).toMatchObject([{ name: 'a.txt', size: 7 }]);
    });
  });

  it('a file that an incomplete backup lacks is not found, and no fault', async () => {
    server = await startTestServer();
    const ada = await signUp(server, 'Ada');
    const { id } = await upload(ada.client, 'lost');
    rmSync(filesFolder(server), { recursive: true });
    expect(await statusOf(ada, id)).toBe(404);
    const again = await upload(ada.client, 'lost');
    expect(await statusOf(ada, again.id)).toBe(200);
  });
});

it('what is stored tells nothing by its name', async () => {
  server = await startTestServer();
  const ada = await signUp(server, 'Ada');
  const { id } = await upload(ada.client, 'hello', 'secret-plan.txt');
  const [path = ''] = stored();
  expect(path).not.toContain('secret-plan');
  expect(path).not.toContain(id);
  expect(path).not.toContain(createHash('sha256').update('hello').digest('hex').slice(0, 16));
});
