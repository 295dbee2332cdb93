import { FairQueue, type Origin, QueueFull, type QueueLimits } from '#platform/jobs/index.ts';
import { TooManyRequests, Unavailable } from './errors.ts';
import type { UserPrincipal } from './principal.ts';

const RETRY_S = 1;

/**
 * Whose turn a piece of work takes. Applications have a lane of their own and take turns there: one has tokens of many
 * people, and must not fill the places of any.
 */
export const turnOf = ({ userId, grant }: UserPrincipal): Origin => ({
  source: grant?.applicationId ?? userId,
  known: grant === undefined,
});

/**
 * Costly work of requests: a few pieces at once, and sources take turns.
 * @param name the reason of a refusal, which comes when too much waits already
 */
export function costlyWork(name: 'passwords' | 'searches' | 'pictures' | 'lists', limits: QueueLimits) {
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
