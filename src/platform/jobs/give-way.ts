import { setImmediate as nextTurn } from 'node:timers/promises';
import { pause } from '../pause.ts';

/** Rests after a round that took `worked` milliseconds, while there is more to do. */
export type Rest = (worked: number, stopping: AbortSignal) => Promise<void>;

/** A turn of the event loop that took longer kept requests waiting. */
const QUIET_MS = 5;

/**
 * Lets requests go first: a rest lasts while turns of the event loop are long or writers wait for the database, and at most
 * `most` times as long as the round. Nothing is rested where nobody waits, so an idle server has its whole capacity.
 */
export function giveWay(deps: { most: number; writersWait: () => boolean }): Rest {
  const { most, writersWait } = deps;

  return async (worked, stopping) => {
    const end = performance.now() + most * worked;
    // What came in during the round is read in the turn after it.
    await nextTurn();
    for (let wait = 0; performance.now() < end && !stopping.aborted; wait = QUIET_MS) {
      const begun = performance.now();
      await (wait === 0 ? nextTurn() : pause(wait, stopping));
      const late = performance.now() - begun - wait;
      if (late < QUIET_MS && !writersWait()) return;
    }
  };
}
