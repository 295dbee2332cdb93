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
