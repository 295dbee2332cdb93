import type { Database, Tx } from '#platform/db/index.ts';
import { type Clock, LOWEST_ID, newId } from '#platform/ids.ts';
import { lockedWork, type OnAttempt } from '#platform/jobs/index.ts';
import { EDITS_CALL_MS, mentionedNames } from '#platform/text/index.ts';
import type { MessageRow, NoticeJobRow } from '#schema';
import { type MessageChange, type MessageListener, namesOfVersions } from '../messages/index.ts';
import { type EditCall, expansion } from './expansion.ts';
import { insertJobs, NAMED, noticeQueue, postponeJob, READERS } from './job.store.ts';
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
    if (change.kind === 'edited') return onEdited(tx, change);
    if (change.kind !== 'posted' && change.kind !== 'reacted') return;
    const { kind, message } = change;
    const source = kind === 'posted' ? message.author_id : change.userId;
    // A reaction to one's own message gives no notice.
    if (kind === 'reacted' && message.author_id === source) return;
    const lane = kind === 'posted' ? laneOf(message) : NAMED;
    if (lane === undefined) return;
    add(tx, { kind: kind === 'posted' ? 'message' : 'reaction', message_id: message.id, lane, source });
  };

  function add(
    tx: Tx,
    job: Pick<NoticeJobRow, 'kind' | 'message_id' | 'lane' | 'source'> & { call_json?: string },
  ): void {
    const now = clock();
    tx.gather(insertJobs, {
      id: newId(),
      cursor: LOWEST_ID,
      num_failures: 0,
      next_attempt_at: now,
      created_at: now,
      call_json: null,
      ...job,
    });
    tx.afterCommit(() => wake[job.lane]?.());
  }

  /** Soon after it was posted, an edit calls those whom no earlier text named. Everybody in a private conversation was told. */
  async function onEdited(tx: Tx, { message, byProgram }: MessageChange & { kind: 'edited' }): Promise<void> {
    const { id, text, format, sidebar_id, conversation_id, author_id: source } = message;
    if (sidebar_id !== null || conversation_id !== null || !text.includes('@')) return;
    if (clock() - message.created_at > EDITS_CALL_MS) return;
    const names = mentionedNames(text, format);
    for (const earlier of await namesOfVersions(tx, id)) for (const name of earlier) names.delete(name);
    if (names.size === 0) return;
    const call: EditCall = { names: [...names], byProgram };
    add(tx, { kind: 'edit', message_id: id, lane: NAMED, source, call_json: JSON.stringify(call) });
  }

  /** A message that calls people by name goes to the second lane after the first. */
  function laneOf({ team_id, root_id, sidebar_id, text, format }: MessageRow): number | undefined {
    if (team_id === null || root_id !== null || sidebar_id !== null) return NAMED;
    if (text.includes('@') && mentionedNames(text, format).size > 0) return NAMED;
    return listeners().some(({ ofTeams }) => ofTeams?.wants(team_id)) ? READERS : undefined;
  }

  /** Tells a person of a note of their own, as of a message of others. */
  const remind = (tx: Tx, { messageId, userId }: { messageId: string; userId: string }): void =>
    add(tx, { kind: 'reminder', message_id: messageId, lane: NAMED, source: userId });

  return { onMessageChange, remind };
}

/** One round of the worker of each lane. */
export function noticeWork(deps: {
  db: Database;
  clock: Clock;
  listeners: () => readonly NoticeListener[];
  wakeReaders: () => void;
  /** Gives a message back to a person who has read it without their name. */
  markUnread: (tx: Tx, userId: string, messageId: string) => Promise<void>;
  onAttempt: OnAttempt;
  onError: (error: unknown) => void;
}): readonly ((isKnown: boolean) => Promise<boolean>)[] {
  const { listeners, wakeReaders, markUnread, ...given } = deps;
  const carryOut = expansion({ clock: deps.clock, listeners, wakeReaders, markUnread });
  return [NAMED, READERS].map((lane) =>
    lockedWork<NoticeJobRow>({
      ...given,
      queue: noticeQueue.track(lane),
      limits: LIMITS,
      // Whom a message names is to know at once, however many others write.
      options: { ahead: lane === NAMED },
      carryOut,
      postpone: (tx, { id }, failed) => postponeJob.run(tx, { id, ...failed }),
    }),
  );
}
