import { InvalidFields, timestamp } from '#api';
import { readEmoji } from '#platform/text/index.ts';
import type { UserRow } from '#schema';

/** A status, as it is stored. */
interface Stored {
  readonly emoji: string | null;
  readonly text: string;
  /** In milliseconds; null for good. */
  readonly until: number | null;
}

export interface GivenStatus {
  readonly emoji?: string | null;
  readonly text?: string;
  /** In seconds; null for good. */
  readonly until?: number | null;
}

/** The same as others see it. */
export interface ShownStatus {
  emoji: string | null;
  text: string;
  until: number | null;
}

export type StatusColumns = Pick<UserRow, 'status_json' | 'status_until' | 'do_not_disturb_until'>;

/** The fields of a person who has a status or is not to be disturbed; not of a closed account. An end is judged when it is read. */
export function whereaboutsOf(
  { status_json, do_not_disturb_until, active }: Partial<StatusColumns & Pick<UserRow, 'active'>>,
  now: number,
): { status?: ShownStatus; do_not_disturb_until?: number } {
  if (active === 0) return {};
  const status = status_json ? (JSON.parse(status_json) as Stored) : undefined;
  const isShown = status !== undefined && (status.until === null || status.until > now);
  return {
    ...(isShown && {
      status: { ...status, until: status.until === null ? null : timestamp(status.until) },
    }),
    ...(do_not_disturb_until !== undefined &&
      do_not_disturb_until > now && { do_not_disturb_until: timestamp(do_not_disturb_until) }),
  };
}

/** @returns the columns of a status; null takes it away @throws InvalidFields */
export function readStatus(
  given: GivenStatus | null,
  now: number,
): Pick<StatusColumns, 'status_json' | 'status_until'> {
  const { emoji: named = null, text = '', until = null } = given ?? {};
  if ((named === null || named === '') && text === '') return { status_json: null, status_until: null };
  const emoji = named === null || named === '' ? null : readEmoji(named)?.given;
  if (emoji === undefined) throw wrong('status.emoji', 'must be one emoji');
  const status_until = until === null ? null : readEnd('status.until', until, now);
  const status: Stored = { emoji, text, until: status_until };
  return { status_json: JSON.stringify(status), status_until };
}

/** @param seconds null, or a time that has passed, ends it at once @returns milliseconds */
export const readQuiet = (seconds: number | null, now: number): number =>
  seconds === null || seconds * 1000 <= now ? 0 : readEnd('do_not_disturb_until', seconds, now);

const LONGEST_MS = 366 * 24 * 3600 * 1000;

/** @throws InvalidFields for a time that is over, or more than a year away */
function readEnd(field: string, seconds: number, now: number): number {
  const until = Math.round(seconds * 1000);
  if (until <= now || until > now + LONGEST_MS)
    throw wrong(field, 'must be a time in seconds that lies ahead, within a year');
  return until;
}

const wrong = (field: string, message: string) => new InvalidFields({ field, message });
