import { setTimeout as sleep } from 'node:timers/promises';

/** Work that is done in rounds, now and then or when somebody asks for it; one round at a time. */
export interface Rounds {
  /** Begins a round at once, or another one after the round under way. */
  wake(): void;
  /** Begins no more rounds and waits for the one under way. */
  stop(): Promise<void>;
}

/**
 * @param deps.work one round; tells whether there is more to do at once
 * @param deps.rest how many times as long as a round took is left to others before the next, while there is more to do
 */
export function startRounds(deps: {
  work: () => Promise<boolean>;
  intervalMs: number;
  rest?: number;
  onError: (error: unknown) => void;
}): Rounds {
  const { work, intervalMs, rest = 0, onError } = deps;
  let stopped = false;
  let running: Promise<void> | undefined;
  let again = false;

  async function run(): Promise<void> {
    do {
      again = false;
      const begun = performance.now();
      const more = await work();
      if (more && rest > 0 && !stopped) await sleep(rest * (performance.now() - begun));
      again ||= more;
    } while (again && !stopped);
  }

  function wake(): void {
    if (stopped) return;
    again = true;
    running ??= run()
      .catch((error: unknown) => {
        // What failed is tried in the next round, not at once and for ever.
        again = false;
        onError(error);
      })
      .finally(() => {
        running = undefined;
        if (again && !stopped) wake();
      });
  }

  const timer = setInterval(wake, intervalMs);
  timer.unref();
  return {
    wake,
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
