import { mediaTypeOf, readHead } from '#platform/files/index.ts';
import type { Origin } from '#platform/jobs/index.ts';
import type { Job } from './decoder-process.ts';
import { DECODED_BYTES, DECODER_LIMITS } from './limits.ts';
import type { Animation, Made, Outcome, PictureFormat, PictureSize } from './order.ts';

export { DecoderProcess } from './decoder-process.ts';
export { DECODED_BYTES, DECODER_LIMITS, MAX_PICTURE_BYTES, PICTURES_WAITING } from './limits.ts';
export type { Made } from './order.ts';

const FORMATS: Readonly<Record<string, PictureFormat>> = {
  'image/png': 'png',
  'image/apng': 'png',
  'image/jpeg': 'jpeg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'heif',
};

/** The kinds that people and applications may have as their picture. */
export const PORTRAIT_TYPES = ['image/png', 'image/apng', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export const PICTURE_TYPES = [...PORTRAIT_TYPES, 'image/avif'] as const;

/** The pictures made from an upload, re-encoded as WebP, so that only pixels are left. */
export interface PictureOrder {
  /** Media types. */
  readonly types: readonly string[];
  /** The first is made from the picture, the others from the first. */
  readonly sizes: readonly PictureSize[];
  /** Without it, the first frame stands for a picture that moves. */
  readonly animation?: Animation;
  readonly quality: number;
}

/**
 * Why nothing is made of a file. `type`: it is not a picture of these kinds, so it was not opened. `size`: it has too many
 * pixels. `frames`: it has too many of them. `broken`: it cannot be read. `died`: reading it took too much memory or time, or was interrupted. `failed`: the
 * fault is the server's.
 */
export type NoPicture = 'type' | 'died' | 'failed' | Exclude<Outcome, Made>;

/** Makes small pictures of the files that people and applications send. */
export interface Pictures {
  /**
   * Pictures of one origin are decoded one after another.
   * @throws TooManyRequests when too many of the origin wait @throws Unavailable when too many of all do
   */
  make(origin: Origin, file: string, order: PictureOrder): Promise<Made | NoPicture>;
}

const STEP_MS = DECODER_LIMITS.mostMs / 2;

/** Tells the kind by the first bytes; only a picture gets to the decoder, and only to that of its kind. */
export function pictureMaker(
  decode: (job: Job) => Promise<Made | NoPicture>,
  inTurn: <T>(origin: Origin, work: () => Promise<T>) => Promise<T>,
): Pictures {
  return {
    async make(origin, file, { types, ...order }) {
      const type = await mediaTypeOf(await readHead(file));
      const format = type && types.includes(type) ? FORMATS[type] : undefined;
      if (format === undefined) return 'type';
      const job = { file, format, ...order, limits: DECODED_BYTES, seconds: STEP_MS / 1000 };
      return inTurn(origin, () => decode(job));
    },
  };
}
