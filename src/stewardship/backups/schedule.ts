/** The state of scheduled backups, shared by servers as JSON in one row. Times are in milliseconds. */
export interface Schedule {
  /** Part of the files' names: what another server keeps in the same folder is left alone. */
  readonly name: string;
  /** The end of the lease of the server that makes one. */
  readonly until: number;
  readonly tried_at: number;
  readonly made_at: number;
  /** Whether the last try failed, is under way, or was killed. */
  readonly failed: boolean;
}

export function readSchedule(text: string | undefined): Schedule | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as Schedule);
}

/** After a failure: soon, but not all the time. */
const RETRY_MS = 3_600_000;

export const dueAt = ({ failed, tried_at, made_at }: Schedule, everyMs: number) =>
  failed ? tried_at + Math.min(everyMs, RETRY_MS) : made_at + everyMs;

/** Clocks of several servers differ. What is later than this was written by one that was wrong. */
export const latestAt = (now: number) => now + RETRY_MS;

/** How often to look whether one is due, so that it does not come much later. */
export const lookEveryMs = (everyMs: number, atMostMs: number) =>
  Math.min(atMostMs, Math.max(1000, everyMs / 10));

export type BackupVerdict = 'ok' | 'late' | 'missing';

/** From which age on a backup is too old. */
const lateAfterMs = (everyMs: number) => 2 * everyMs;

/**
 * Whether somebody should be told. @param known.lastAt when the last backup was made @param known.since when the first
 * account was @param known.everyMs how often one is expected; 0 where that is nobody's business here
 */
export function judgeBackups(known: {
  now: number;
  everyMs: number;
  lastAt: number | undefined;
  since: number | undefined;
}): BackupVerdict {
  const { now, everyMs, lastAt, since } = known;
  const reference = lastAt ?? since;
  if (everyMs === 0 || reference === undefined || now - reference <= lateAfterMs(everyMs)) return 'ok';
  return lastAt === undefined ? 'missing' : 'late';
}

/** The later of both sources, without what is in the future; undefined without any. @param audited is not */
export function latest(
  now: number,
  audited: number | null | undefined,
  schedule: Schedule | undefined,
): number | undefined {
  const made = schedule?.made_at ?? 0;
  const at = Math.max(audited ?? 0, made > latestAt(now) ? 0 : made);
  return at > 0 ? at : undefined;
}
