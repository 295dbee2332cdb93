import { writeFileSync } from 'node:fs';
import sharp, { type Sharp } from 'sharp';
import type { Order, Outcome, PictureSize, Report } from './order.ts';

/*
 * A program of its own: it decodes one picture after the other, and may be killed at any moment. The library works on
 * other threads, so this one stays free to look after the memory.
 */

/** Plain PNG and JPEG come in lines; of these the whole is decoded at once. */
const IN_LINES = new Set(['png', 'jpeg']);
const DEPTHS: Readonly<Record<string, number>> = { uchar: 1, char: 1, ushort: 2, short: 2 };
/** As large as any depth is: complex numbers of two doubles. */
const DEEPEST = 16;
const LOOK_MS = 20;

dieFirst();
// Of the library's formats only these are ever opened, whatever a file says.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['PngFile', 'JpegFile', 'NsgifFile', 'WebpFile', 'HeifFile'].map(
    (loader) => `VipsForeignLoad${loader}`,
  ),
});
sharp.cache(false);
sharp.concurrency(1);

process.on('message', async (order: Order) => {
  const before = cpuMs();
  const looking = setInterval(() => look(order, cpuMs() - before), LOOK_MS);
  const outcome = await make(order);
  clearInterval(looking);
  process.send?.(outcome);
});
// The server is gone. Exiting in order would wait for the threads.
process.on('disconnect', end);
// A terminal, and systemd, signal the server's children too. They work until the server is gone.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
report(process.memoryUsage.rss());

function end(): void {
  process.kill(process.pid, 'SIGKILL');
}

/** The time of a processor, and not that of a clock: a busy machine makes no picture costlier. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function look({ mostResident, mostCpuMs }: Order, spentMs: number): void {
  const resident = process.memoryUsage.rss();
  if (resident > mostResident || spentMs > mostCpuMs) end();
  report(resident);
}

function report(resident: number): void {
  process.send?.({ resident } satisfies Report);
}

/** Where memory is short, Linux ends this process before the server. */
function dieFirst(): void {
  try {
    if (process.platform === 'linux') writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not every container allows it.
  }
}

async function make(order: Order): Promise<Outcome> {
  const { file, format, limits, sizes, animation } = order;
  // The first of several frames stands for all, and is the only one that is decoded here.
  const options = { pages: 1, limitInputPixels: limits.inLines };
  try {
    const { autoOrient, ...about } = await sharp(file, options).metadata();
    if (about.format !== format) return 'broken';
    const isInLines = IN_LINES.has(format) && !about.isProgressive;
    const most = isInLines ? limits.inLines : format === 'heif' ? limits.avif : limits.whole;
    const bytes = about.width * about.height * about.channels * (DEPTHS[about.depth] ?? DEEPEST);
    const frames = animation ? (about.pages ?? 1) : 1;
    if (animation && frames > animation.most) return 'frames';
    if (bytes * frames > most) return 'size';
    const made = await makeSizes(sharp(file, options).autoOrient(), sizes, order);
    if (animation && frames > 1) made.set(animation.name, await animate(order));
    return { ...autoOrient, sizes: made };
  } catch (error) {
    return isTooLarge(error) ? 'size' : 'broken';
  }
}

const isTooLarge = (error: unknown) => error instanceof Error && error.message.includes('pixel limit');

async function makeSizes(
  picture: Sharp,
  [first, ...others]: readonly PictureSize[],
  { quality, seconds }: Order,
): Promise<Map<string, Uint8Array>> {
  const sizes = new Map<string, Uint8Array>();
  if (!first) return sizes;
  const { data, info } = await picture
    .resize(boxOf(first))
    .timeout({ seconds })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const decoded = () => sharp(data, { raw: { width, height, channels } });
  const encode = async (name: string, pixels: Sharp) =>
    void sizes.set(name, await pixels.webp({ quality }).timeout({ seconds }).toBuffer());
  await encode(first.name, decoded());
  for (const size of others) await encode(size.name, decoded().resize(boxOf(size)));
  return sizes;
}

/** All frames, one below the other while they are resized. */
async function animate({ file, sizes: [first], limits, quality, seconds }: Order): Promise<Uint8Array> {
  const frames = sharp(file, { pages: -1, limitInputPixels: limits.inLines });
  const resized = first ? frames.resize(boxOf(first)) : frames;
  return resized.webp({ quality }).timeout({ seconds }).toBuffer();
}

const boxOf = ({ width, height, fit }: PictureSize) => ({
  width,
  height,
  fit,
  withoutEnlargement: fit === 'inside',
});
