import { setImmediate as nextTurn } from 'node:timers/promises';
import { costlyWork, type Viewer } from '#api';

/** Two leave most connections, and most turns of the event loop, to requests that cost less. */
const LIMITS = { atOnce: 2, waitingOfSource: 50, waitingInLane: 500, longestWaitMs: 5000 };

/**
 * Runs searches, few at once; users take turns. Those with tokens have a lane of their own, in which applications take
 * turns: an application has tokens of many users, and must not fill the places of any.
 * @param stopping aborted when the server stops
 */
export function searchQueue(stopping: AbortSignal) {
  const queued = costlyWork('searches', LIMITS, stopping);

  return <T>({ userId, reach }: Viewer, search: () => Promise<T>): Promise<T> =>
    queued({ source: reach?.applicationId ?? userId, known: reach === undefined }, async () => {
      // SQLite searches on this thread: other requests come between two searches.
      await nextTurn();
      return search();
    });
}
