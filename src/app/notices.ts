import { type OnAttempt, type Rounds, startRounds } from '#platform/jobs/index.ts';
import {
  type NoticeListener,
  noticeService,
  noticeWork,
  purgeNotices,
} from '../conversation/notices/index.ts';
import { type AppParts, type Background, days } from './parts.ts';

/** How long a job that could not be carried out is kept for an operator to see. */
const KEPT_MS = days(30);

/** Finds whom messages concern, and tells the listeners (`noticed` in `consequences.ts`). */
export function joinNotices(
  parts: Pick<AppParts, 'db' | 'clock'>,
  deps: { listeners: () => readonly NoticeListener[]; onAttempt: OnAttempt; background: Background },
) {
  const { db, clock } = parts;
  const { listeners, onAttempt, background } = deps;
  const { intervalMs, rest, onError } = background;
  const work = noticeWork({ db, clock, listeners, onAttempt, onError });
  const rounds: Rounds = startRounds({ work, intervalMs, rest, onError });
  return {
    notices: noticeService({ clock, listeners }),
    housekeeping: [() => db.write((tx) => purgeNotices.run(tx, { before: clock() - KEPT_MS }))],
    start: rounds.wake,
    stop: rounds.stop,
  };
}
