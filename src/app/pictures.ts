import type { FastifyBaseLogger } from 'fastify';
import { costlyWork, Unavailable } from '#api';
import {
  DECODER_LIMITS,
  DecoderProcess,
  type Made,
  type NoPicture,
  PICTURES_WAITING,
  pictureMaker,
} from '#platform/pictures/index.ts';

/** Decoding of pictures, apart from the server's own process and fair to all who send some. */
export function joinPictures(logger: FastifyBaseLogger) {
  const decoder = new DecoderProcess(DECODER_LIMITS);
  let isOver = false;

  /** @throws Unavailable for those that still wait when the server stops */
  async function decode(job: Parameters<typeof decoder.decode>[0]): Promise<Made | NoPicture> {
    if (isOver) throw new Unavailable();
    try {
      const outcome = await decoder.decode(job);
      if (outcome === 'died') logger.warn({ format: job.format }, 'the decoder of pictures was ended');
      return outcome;
    } catch (err) {
      logger.error({ err }, 'no decoder of pictures can be started');
      return 'failed';
    }
  }

  return {
    ...pictureMaker(decode, costlyWork('pictures', PICTURES_WAITING)),
    /** The one that is being decoded is still answered. */
    giveUpWaiting: {
      stop() {
        isOver = true;
      },
    },
    stop: () => decoder.stop(),
  };
}
