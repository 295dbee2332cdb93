import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { decodersOf, isLinux } from '../../../test/support/decoders.ts';
import { newFolder } from '../../../test/support/folder.ts';
import { untilHolds } from '../../../test/support/until.ts';
import { DECODED_BYTES, DECODER_LIMITS, DecoderProcess } from './index.ts';

const folder = newFolder();
const picture = join(folder, 'picture');
const job = {
  file: picture,
  format: 'png',
  sizes: [{ name: 'small', width: 20, height: 20, fit: 'inside' }],
  quality: 80,
  limits: DECODED_BYTES,
  seconds: 30,
} as const;

beforeAll(async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const pixels = sharp({ create: { width: 3000, height: 2000, channels: 3, background: 'red', noise } });
  writeFileSync(picture, await pixels.png({ compressionLevel: 1 }).toBuffer());
});
afterAll(() => rmSync(folder, { recursive: true }));

function start(limits: Partial<typeof DECODER_LIMITS> = {}): DecoderProcess {
  const decoder = new DecoderProcess({ ...DECODER_LIMITS, ...limits });
  onTestFinished(() => decoder.stop());
  return decoder;
}

it('makes the sizes that are asked for, and tells those of the picture', async () => {
  const made = await start().decode(job);
  if (typeof made === 'string') throw new Error(made);
  expect([made.width, made.height]).toEqual([3000, 2000]);
  const { format, width, height } = await sharp(made.sizes.get('small')).metadata();
  expect([format, width, height]).toEqual(['webp', 20, 13]);
});

it('refuses more decoded bytes than the limit, and a file of another kind', async () => {
  const decoder = start();
  const few = { ...DECODED_BYTES, inLines: 17_999_999 };
  expect(await decoder.decode({ ...job, limits: few })).toBe('size');
  expect(await decoder.decode({ ...job, format: 'jpeg' })).toBe('broken');
  expect(await decoder.decode({ ...job, limits: { ...few, inLines: 18_000_000 } })).toBeTypeOf('object');
});

it.each([
  ['memory', { mostResident: 1 }],
  ['a processor’s time', { mostCpuMs: 0 }],
  ['time', { mostMs: 0 }],
])(
  'a picture that takes too much %s ends the process, and the next one gets another',
  async (_of, limits) => {
    const decoder = start(limits);
    expect([await decoder.decode(job), await decoder.decode(job)]).toEqual(['died', 'died']);
  },
);

it.runIf(isLinux)(
  'a process that has nothing to do is ended, and one that was killed is replaced',
  async () => {
    const before = decodersOf(process.pid);
    const decoder = start({ idleMs: 0 });
    expect(await decoder.decode(job)).toBeTypeOf('object');
    await untilHolds(() => expect(decodersOf(process.pid)).toEqual(before));
    expect(await decoder.decode(job)).toBeTypeOf('object');
  },
);

it.runIf(isLinux)('no setting reaches it', async () => {
  const decoder = start();
  vi.stubEnv('DATABASE_URL', 'postgres://somewhere');
  onTestFinished(() => void vi.unstubAllEnvs());
  const before = decodersOf(process.pid);
  await decoder.decode(job);
  const [pid] = decodersOf(process.pid).filter((one) => !before.includes(one));
  const environment = pid && readFileSync(`/proc/${pid}/environ`, 'utf8');
  expect(environment).toContain('UV_THREADPOOL_SIZE=2');
  expect(environment).not.toContain('DATABASE_URL');
});

it.runIf(isLinux)('nothing is decoded once it is stopped, and no process is left', async () => {
  const before = decodersOf(process.pid);
  const decoder = start();
  const running = decoder.decode(job);
  await decoder.stop();
  expect(await running).toBe('died');
  expect(decodersOf(process.pid)).toEqual(before);
  await expect(decoder.decode(job)).rejects.toThrow();
});
