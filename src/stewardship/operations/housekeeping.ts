import { type Rounds, startRounds } from '#platform/jobs/index.ts';

/**
 * Runs periodic tasks, one after the other. A task that fails stops no other. A round that takes longer than the interval
 * is followed by one more round, not by all that were missed.
 * @param everyMs between the rounds @param tasks each safe to run on several nodes at once
 */
export function startHousekeeping(
  everyMs: number,
  tasks: readonly (() => Promise<unknown>)[],
  onError: (error: unknown) => void,
): Rounds {
  const work = async () => {
    for (const task of tasks) await task().catch(onError);
  };
  return startRounds({ work, intervalMs: everyMs, onError });
}
