import type { Tx } from '#platform/db/index.ts';
import { cleaning, type OnAttempt, type Rest, type Rounds, startRounds } from '#platform/jobs/index.ts';
import { pause } from '#platform/pause.ts';
import {
  type NoticeListener,
  noticeService,
  noticeWork,
  purgeNotices,
  READERS,
} from '../conversation/notices/index.ts';
import { type AppParts, type Background, days } from './parts.ts';

/** How long a job that could not be carried out is kept for an operator to see. */
const KEPT_MS = days(30);
/** Messages that come within this time share a round. */
const GATHERED_MS = 20;
/** Finds whom messages concern, and tells the listeners (`noticed` in `consequences.ts`). */
export function joinNotices(
  parts: Pick<AppParts, 'db' | 'clock'>,
  deps: {
    listeners: () => readonly NoticeListener[];
    markUnread: (tx: Tx, userId: string, messageId: string) => Promise<void>;
    onAttempt: OnAttempt;
    background: Background;
  },
) {
  const { db, clock } = parts;
  const { listeners, markUnread, onAttempt, background } = deps;
  const { intervalMs, onError } = background;
  const gather = (stopping: AbortSignal) => pause(GATHERED_MS, stopping);
  // Whom a message concerns by name is part of posting it: only the other lane gives way to requests.
  const rests = [undefined, background.rest];
  const lanes = noticeWork({
    ...{ db, clock, listeners, markUnread, onAttempt, onError },
    wakeReaders: () => lanes[READERS]?.wake(),
  }).map((work, lane) => startLane(work, rests[lane]));

  /** A round that was asked for knows that there is something to do. */
  function startLane(work: (isKnown: boolean) => Promise<boolean>, rest: Rest | undefined): Rounds {
    let isKnown = false;
    const round = async () => {
      const known = isKnown;
      isKnown = false;
      const more = await work(known);
      isKnown ||= more;
      return more;
    };
    const rounds = startRounds({ work: round, gather, intervalMs, ...(rest && { rest }), onError });
    const wake = () => {
      isKnown = true;
      rounds.wake();
    };
    return { ...rounds, wake };
  }

  return {
    notices: noticeService({ clock, listeners, wake: lanes.map(({ wake }) => wake) }),
    housekeeping: [cleaning(db, purgeNotices, () => ({ before: clock() - KEPT_MS }))],
    start: () => {
      for (const lane of lanes) lane.wake();
    },
    stop: async () => {
      await Promise.all(lanes.map((lane) => lane.stop()));
    },
  };
}
