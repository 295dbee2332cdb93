import { InvalidFields, Unavailable } from '#api';
import type { Origin } from '#platform/jobs/index.ts';
import { type PictureOrder, type Pictures, PORTRAIT_TYPES } from '#platform/pictures/index.ts';
import { refusedPicture } from '../../people/users/index.ts';

/** Of the file that is sent, and of each picture made from it. */
export const MOST_EMOJI_BYTES = 256 * 1024;
/** In pixels. A file's own size is kept where it is smaller. */
export const EMOJI_EDGE = 128;
export const MOST_FRAMES = 100;

const ORDER: PictureOrder = {
  types: PORTRAIT_TYPES,
  sizes: [{ name: 'still', width: EMOJI_EDGE, height: EMOJI_EDGE, fit: 'inside' }],
  animation: { name: 'moving', most: MOST_FRAMES },
  quality: 82,
};

/** WebP, both of them. */
export interface EmojiPicture {
  /** The first frame. */
  readonly still: Uint8Array;
  /** All frames; undefined for a picture that has one. */
  readonly moving: Uint8Array | undefined;
}

/** @throws InvalidFields for a file of which no emoji can be made @throws Unavailable @throws TooManyRequests */
export async function makeEmoji(pictures: Pictures, origin: Origin, file: string): Promise<EmojiPicture> {
  const made = await pictures.make(origin, file, ORDER);
  if (typeof made === 'string') throw refusedPicture(made);
  const [still, moving] = [made.sizes.get('still'), made.sizes.get('moving')];
  if (!still) throw new Unavailable();
  if (moving && moving.length > MOST_EMOJI_BYTES)
    throw new InvalidFields({ field: 'file', message: 'moves too much for an emoji; leave out frames' });
  return { still, moving };
}
