import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { newFolder } from '../../test/support/folder.ts';
import { thumbnailOf } from '../conversation/attachments/thumbnail.ts';
import { makeVariants, squarePicture } from '../people/users/picture.ts';

it('few threads of the pool are taken by pictures, however many come at once', async () => {
  const picture = await sharp({ create: { width: 400, height: 400, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const folder = newFolder();
  const file = join(folder, 'picture.png');
  writeFileSync(file, picture);
  /** How many wait for a thread; those that run come on top of it. */
  const waiting: number[] = [];
  const count = () => void waiting.push(sharp.counters().queue);
  sharp.queue.on('change', count);
  try {
    const made = await Promise.all(
      Array.from({ length: 8 }).flatMap((): Promise<unknown>[] => [
        makeVariants(picture),
        squarePicture(picture, 64),
        thumbnailOf(file, 'image/png'),
      ]),
    );
    expect(made.every((one) => one !== undefined)).toBe(true);
  } finally {
    sharp.queue.off('change', count);
    rmSync(folder, { recursive: true });
  }
  expect(waiting.length).toBeGreaterThan(0);
  expect(Math.max(...waiting)).toBeLessThanOrEqual(2);
});
