import type { DecoderLimits } from './decoder-process.ts';
import type { DecodedLimits } from './order.ts';

const MEBIBYTE = 1_048_576;

/** The largest file that is taken as the picture of a person or of an incoming webhook. */
export const MAX_PICTURE_BYTES = 5 * MEBIBYTE;

/** Of a photograph 66 megapixels, 33 of one that is decoded as a whole, and 16 of AVIF. */
export const DECODED_BYTES: DecodedLimits = { inLines: 200_000_000, whole: 100_000_000, avif: 50_000_000 };

/** Honest pictures within `DECODED_BYTES` take less than 350 MiB and about 3 seconds. */
export const DECODER_LIMITS: DecoderLimits = {
  mostResident: 512 * MEBIBYTE,
  mostCpuMs: 10_000,
  mostMs: 60_000,
  idleMs: 30_000,
};

/** One at once is what that memory is for. Those that wait are files on the disk. */
export const PICTURES_WAITING = { atOnce: 1, waitingOfSource: 30, waitingInLane: 300 };
