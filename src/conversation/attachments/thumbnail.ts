import type { Origin } from '#platform/jobs/index.ts';
import { PICTURE_TYPES, type PictureOrder, type Pictures } from '#platform/pictures/index.ts';

export interface Thumbnail {
  /** Of the picture itself, upright. */
  readonly width: number;
  readonly height: number;
  /** WebP. */
  readonly bytes: Uint8Array;
}

export const THUMBNAIL_EDGE = 480;
const NAME = 'thumbnail';
const ORDER: PictureOrder = {
  types: PICTURE_TYPES,
  sizes: [{ name: NAME, width: THUMBNAIL_EDGE, height: THUMBNAIL_EDGE, fit: 'inside' }],
  quality: 80,
};

/**
 * A small version of a picture, encoded again, so that it does not contain the place where it was taken.
 * @returns undefined for what is no picture, is broken, or is larger than can be read safely: such a file is kept like
 * any other
 * @throws TooManyRequests when too many pictures of the origin wait @throws Unavailable when too many of all do
 */
export async function thumbnailOf(
  pictures: Pictures,
  { origin, file }: { origin: Origin; file: string },
): Promise<Thumbnail | undefined> {
  const made = await pictures.make(origin, file, ORDER);
  if (typeof made === 'string') return undefined;
  const bytes = made.sizes.get(NAME);
  return bytes && { width: made.width, height: made.height, bytes };
}
