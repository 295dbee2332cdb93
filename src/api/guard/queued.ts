import { FairQueue, type Origin, QueueFull, type QueueLimits, Turns } from '#platform/jobs/index.ts';
import { Stopping, TooManyRequests, Unavailable } from '../errors.ts';
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
 * @param stopping aborted when the server stops: what has not begun by then is refused
 */
export function costlyWork(
  name: 'passwords' | 'searches' | 'pictures' | 'lists',
  limits: QueueLimits,
  stopping?: AbortSignal,
) {
  const queue = new FairQueue(limits);

  /**
   * @throws TooManyRequests when too much of the source waits @throws Unavailable when too much waits of all
   * @throws Stopping
   */
  return <T>(origin: Origin, work: () => Promise<T>): Promise<T> =>
    refusing(name, queue.run(origin, unless(stopping, work)), RETRY_S);
}

const unless =
  <T>(stopping: AbortSignal | undefined, work: () => Promise<T>) =>
  async (): Promise<T> => {
    if (stopping?.aborted) throw new Stopping();
    return work();
  };

/** Calls to applications for which requests wait: few people wait long for each other, and none for the calls of others. */
export const CALLS_IN_TURN = { atOnce: 64, ofSource: 2, ofTarget: 8, waitingOfSource: 8, waiting: 500 };
const CALLS_RETRY_S = 10;

export type CallsInTurn = ReturnType<typeof callsInTurn>;

/** @param stopping aborted when the server stops */
export function callsInTurn(stopping: AbortSignal) {
  const turns = new Turns(CALLS_IN_TURN);

  return {
    /**
     * @param ownerId of the application: one that many people install at once leaves places to others
     * @throws TooManyRequests when too many calls of the person wait
     * @throws Unavailable when too many wait of all @throws Stopping
     */
    run: <T>(userId: string, ownerId: string | undefined, work: () => Promise<T>): Promise<T> =>
      refusing('calls', turns.run(userId, unless(stopping, work), ownerId), CALLS_RETRY_S),
    stopping,
  };
}

async function refusing<T>(
  name: 'passwords' | 'searches' | 'pictures' | 'lists' | 'calls',
  answer: Promise<T>,
  retryS: number,
): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof QueueFull)) throw error;
    throw error.ofSource ? new TooManyRequests(name, retryS) : new Unavailable(name);
  }
}
