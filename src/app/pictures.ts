import type { FastifyBaseLogger } from 'fastify';
import { costlyWork, Stopping } from '#api';
import {
  DECODER_LIMITS,
  DecoderProcess,
  type Made,
  type NoPicture,
  PICTURES_WAITING,
  pictureMaker,
} from '#platform/pictures/index.ts';

/** Decoding of pictures, apart from the server's own process and fair to all who send some. */
export function joinPictures(logger: FastifyBaseLogger, stopping: AbortSignal) {
  const decoder = new DecoderProcess(DECODER_LIMITS);
  let underWay: Promise<unknown> = Promise.resolve();

  /** @throws Stopping when the server does */
  async function decode(job: Parameters<typeof decoder.decode>[0]): Promise<Made | NoPicture> {
    try {
      const decoding = decoder.decode(job);
      underWay = decoding.catch(() => undefined);
      const outcome = await decoding;
      if (outcome === 'died' && stopping.aborted) throw new Stopping();
      if (outcome === 'died') logger.warn({ format: job.format }, 'the decoder of pictures was ended');
      return outcome;
    } catch (err) {
      if (stopping.aborted) throw new Stopping();
      logger.error({ err }, 'no decoder of pictures can be started');
      return 'failed';
    }
  }

  return {
    ...pictureMaker(decode, costlyWork('pictures', PICTURES_WAITING, stopping)),
    /** Resolves once no picture is being decoded. */
    settled: () => underWay,
    stop: () => decoder.stop(),
  };
}
