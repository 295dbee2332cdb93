import type { Reader } from '../../src/platform/db/index.ts';

/** The rules of the running servers that a check needs: it judges as they do. */
export interface Rules {
  readonly backups: {
    /** Reads what servers know of scheduled backups. */
    readonly readSchedule: (text: string | undefined) => Schedule | undefined;
    /** Later times were written by a clock that was wrong. */
    readonly latestAt: (now: number) => number;
    readonly latest: (
      now: number,
      audited: number | null | undefined,
      schedule: Schedule | undefined,
    ) => number | undefined;
    readonly judge: (known: {
      now: number;
      everyMs: number;
      lastAt: number | undefined;
      since: number | undefined;
    }) => 'ok' | 'late' | 'missing';
  };
  /** By how much a clock may differ from that of the database. */
  readonly mostDeviationMs: number;
  /** What waits in each queue, how late the first of it is, and why. */
  readonly describeQueues: (reader: Reader) => Promise<
    Readonly<
      Record<
        string,
        {
          readonly waiting: number;
          readonly oldest_seconds: number | null;
          readonly reason: 'failing' | 'slow' | 'backlog' | null;
        }
      >
    >
  >;
  /** From when on a queue is behind. */
  readonly behindAfterSeconds: number;
  /** What `/healthz` answers to a challenge. */
  readonly proofOf: (key: Buffer, challenge: string) => string;
}

interface Schedule {
  readonly name: string;
  readonly until: number;
  readonly tried_at: number;
  readonly made_at: number;
  readonly failed: boolean;
}
