import { cleaning, giveWay, type OnAttempt, startRounds } from '#platform/jobs/index.ts';
import { pause } from '#platform/pause.ts';
import {
  type NoticeListener,
  noticeService,
  noticeWork,
  purgeNotices,
} from '../conversation/notices/index.ts';
import { type AppParts, type Background, days } from './parts.ts';

/** How long a job that could not be carried out is kept for an operator to see. */
const KEPT_MS = days(30);
/** Messages that come within this time share a round. */
const GATHERED_MS = 20;
/** Whom a message concerns by name is part of posting it: that gives way to requests for as long as it takes, at most. */
const NAMED_REST = 1;

/** Finds whom messages concern, and tells the listeners (`noticed` in `consequences.ts`). */
export function joinNotices(
  parts: Pick<AppParts, 'db' | 'clock'>,
  deps: {
    listeners: () => readonly NoticeListener[];
    onEarlier: Parameters<typeof noticeWork>[0]['onEarlier'];
    onAttempt: OnAttempt;
    background: Background;
  },
) {
  const { db, clock } = parts;
  const { listeners, onEarlier, onAttempt, background } = deps;
  const { intervalMs, onError } = background;
  const [named, readers] = noticeWork({
    ...{ db, clock, listeners, onEarlier, onAttempt, onError },
    wakeReaders: () => lanes[1].wake(),
  }) as [() => Promise<boolean>, () => Promise<boolean>];
  const gather = (stopping: AbortSignal) => pause(GATHERED_MS, stopping);
  const rest = giveWay({ most: NAMED_REST, writersWait: () => db.waitingWriters > 0 });
  const lanes = [
    startRounds({ work: named, gather, intervalMs, rest, onError }),
    startRounds({ work: readers, gather, intervalMs, rest: background.rest, onError }),
  ] as const;
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
