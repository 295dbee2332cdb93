import { FairQueue, type Origin, QueueFull, type QueueLimits } from '#platform/jobs/index.ts';
import { TooManyRequests, Unavailable } from './errors.ts';

const RETRY_S = 1;

/**
 * Costly work of requests: a few pieces at once, and sources take turns.
 * @param name the reason of a refusal, which comes when too much waits already
 */
export function costlyWork(name: 'passwords' | 'searches', limits: QueueLimits) {
  const queue = new FairQueue(limits);

  /** @throws TooManyRequests when too much of the source waits @throws Unavailable when too much waits of all */
  return async <T>(origin: Origin, work: () => Promise<T>): Promise<T> => {
    try {
      return await queue.run(origin, work);
    } catch (error) {
      if (!(error instanceof QueueFull)) throw error;
      throw error.ofSource ? new TooManyRequests(name, RETRY_S) : new Unavailable(name);
    }
  };
}
