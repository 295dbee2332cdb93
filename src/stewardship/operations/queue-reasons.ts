/** What is due first in a queue. */
export interface WaitingRow {
  readonly waiting: number | null;
  readonly since: number | null;
  readonly failures?: number | null;
  readonly held_until?: number | null;
}

/**
 * Why the first work of a queue that is due is not done: its last attempt failed, a worker has it and is not done yet, or no
 * worker has come to it.
 */
export const REASONS = ['failing', 'slow', 'backlog'] as const;
export type Reason = (typeof REASONS)[number];

export function reasonOf({ failures, held_until }: WaitingRow, now: number): Reason {
  if ((failures ?? 0) > 0) return 'failing';
  return (held_until ?? 0) > now ? 'slow' : 'backlog';
}
