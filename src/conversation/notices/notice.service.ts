import type { Database } from '#platform/db/index.ts';
import { type Clock, LOWEST_ID, newId } from '#platform/ids.ts';
import { lockedWork, type OnAttempt } from '#platform/jobs/index.ts';
import type { MessageRow, NoticeJobRow } from '#schema';
import type { MessageListener } from '../messages/index.ts';
import { expansion } from './expansion.ts';
import { insertJobs, noticeQueue, postponeJob } from './job.store.ts';
import { mentionedNames } from './mentions.ts';
import type { NoticeListener } from './notice.ts';

/** Limits of one transaction: the jobs it takes, and the people after whom it takes no further job. */
const LIMITS = { jobs: 20, work: 200 };

export type NoticeService = ReturnType<typeof noticeService>;

/**
 * Adds a job for each message that may concern people: one row, for a team of any size. A worker finds the people later, a
 * page in each transaction.
 */
export function noticeService(deps: { clock: Clock; listeners: () => readonly NoticeListener[] }) {
  const { clock, listeners } = deps;

  const onMessageChange: MessageListener = async (tx, change) => {
    if (change.kind === 'high_fived') {
      // A high five for one's own message gives no notice.
      if (change.message.author_id === change.userId) return;
    } else if (change.kind !== 'posted' || !concernsAnyone(change.message)) return;
    const now = clock();
    tx.gather(insertJobs, {
      id: newId(),
      kind: change.kind === 'posted' ? 'message' : 'high_five',
      message_id: change.message.id,
      cursor: LOWEST_ID,
      num_failures: 0,
      next_attempt_at: now,
      created_at: now,
    });
  };

  function concernsAnyone({ team_id, root_id, sidebar_id, text }: MessageRow): boolean {
    if (team_id === null || root_id !== null || sidebar_id !== null) return true;
    if (listeners().some(({ wantsTeamMessages }) => wantsTeamMessages(team_id))) return true;
    return text.includes('@') && mentionedNames(text).size > 0;
  }

  return { onMessageChange };
}

/** One round of the worker. */
export function noticeWork(deps: {
  db: Database;
  clock: Clock;
  listeners: () => readonly NoticeListener[];
  onAttempt: OnAttempt;
  onError: (error: unknown) => void;
}): () => Promise<boolean> {
  const { listeners, ...given } = deps;
  return lockedWork<NoticeJobRow>({
    ...given,
    queue: noticeQueue,
    limits: LIMITS,
    carryOut: expansion({ clock: deps.clock, listeners }),
    postpone: (tx, { id }, failed) => postponeJob.run(tx, { id, ...failed }),
  });
}
