import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodersOf, isLinux, isThere, peakOf, ticksOf } from '../support/decoders.ts';
import { type Program, startPlatform } from '../support/process.ts';
import { until } from '../support/until.ts';

const PORTRAIT = '/v1/users/me/image';
const UPLOAD = '/v1/attachments';

let folder: string;
let platform: Program;
let ada: string;
let bob: string;

async function start(): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'parley-pictures-'));
  platform = await startPlatform({ PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'error' });
  [ada, bob] = [await signUp('ada'), await signUp('bob')];
}

async function end(): Promise<void> {
  await platform.end('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

const address = () => platform.found.replace('localhost', '127.0.0.1');

/** @returns the session's cookie */
async function signUp(name: string): Promise<string> {
  const email = `${name}@example.org`;
  const answer = await fetch(`${address()}/v1/users`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password: 'a password of length', first_name: name, last_name: '' }),
  });
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

async function send(cookie: string, path: string, bytes: Uint8Array) {
  const body = new FormData();
  body.set('file', new Blob([new Uint8Array(bytes)]), 'picture');
  const answer = await fetch(address() + path, {
    method: path === UPLOAD ? 'POST' : 'PUT',
    headers: { Cookie: cookie, Origin: address() },
    body,
  });
  const { data, errors } = (await answer.json()) as {
    data?: Record<string, unknown>[];
    errors?: { code: number; message: string; field?: string; reason?: string }[];
  };
  return { status: answer.status, data, code: errors?.[0]?.code, error: errors?.[0] };
}

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#b02a10' } });
const noisy = (width: number, height: number) => {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  return sharp({ create: { width, height, channels: 3, background: 'red', noise } });
};

/** Takes a second or more to decode: its lines come in several passes. */
let slow: Promise<Buffer> | undefined;
const slowOne = () => (slow ??= noisy(5000, 4000).jpeg({ progressive: true, quality: 30 }).toBuffer());

/** Claims other sides in the header of a PNG. */
function claiming(png: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(png);
  changed.writeUInt32BE(width, 16);
  changed.writeUInt32BE(height, 20);
  changed.writeUInt32BE(crc32(changed.subarray(12, 29)), 29);
  return changed;
}

/** Claims other sides in the header of a JPEG. */
function claimingJpeg(jpeg: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(jpeg);
  const frame = changed.findIndex((byte, at) => byte === 0xff && [0xc0, 0xc2].includes(changed[at + 1] ?? 0));
  changed.writeUInt16BE(height, frame + 5);
  changed.writeUInt16BE(width, frame + 7);
  return changed;
}

/** Claims other sides in the box of an AVIF that tells them; the coded picture keeps its own. */
function claimingAvif(avif: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(avif);
  const box = changed.indexOf('ispe');
  changed.writeUInt32BE(width, box + 8);
  changed.writeUInt32BE(height, box + 12);
  return changed;
}

function frames(count: number, edge: number) {
  const pixels = Buffer.alloc(edge * edge * count * 3, 0);
  for (let frame = 0; frame < count; frame++) pixels.fill(frame % 251, frame * edge * edge * 3);
  const raw = { width: edge, height: edge * count, channels: 3, pageHeight: edge } as const;
  return sharp(pixels, { raw, limitInputPixels: false });
}

