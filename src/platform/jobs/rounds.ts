import { AsyncLocalStorage } from 'node:async_hooks';
import type { Rest } from './give-way.ts';

/** A loop: work that is done in rounds, at intervals and on demand, one round at a time. */
export interface Rounds {
  /** Begins a round at once, or another one after the round under way. */
  wake(): void;
  /** Begins no more rounds, ends the pause between two, and waits for the round under way. */
  stop(): Promise<void>;
}

/**
 * @param deps.work one round; `true` says that there is more to do at once. Its signal is aborted by `stop`: a long round then
 * leaves the rest for the next start
 * @param deps.intervalMs how often a round begins by itself; without it, rounds begin on demand alone
 * @param deps.gather awaited before each round, which serves every `wake` until then
 * @param deps.rest awaited after each round while there is more to do
 */
export function startRounds(deps: {
  work: (stopping: AbortSignal) => Promise<unknown>;
  intervalMs?: number;
  gather?: (stopping: AbortSignal) => Promise<unknown>;
  rest?: Rest;
  onError: (error: unknown) => void;
}): Rounds {
  const { work, intervalMs, gather, rest, onError } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  /** Calls a function outside the context of the request that wakes: a round serves others as well. */
  const apart = AsyncLocalStorage.snapshot();
  let running: Promise<void> | undefined;
  let again = false;

  async function run(): Promise<void> {
    do {
      if (gather) await gather(signal);
      again = false;
      const begun = performance.now();
      const more = (await work(signal)) === true;
      if (more && rest) await rest(performance.now() - begun, signal);
      again ||= more;
    } while (again && !signal.aborted);
  }

  function wake(): void {
    if (signal.aborted) return;
    again = true;
    running ??= apart(run)
      .catch((error: unknown) => {
        // The next round tries again, but not at once: the fault may last.
        again = false;
        onError(error);
      })
      .finally(() => {
        running = undefined;
        if (again && !signal.aborted) wake();
      });
  }

  const timer = intervalMs === undefined ? undefined : setInterval(wake, intervalMs).unref();
  return {
    wake,
    stop: async () => {
      stopping.abort();
      clearInterval(timer);
      await running;
    },
  };
}
