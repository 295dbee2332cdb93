import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits for a time, or until the signal is aborted, and never rejects. The lint allows the server no other pause: one
 * without a signal would keep it from stopping.
 */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

/** For a pause that is short, or that ends with the process. */
export const NEVER = new AbortController().signal;

/** Waits for work, but no longer than a time. @returns its result, or undefined when it is late */
export async function waitAtMost<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const over = new AbortController();
  const late = pause(ms, over.signal).then(() => undefined);
  return Promise.race([work, late]).finally(() => over.abort());
}