const svg = (bytes: number) => {
  const rectangle = '<rect width="1" height="1"/>';
  const many = rectangle.repeat(Math.ceil(bytes / rectangle.length));
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${many}</svg>`);
};
const interlaced = () => plain(4200, 4200).toColourspace('rgb16').png({ progressive: true }).toBuffer();

const FORMATS = 'must be a PNG, JPEG, WebP or GIF picture';

describe('pictures', () => {
  beforeAll(start);
  afterAll(end);

  const BROKEN = 'cannot be read as a picture';
  const PIXELS = 'has too many pixels; make it smaller';

  it('of people and webhooks have at most 5 MiB, whatever their kind', async () => {
    const message = 'At most 5242880 bytes are accepted here';
    for (const size of [5_242_881, 25_000_000])
      expect((await send(ada, PORTRAIT, svg(size))).error).toEqual({ code: 4130, message });
  });

  /** The outcome as a portrait, and whether an upload gets a small picture. */
  const hostile: [string, () => Buffer | Promise<Buffer>, string | undefined, boolean][] = [
    ['PNG of 16 bits that comes in passes', interlaced, PIXELS, false],
    [
      'AVIF of few bytes and many pixels',
      () => plain(4200, 4000).avif({ effort: 0 }).toBuffer(),
      FORMATS,
      false,
    ],
    [
      'AVIF whose header lies',
      async () => claimingAvif(await plain(4200, 4000).avif({ effort: 0 }).toBuffer(), 16, 16),
      FORMATS,
      false,
    ],
    ['GIF of 3,000 frames', () => frames(3000, 40).gif().toBuffer(), undefined, true],
    ['WebP of 1,000 frames', () => frames(1000, 40).webp({ effort: 0 }).toBuffer(), undefined, true],
    [
      'PNG whose header lies',
      async () => claiming(await plain(9, 9).png().toBuffer(), 60_000, 60_000),
      PIXELS,
      false,
    ],
    [
      'PNG that has less than it says',
      async () => claiming(await plain(9, 9).png().toBuffer(), 5000, 5000),
      BROKEN,
      false,
    ],
    [
      'JPEG that has less than it says',
      async () => claimingJpeg(await plain(9, 9).jpeg().toBuffer(), 65_000, 65_000),
      PIXELS,
      false,
    ],
    [
      'PNG that breaks off',
      async () => (await noisy(300, 300).png().toBuffer()).subarray(0, 20_000),
      BROKEN,
      false,
    ],
    [
      'JPEG that breaks off',
      async () => (await noisy(300, 300).jpeg().toBuffer()).subarray(0, 9000),
      BROKEN,
      false,
    ],
    [
      'SVG behind the first bytes of a PNG',
      () => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), svg(100_000)]),
      FORMATS,
      false,
    ],
    [
      'SVG behind the first bytes of a GIF',
      () => Buffer.concat([Buffer.from('GIF89a'), svg(100_000)]),
      BROKEN,
      false,
    ],
  ];
  it.each(hostile)(
    'a hostile one costs little memory, and no other picture: %s (claim: hostile-pictures)',
    async (_name, make, message, small) => {
      const bytes = await make();
      const portrait = await send(ada, PORTRAIT, bytes);
      if (message === undefined) expect(portrait.status).toBe(200);
      else expect(portrait.error).toMatchObject({ code: 4002, message });
      const upload = await send(ada, UPLOAD, bytes);
      expect(upload.status).toBe(200);
      expect(upload.data?.[0]?.width !== null).toBe(small);
      expect((await send(bob, PORTRAIT, await plain(64, 64).png().toBuffer())).status).toBe(200);
      if (isLinux) {
        for (const pid of decodersOf(platform.child.pid)) expect(peakOf(pid)).toBeLessThan(600);
        expect(peakOf(platform.child.pid)).toBeLessThan(450);
      }
    },
  );

  it('another file behind a picture is not in what is made of it', async () => {
    const both = Buffer.concat([
      await plain(64, 64).jpeg().toBuffer(),
      Buffer.from('PK\x03\x04 secret'),
      svg(99),
    ]);
    const { data } = await send(ada, PORTRAIT, both);
    const { original } = (data?.[0]?.image ?? {}) as { original: string };
    const shown = Buffer.from(await (await fetch(original.replace('localhost', '127.0.0.1'))).arrayBuffer());
    expect((await sharp(shown).metadata()).format).toBe('webp');
    expect(shown.includes('secret')).toBe(false);
  });

  it('of one person wait for their turn, up to a bound, and hold up nobody else’s (claim: pictures-take-turns)', async () => {
    const photo = await noisy(1600, 1200).jpeg({ quality: 40 }).toBuffer();
    const answers: ('refused' | 'ada' | 'bob')[] = [];
    const refused = Promise.withResolvers<void>();
    const many = Array.from({ length: 60 }, async () => {
      const { status, error } = await send(ada, PORTRAIT, photo);
      if (status !== 200) {
        expect([status, error]).toEqual([429, expect.objectContaining({ code: 4290, reason: 'pictures' })]);
        refused.resolve();
      }
      answers.push(status === 200 ? 'ada' : 'refused');
    });
    await refused.promise;
    const before = answers.filter((who) => who === 'ada').length;
    expect((await send(bob, PORTRAIT, await plain(64, 64).png().toBuffer())).status).toBe(200);
    answers.push('bob');
    await Promise.all(many);
    const made = answers.filter((who) => who !== 'refused');
    expect(made.length).toBeGreaterThan(30);
    // The one that was being decoded, and those that were answered while Bob's was on its way.
    expect(made.indexOf('bob') - before).toBeLessThan(10);
  });
});

describe.runIf(isLinux)('a decoder', () => {
  it('is not started for files of other kinds, which are refused, or kept as files', async () => {
    await start();
    try {
      const others = [svg(1_000_000), Buffer.from('%PDF-1.7'), Buffer.from('II*\0')];
      for (const bytes of others)
        expect((await send(ada, PORTRAIT, bytes)).error).toMatchObject({ code: 4002, message: FORMATS });
      const kept = await send(ada, UPLOAD, svg(20_000_000));
      expect(kept.data).toEqual([expect.objectContaining({ type: 'image/svg+xml', width: null })]);
      expect(decodersOf(platform.child.pid)).toEqual([]);
    } finally {
      await end();
    }
  });

  const decoder = () => decodersOf(platform.child.pid)[0];

  /** Sends a picture. @returns its answer, and the process that decodes it at this moment */
  async function decoding() {
    const bytes = await slowOne();
    expect((await send(ada, PORTRAIT, await plain(64, 64).png().toBuffer())).status).toBe(200);
    const pid = decoder() ?? 0;
    const before = ticksOf(pid);
    const answer = send(ada, PORTRAIT, bytes).catch(() => undefined);
    await until(() => ticksOf(pid) - before >= 10);
    return { pid, answer };
  }

  it('that is killed refuses its picture, and the next one gets another', async () => {
    await start();
    try {
      const { pid, answer } = await decoding();
      process.kill(pid, 'SIGKILL');
      const message = expect.stringContaining('takes too much to be decoded');
      expect((await answer)?.error).toMatchObject({ code: 4002, message });
      expect((await send(ada, PORTRAIT, await plain(64, 64).png().toBuffer())).status).toBe(200);
      expect(decoder()).not.toBe(pid);
    } finally {
      await end();
    }
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'is gone after its server, which is ended by %s',
    async (signal) => {
      await start();
      try {
        const { pid, answer } = await decoding();
        const code = await platform.end(signal);
        expect(code).toBe(signal === 'SIGTERM' ? 0 : null);
        const status = (await answer)?.status;
        // It is answered in any case, and the picture is kept when it was decoded by then.
        if (signal === 'SIGTERM') expect([200, 503]).toContain(status);
        else expect(status).toBeUndefined();
        await until(() => !isThere(pid));
      } finally {
        await end();
      }
    },
  );

  it('is what Linux ends first where memory is short', async () => {
    await start();
    try {
      await send(ada, PORTRAIT, await plain(64, 64).png().toBuffer());
      const score = (pid: number | undefined) => Number(readFileSync(`/proc/${pid}/oom_score`, 'utf8'));
      expect(score(decoder())).toBeGreaterThan(score(platform.child.pid));
    } finally {
      await end();
    }
  });
});
