import type { Database, Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import {
  cleaning,
  lockedWork,
  type OnAttempt,
  type Rest,
  type Rounds,
  startRounds,
} from '#platform/jobs/index.ts';
import type { ScheduledRow } from '#schema';
import type { UnsentReason } from './scheduled.schema.ts';
import type { TellScheduled } from './scheduled.service.ts';
import { markSent, markUnsent, postponeScheduled, purgeSent, scheduledQueue } from './scheduled.store.ts';
import { reasonOf, type Sending } from './sending.ts';

/** What is later than this is not sent: its author is asked. */
export const LATE_MS = 3600 * 1000;
/** What was sent is listed for so long. */
export const SENT_KEPT_MS = 7 * 24 * 3600 * 1000;

/** Each has a transaction of its own: two that wait for each other's teams would be undone together. */
const LIMITS = { jobs: 1, work: 1 };

/**
 * Sends what is due. A row is locked, posted and marked as sent in one transaction: a crash undoes all of it, and two nodes
 * never have the same one.
 */
export function scheduledSender(deps: {
  db: Database;
  clock: Clock;
  sending: Sending;
  tell: TellScheduled;
  intervalMs: number;
  rest: Rest;
  onAttempt: OnAttempt;
  onError: (error: unknown) => void;
}) {
  const { db, clock, sending, tell, intervalMs, rest, onAttempt, onError } = deps;
  /** Why some rows are not sent, from the transaction that is undone to the one that says so. */
  const refusals = new WeakMap<ScheduledRow, UnsentReason>();
  const refused = new WeakSet<object>();

  async function carryOut(tx: Tx, row: ScheduledRow): Promise<number> {
    const isLate = clock() - row.send_at > LATE_MS;
    // A reminder asks its person by itself.
    if (isLate && row.kind === 'message') {
      await settle(tx, row, 'late');
      return 1;
    }
    try {
      const messageId = await sending.send(tx, row, { isLate });
      await markSent.run(tx, { id: row.id, messageId, now: clock() });
      await tell(tx, row.user_id, { ...row, status: 'sent' });
      return 1;
    } catch (error) {
      const reason = reasonOf(error);
      if (reason !== undefined) {
        refusals.set(row, reason);
        refused.add(error as object);
      }
      throw error;
    }
  }

  /** Keeps it with its reason, unless another node was faster, and asks its author. */
  async function settle(tx: Tx, row: ScheduledRow, reason: UnsentReason): Promise<void> {
    const status = reason === 'late' ? 'late' : 'failed';
    const { id, num_failures } = row;
    if (!(await markUnsent.first(tx, { id, num_failures, status, reason, now: clock() }))) return;
    await tell(tx, row.user_id, { ...row, status });
    await sending.ask(tx, row.user_id);
  }

  const work = lockedWork<ScheduledRow>({
    ...{ db, clock },
    queue: scheduledQueue.track(),
    limits: LIMITS,
    carryOut,
    async postpone(tx, row, { num_failures, next_attempt_at: due_at }) {
      const reason = refusals.get(row) ?? (due_at === null ? 'error' : undefined);
      if (reason !== undefined) await settle(tx, row, reason);
      else await postponeScheduled.run(tx, { id: row.id, num_failures, due_at });
    },
    onAttempt,
    onError: (error) => {
      // A refusal is no fault of the server.
      if (!(typeof error === 'object' && error !== null && refused.has(error))) onError(error);
    },
  });

  const rounds: Rounds = startRounds({ work: () => work(), intervalMs, rest, onError });
  return {
    ...rounds,
    housekeeping: [cleaning(db, purgeSent, () => ({ before: clock() - SENT_KEPT_MS }))],
  };
}
