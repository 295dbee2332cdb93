import { setImmediate as nextTurn } from 'node:timers/promises';
import { costlyWork } from '#api';

/** Two leave most connections, and most turns of the event loop, to requests that cost less. */
const LIMITS = { atOnce: 2, waitingOfSource: 50, waitingInLane: 500 };

/** Runs searches, few at once; users take turns. */
export function searchQueue() {
  const queued = costlyWork('searches', LIMITS);

  return <T>(userId: string, search: () => Promise<T>): Promise<T> =>
    queued({ source: userId, known: true }, async () => {
      // SQLite searches on this thread: other requests come between two searches.
      await nextTurn();
      return search();
    });
}
