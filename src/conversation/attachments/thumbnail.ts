import { pictureWork } from '#platform/picture-work.ts';

export interface Thumbnail {
  /** Of the picture itself, upright. */
  readonly width: number;
  readonly height: number;
  /** WebP. */
  readonly bytes: Buffer;
}

const PICTURES = new Set(['image/png', 'image/apng', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']);
const MAX_PIXELS = 50_000_000;
export const THUMBNAIL_EDGE = 480;
const MAX_SECONDS = 20;

/**
 * A small version of a picture, encoded again, so that it does not contain the place where it was taken.
 * @returns undefined for what is no picture, is broken, or is larger than can be read safely
 */
export async function thumbnailOf(path: string, contentType: string): Promise<Thumbnail | undefined> {
  if (!PICTURES.has(contentType)) return undefined;
  // Loaded by the first picture: most starts of the server need no picture library.
  const { default: sharp } = await import('sharp');
  const options = { limitInputPixels: MAX_PIXELS, sequentialRead: true };
  return pictureWork(async () => {
    try {
      const { autoOrient } = await sharp(path, options).metadata();
      const bytes = await sharp(path, options)
        .autoOrient()
        .resize({ width: THUMBNAIL_EDGE, height: THUMBNAIL_EDGE, fit: 'inside', withoutEnlargement: true })
        .webp({ quality: 80 })
        .timeout({ seconds: MAX_SECONDS })
        .toBuffer();
      return { width: autoOrient.width, height: autoOrient.height, bytes };
    } catch {
      // A file that the decoder cannot read is kept like any other.
      return undefined;
    }
  });
}
