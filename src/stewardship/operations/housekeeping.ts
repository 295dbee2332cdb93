import { type Rounds, startRounds } from '#platform/jobs/index.ts';

/**
 * Runs periodic tasks, one after the other. A task that fails stops no other; a stop ends a long one. A round that takes longer than the interval
 * is followed by one more round, not by all that were missed.
 * @param everyMs between the rounds @param tasks each safe to run on several nodes at once
 */
export function startHousekeeping(
  everyMs: number,
  tasks: readonly ((stopping: AbortSignal) => Promise<unknown>)[],
  onError: (error: unknown) => void,
): Rounds {
  const work = async (stopping: AbortSignal) => {
    for (const task of tasks) {
      if (stopping.aborted) return;
      await task(stopping).catch(onError);
    }
  };
  return startRounds({ work, intervalMs: everyMs, onError });
}
