/** Work that is done now and then; each piece on its own, so that one that fails stops no other. */
export interface Housekeeping {
  stop(): Promise<void>;
}

/** @param everyMs between the rounds @param tasks each safe to run on several nodes at once */
export function startHousekeeping(
  everyMs: number,
  tasks: readonly (() => Promise<unknown>)[],
  onError: (error: unknown) => void,
): Housekeeping {
  let running: Promise<unknown> = Promise.resolve();
  const round = async () => {
    for (const task of tasks) await task().catch(onError);
  };
  const timer = setInterval(() => {
    running = running.then(round);
  }, everyMs);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
