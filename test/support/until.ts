import { vi } from 'vitest';

/**
 * Asks again and again until the answer is true, with a pause in between: a loop without one takes the processor from
 * the server that it waits for. @returns the answer
 */
export const until = <T>(ask: () => T | Promise<T>) => vi.waitUntil(ask, { interval: 20, timeout: 50_000 });

/** The same for expectations, until all of them hold. */
export const untilHolds = (expectations: () => unknown) =>
  vi.waitFor(expectations, { interval: 20, timeout: 50_000 });
