import type { Database } from '#platform/db/index.ts';
import { type Clock, LOWEST_ID, newId } from '#platform/ids.ts';
import { lockedWork, type OnAttempt } from '#platform/jobs/index.ts';
import type { MessageRow, NoticeJobRow } from '#schema';
import type { MessageListener } from '../messages/index.ts';
import { expansion, type OnEarlier } from './expansion.ts';
import { insertJobs, NAMED, noticeQueue, postponeJob, READERS } from './job.store.ts';
import { mentionedNames } from './mentions.ts';
import type { NoticeListener } from './notice.ts';

/** Limits of one transaction: the jobs it takes, and the people after whom it takes no further job. */
const LIMITS = { jobs: 50, work: 200, atOnce: 10 };

export type NoticeService = ReturnType<typeof noticeService>;

/**
 * Adds a job for each message that may concern people: one row, for a team of any size. A worker finds the people later, a
 * page in each transaction.
 */
export function noticeService(deps: {
  clock: Clock;
  listeners: () => readonly NoticeListener[];
  /** Wakes the worker of each lane. */
  wake: readonly (() => void)[];
}) {
  const { clock, listeners, wake } = deps;

  const onMessageChange: MessageListener = async (tx, change) => {
    if (change.kind !== 'posted' && change.kind !== 'high_fived') return;
    const { kind, message } = change;
    const source = kind === 'posted' ? message.author_id : change.userId;
    // A high five for one's own message gives no notice.
    if (kind === 'high_fived' && message.author_id === source) return;
    const lane = kind === 'posted' ? laneOf(message) : NAMED;
    if (lane === undefined) return;
    const now = clock();
    tx.gather(insertJobs, {
      id: newId(),
      kind: kind === 'posted' ? 'message' : 'high_five',
      message_id: message.id,
      lane,
      source,
      cursor: LOWEST_ID,
      num_failures: 0,
      next_attempt_at: now,
      created_at: now,
    });
    tx.afterCommit(() => wake[lane]?.());
  };

  /** A message that calls people by name goes to the second lane after the first. */
  function laneOf({ team_id, root_id, sidebar_id, text }: MessageRow): number | undefined {
    if (team_id === null || root_id !== null || sidebar_id !== null) return NAMED;
    if (text.includes('@') && mentionedNames(text).size > 0) return NAMED;
    return listeners().some(({ ofTeams }) => ofTeams?.wants(team_id)) ? READERS : undefined;
  }

  return { onMessageChange };
}

/** One round of the worker of each lane. */
export function noticeWork(deps: {
  db: Database;
  clock: Clock;
  listeners: () => readonly NoticeListener[];
  wakeReaders: () => void;
  onEarlier: OnEarlier;
  onAttempt: OnAttempt;
  onError: (error: unknown) => void;
}): readonly ((isKnown: boolean) => Promise<boolean>)[] {
  const { listeners, wakeReaders, onEarlier, ...given } = deps;
  const carryOut = expansion({ clock: deps.clock, listeners, wakeReaders, onEarlier });
  return [NAMED, READERS].map((lane) =>
    lockedWork<NoticeJobRow>({
      ...given,
      queue: noticeQueue.lane(lane),
      limits: LIMITS,
      // Whom a message names is to know at once, however many others write.
      options: { ahead: lane === NAMED },
      carryOut,
      postpone: (tx, { id }, failed) => postponeJob.run(tx, { id, ...failed }),
    }),
  );
}
