import { useEffect, useState } from 'react';
import { signal } from './signal.ts';
import type { SessionUser, UserSummary } from './types.ts';

/** How a person says that they are. */
export type Whereabouts = Pick<UserSummary, 'status' | 'do_not_disturb_until'>;

/** What was heard since this window was opened, by user. One map, changed in place. */
const heard = signal(new Map<string, Whereabouts>());

export function noteWhereabouts(user: string, now: Whereabouts): void {
  heard.set(heard.get().set(user, now));
}

/** Earlier events may be stale. */
export function forgetWhereabouts(): void {
  heard.get().clear();
}

/** No timer is longer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Nobody is told when an end has passed, so it is watched here.
 * @param person as loaded, maybe some time ago
 */
export function useWhereabouts(person: { readonly id: string } & Whereabouts): Whereabouts {
  const { status, do_not_disturb_until: quiet } = heard.useSelected((all) => all.get(person.id)) ?? person;
  const [now, setNow] = useState(Date.now);
  const lasts = (until: number | null | undefined) => until === null || (until ?? 0) * 1000 > now;
  const ends = [status?.until, quiet].flatMap((until) => (until && lasts(until) ? until * 1000 : []));
  const next = Math.min(...ends);
  useEffect(() => {
    if (!Number.isFinite(next)) return undefined;
    const timer = setTimeout(() => setNow(Date.now()), Math.min(next - Date.now() + 50, LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  }, [next]);
  return {
    ...(status && lasts(status.until) && { status }),
    ...(quiet !== undefined && lasts(quiet) && { do_not_disturb_until: quiet }),
  };
}

/** How the reader is, as of others. */
export const ownOf = ({ id, status, do_not_disturb_until: quiet }: SessionUser) => ({
  id,
  ...(status && { status }),
  ...(quiet !== null && { do_not_disturb_until: quiet }),
});
