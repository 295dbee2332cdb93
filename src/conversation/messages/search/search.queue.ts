import { setImmediate as nextTurn } from 'node:timers/promises';
import { costlyWork, type Viewer } from '#api';

/** Two leave most connections, and most turns of the event loop, to requests that cost less. */
const LIMITS = { atOnce: 2, waitingOfSource: 50, waitingInLane: 500 };
/**
 * Of the event loop: the system hands over one new connection in each, and those of a flood stand before those of others. A
 * turn in which nothing is to be done takes microseconds; long ones serve others already.
 */
const TURNS_BETWEEN = 20;
const MOST_BETWEEN_MS = 5;
/** How long a search waits for its turn. */
export const SEARCH_TURN_MS = 5000;

/**
 * Runs searches, few at once; users take turns. Those with tokens have a lane of their own, in which applications take
 * turns: an application has tokens of many users, and must not fill the places of any.
 * @param turnMs after which one whose turn has not come is refused
 * @param stopping aborted when the server stops
 */
export function searchQueue(turnMs: number, stopping: AbortSignal) {
  const queued = costlyWork('searches', { ...LIMITS, longestWaitMs: turnMs }, stopping);

  return <T>({ userId, reach }: Viewer, search: () => Promise<T>): Promise<T> =>
    queued({ source: reach?.applicationId ?? userId, known: reach === undefined }, async () => {
      // SQLite searches on this thread: other requests come between two searches.
      const begun = performance.now();
      for (let turn = 0; turn < TURNS_BETWEEN; turn++) {
        await nextTurn();
        if (performance.now() - begun > MOST_BETWEEN_MS) break;
      }
      return search();
    });
}
