/** The least time between two wake-ups by the log: what is written meanwhile is read together. */
const GATHER_MS = 50;

/** Wakes those who wait for new events. Wake-ups may get lost, so each wait has an end. */
export type News = ReturnType<typeof newsOf>;

/** @param onPlaced calls back when the log has new events. @returns how to stop that */
export function newsOf(onPlaced: (listener: () => void) => () => void) {
  const waiting = new Set<() => void>();
  const listeners = new Set<() => void>();
  let pause: NodeJS.Timeout | undefined;
  let again = false;
  let count = 0;
  let changes = 0;

  /** Wakes those who wait, for what leaves the shares of streams as they are: new events, and acknowledgements. */
  function wakeToRead(): void {
    count += 1;
    for (const one of [...waiting]) one();
  }

  /** Wakes those who wait, for all else. */
  function wake(): void {
    changes += 1;
    wakeToRead();
  }

  /** Wakes the worker, too. */
  function wakeAll(): void {
    wakeToRead();
    for (const one of listeners) one();
  }

  /** The first news comes at once, the next after a pause. */
  function wakeInTurn(): void {
    again = pause !== undefined;
    if (again) return;
    wakeAll();
    pause = setTimeout(() => {
      pause = undefined;
      if (again) wakeInTurn();
    }, GATHER_MS).unref();
  }
  const stopListening = onPlaced(wakeInTurn);

  /** How much news there was: asked for before reading, so that none is missed between reading and waiting. */
  const mark = (): number => count;

  /** How many changes there were beside new events and acknowledgements. */
  const countChanges = (): number => changes;

  /** Resolves with the next news after a mark, or after a time. */
  function wait(milliseconds: number, after: number): Promise<void> {
    if (count > after) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(done, milliseconds);
      function done(): void {
        clearTimeout(timer);
        waiting.delete(done);
        resolve();
      }
      waiting.add(done);
    });
  }

  /** @returns how to stop it */
  function onNews(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  function stop(): void {
    stopListening();
    clearTimeout(pause);
    wake();
  }

  return { mark, countChanges, wait, wake, wakeToRead, onNews, stop };
}
