import { pictureWork } from '#platform/picture-work.ts';
import type { ImageVariant } from './user.present.ts';

/** A picture as it is stored and sent. */
export interface Picture {
  readonly contentType: string;
  readonly bytes: Buffer;
}

const ACCEPTED = new Set(['jpeg', 'png', 'webp', 'gif']);
const MAX_PIXELS = 50_000_000;

/** The width of each variant, in pixels; `square` ones are cropped. */
const SIZES: Record<ImageVariant, { width: number; square: boolean }> = {
  default: { width: 300, square: true },
  original: { width: 2000, square: false },
  fullwidth: { width: 1200, square: false },
  square300: { width: 300, square: true },
  icon: { width: 64, square: true },
};

/**
 * Makes every variant of an uploaded picture. All are re-encoded, so that nothing but the pixels survives: no
 * scripts, places or other formats' bytes.
 * @returns undefined unless the bytes are a picture of an accepted kind
 */
export const makeVariants = (upload: Buffer): Promise<Map<ImageVariant, Buffer> | undefined> =>
  pictureWork(() => variantsOf(upload));

async function variantsOf(upload: Buffer): Promise<Map<ImageVariant, Buffer> | undefined> {
  // Loaded with the first upload: most starts of the server need no picture library.
  const { default: sharp } = await import('sharp');
  const variants = new Map<ImageVariant, Buffer>();
  try {
    const { format } = await sharp(upload, { limitInputPixels: MAX_PIXELS }).metadata();
    if (!ACCEPTED.has(format)) return undefined;
    for (const [variant, { width, square }] of Object.entries(SIZES)) {
      const size = square
        ? { width, height: width, fit: 'cover' as const }
        : { width, withoutEnlargement: true };
      const picture = sharp(upload, { limitInputPixels: MAX_PIXELS }).rotate().resize(size);
      variants.set(variant as ImageVariant, await picture.webp({ quality: 82 }).toBuffer());
    }
    return variants;
  } catch {
    // An upload that the decoder cannot read cannot be shown as a picture.
    return undefined;
  }
}

/**
 * One small square of a picture, re-encoded. @returns undefined unless the bytes are a picture of an accepted kind
 */
export const squarePicture = (upload: Uint8Array, edge: number): Promise<Buffer | undefined> =>
  pictureWork(() => squareOf(upload, edge));

async function squareOf(upload: Uint8Array, edge: number): Promise<Buffer | undefined> {
  const { default: sharp } = await import('sharp');
  try {
    const { format } = await sharp(upload, { limitInputPixels: MAX_PIXELS }).metadata();
    if (!ACCEPTED.has(format)) return undefined;
    const square = { width: edge, height: edge, fit: 'cover' as const };
    const picture = sharp(upload, { limitInputPixels: MAX_PIXELS }).rotate().resize(square);
    return await picture.webp({ quality: 82 }).toBuffer();
  } catch {
    return undefined;
  }
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
