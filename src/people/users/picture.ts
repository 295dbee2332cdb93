import { InvalidFields, Unavailable } from '#api';
import type { Origin } from '#platform/jobs/index.ts';
import {
  type NoPicture,
  type PictureOrder,
  type Pictures,
  PORTRAIT_TYPES,
} from '#platform/pictures/index.ts';
import { type ImageVariant, imageVariants } from './user.present.ts';

/** A picture as it is stored and sent. */
export interface Picture {
  readonly contentType: string;
  readonly bytes: Buffer;
}

const QUALITY = 82;
const SQUARE = { fit: 'cover' } as const;
/** No sides are cut off; WebP goes no further than some 16,000 pixels. */
const WHOLE = { fit: 'inside', height: 4000 } as const;
const ORDER: PictureOrder = {
  types: PORTRAIT_TYPES,
  sizes: [
    { name: 'original', width: 2000, ...WHOLE },
    { name: 'fullwidth', width: 1200, ...WHOLE },
    { name: 'square300', width: 300, height: 300, ...SQUARE },
    { name: 'icon', width: 64, height: 64, ...SQUARE },
  ],
  quality: QUALITY,
};
/** The variant that is the same picture as another. */
const SAME: Partial<Record<ImageVariant, ImageVariant>> = { default: 'square300' };

export type Variants = ReadonlyMap<ImageVariant, Uint8Array>;

const REFUSALS: Readonly<Record<Exclude<NoPicture, 'failed'>, string>> = {
  type: 'must be a PNG, JPEG, WebP or GIF picture',
  broken: 'cannot be read as a picture',
  size: 'has too many pixels; make it smaller',
  frames: 'has too many frames; leave some out',
  died: 'takes too much to be decoded; make it smaller, or save it in another format',
};

/** @returns the error for a file of which no picture was made */
export const refusedPicture = (why: NoPicture): InvalidFields | Unavailable =>
  why === 'failed' ? new Unavailable() : new InvalidFields({ field: 'file', message: REFUSALS[why] });

/** Every variant of an uploaded picture. @throws InvalidFields when nothing can be made of it @throws TooManyRequests */
export async function makeVariants(
  pictures: Pictures,
  { origin, file }: { origin: Origin; file: string },
): Promise<Variants> {
  const made = await pictures.make(origin, file, ORDER);
  if (typeof made === 'string') throw refusedPicture(made);
  const variants = new Map<ImageVariant, Uint8Array>();
  for (const variant of imageVariants) {
    const bytes = made.sizes.get(SAME[variant] ?? variant);
    if (bytes) variants.set(variant, bytes);
  }
  return variants;
}

/** One small square of a picture. @returns undefined when nothing can be made of it */
export async function squarePicture(
  pictures: Pictures,
  { origin, file, edge }: { origin: Origin; file: string; edge: number },
): Promise<Uint8Array | undefined> {
  const size = { name: 'square', width: edge, height: edge, ...SQUARE };
  const made = await pictures.make(origin, file, { types: PORTRAIT_TYPES, sizes: [size], quality: QUALITY });
  return typeof made === 'string' ? undefined : made.sizes.get(size.name);
}

/** The default picture: the initials on a colour derived from the user. */
export function initialsPicture(user: { id: string; first_name: string; last_name: string }): Picture {
  const letters = [user.first_name, user.last_name].map((name) => Array.from(name.trim())[0] ?? '');
  // Arabic letters side by side would be joined to a word.
  const initials = letters.join(letters.some((one) => /\p{Script=Arabic}/u.test(one)) ? '\u200c' : '');
  const hue = Number.parseInt(user.id.slice(-4), 16) % 360;
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">' +
    `<rect width="100" height="100" fill="hsl(${hue} 45% 40%)"/>` +
    '<text x="50" y="50" dy=".35em" text-anchor="middle" fill="#fff" font-family="sans-serif" font-size="42">' +
    `${escapeXml(initials.toUpperCase())}</text></svg>`;
  return { contentType: 'image/svg+xml', bytes: Buffer.from(svg) };
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
