import type { Database, Tx } from '#platform/db/index.ts';
import { type Clock, LOWEST_ID } from '#platform/ids.ts';
import { LEASE_MS, type OnAttempt, startRounds } from '#platform/jobs/index.ts';
import type { ErasureRow } from '#schema';
import { beginErasure, claimDueErasures, finishErasure, renewErasure, saveErasure } from './erasure.store.ts';
import type { Step } from './step.ts';

const TEAMS_AT_ONCE = 20;

export interface Erasure {
  /**
   * Begins a job once the transaction is committed. One that is under way for the same person, team or application begins
   * at its first step again, or gives way to another kind.
   */
  later(tx: Tx, kind: Exclude<ErasureRow['kind'], 'team'>, subjectId: string): Promise<void>;
  /** Has the teams erased that were deleted too long ago to be restored. */
  beginTeams(): Promise<void>;
  /** Goes on with what is due. */
  wake(): void;
  stop(): Promise<void>;
}

/**
 * Erases, and tells, what is too much for one transaction, in portions of a few hundred rows at most. Each portion is a
 * transaction that also saves how far it has come, so after a crash another node goes on from there. Jobs take turns, so
 * that a short one does not wait for the end of a long one.
 */
export function erasureService(deps: {
  db: Database;
  clock: Clock;
  /** In order; a row of `erasures` holds the number of its step. */
  steps: Record<ErasureRow['kind'], readonly Step[]>;
  /** Gives teams that are due, each to one caller. */
  claimTeams: (tx: Tx, limit: number) => Promise<readonly { readonly id: string }[]>;
  intervalMs: number;
  onAttempt: OnAttempt;
  onError: (error: unknown) => void;
}): Erasure {
  const { db, clock, steps, claimTeams, intervalMs, onAttempt, onError } = deps;

  async function begin(tx: Tx, kind: ErasureRow['kind'], subjectId: string): Promise<void> {
    const now = clock();
    await beginErasure.run(tx, {
      subject_id: subjectId,
      kind,
      step: 0,
      place: LOWEST_ID,
      due_at: now,
      lease_until: 0,
    });
  }

  async function later(tx: Tx, kind: ErasureRow['kind'], subjectId: string): Promise<void> {
    await begin(tx, kind, subjectId);
    tx.afterCommit(rounds.wake);
  }

  async function beginTeams(): Promise<void> {
    await db.write(async (tx) => {
      for (const { id } of await claimTeams(tx, TEAMS_AT_ONCE)) await begin(tx, 'team', id);
    });
    rounds.wake();
  }

  /** Erases one portion, and lets the other jobs have their turn. @returns whether it was the last one */
  function portion(job: ErasureRow): Promise<boolean> {
    return db.write(async (tx) => {
      const begun = clock();
      const lease = { held: job.lease_until, until: begun + LEASE_MS, now: begun };
      if (!(await renewErasure.first(tx, { id: job.subject_id, ...lease }))) return false;
      const step = steps[job.kind][job.step];
      if (!step) {
        await finishErasure.run(tx, { id: job.subject_id });
        return true;
      }
      const place = await step.erase(tx, job.subject_id, job.place);
      const next =
        place === undefined
          ? { step: job.step + 1, place: LOWEST_ID, due_at: clock() + (step.pauseMs ?? 0) }
          : { step: job.step, place, due_at: clock() };
      await saveErasure.run(tx, { ...next, subject_id: job.subject_id, lease_until: 0 });
      return false;
    });
  }

  async function work(): Promise<boolean> {
    const [job] = await claimDueErasures(db, clock, 1);
    // A job that fails is tried again after its lease. Other jobs go on meanwhile.
    if (!job) return false;
    try {
      if (await portion(job)) onAttempt('succeeded');
    } catch (error) {
      onAttempt('failed');
      onError(error);
    }
    return true;
  }

  const rounds = startRounds({ work, intervalMs, onError });
  return { later, beginTeams, wake: rounds.wake, stop: rounds.stop };
}
