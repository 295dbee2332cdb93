import { setTimeout as sleep } from 'node:timers/promises';

/** A loop: work that is done in rounds, at intervals and on demand, one round at a time. */
export interface Rounds {
  /** Begins a round at once, or another one after the round under way. */
  wake(): void;
  /** Begins no more rounds and waits for the one under way. */
  stop(): Promise<void>;
}

/**
 * @param deps.work one round; `true` says that there is more to do at once
 * @param deps.intervalMs how often a round begins by itself; without it, rounds begin on demand alone
 * @param deps.gather awaited before each round, which serves every `wake` until then
 * @param deps.rest duty cycle: while there is more to do, a round of t is followed by a pause of `rest * t`
 */
export function startRounds(deps: {
  work: () => Promise<unknown>;
  intervalMs?: number;
  gather?: () => Promise<unknown>;
  rest?: number;
  onError: (error: unknown) => void;
}): Rounds {
  const { work, intervalMs, gather, rest = 0, onError } = deps;
  let stopped = false;
  let running: Promise<void> | undefined;
  let again = false;

  async function run(): Promise<void> {
    do {
      if (gather) await gather();
      again = false;
      const begun = performance.now();
      const more = (await work()) === true;
      if (more && rest > 0 && !stopped) await sleep(rest * (performance.now() - begun));
      again ||= more;
    } while (again && !stopped);
  }

  function wake(): void {
    if (stopped) return;
    again = true;
    running ??= run()
      .catch((error: unknown) => {
        // The next round tries again, but not at once: the fault may last.
        again = false;
        onError(error);
      })
      .finally(() => {
        running = undefined;
        if (again && !stopped) wake();
      });
  }

  const timer = intervalMs === undefined ? undefined : setInterval(wake, intervalMs).unref();
  return {
    wake,
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
