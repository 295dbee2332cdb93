import { type Rounds, startRounds } from '#platform/jobs/index.ts';

/**
 * Work that is done now and then; each piece on its own, so that one that fails stops no other. A round that takes
 * longer than the time between two leaves one round to be done after it, not a queue of them.
 * @param everyMs between the rounds @param tasks each safe to run on several nodes at once
 */
export function startHousekeeping(
  everyMs: number,
  tasks: readonly (() => Promise<unknown>)[],
  onError: (error: unknown) => void,
): Pick<Rounds, 'stop'> {
  const work = async () => {
    for (const task of tasks) await task().catch(onError);
    return false;
  };
  return startRounds({ work, intervalMs: everyMs, onError });
}
