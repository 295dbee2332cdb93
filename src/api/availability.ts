import type { FastifyBaseLogger } from 'fastify';
import { DatabaseUnavailable } from '#platform/db/index.ts';
import { FileStoreUnavailable } from '#platform/files/index.ts';

/** Whether the database or the file store is unreachable. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof DatabaseUnavailable || error instanceof FileStoreUnavailable;
}

const REPORT_EVERY_MS = 1000;
let lastAt = Number.NEGATIVE_INFINITY;
let left = 0;

/** At most one line a second, without a stack: during an outage all requests and workers fail for the same reason. */
export function reportUnavailable(log: FastifyBaseLogger, error: unknown): void {
  const now = performance.now();
  if (now - lastAt < REPORT_EVERY_MS) {
    left++;
    return;
  }
  const more = left > 0 ? { left_out: left } : {};
  [lastAt, left] = [now, 0];
  log.warn({ fault: describe(error), ...more }, 'unavailable');
}

/** The messages of the error and its causes. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { name, message, cause } = error;
  const code = (error as NodeJS.ErrnoException).code;
  const own = [name, code, message].filter(Boolean).join(' ');
  return cause === undefined ? own : `${own} (${describe(cause)})`;
}
