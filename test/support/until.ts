import { vi } from 'vitest';

/**
 * Asks again and again until the answer is true, with a pause in between: a loop without one takes the processor from
 * the server that it waits for. @returns the answer
 */
export const until = <T>(ask: () => T | Promise<T>) => vi.waitUntil(ask, { interval: 20, timeout: 50_000 });
