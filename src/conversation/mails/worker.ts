import type { Database, Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { lockedWork, type OnAttempt } from '#platform/jobs/index.ts';
import type { MailJobRow } from '#schema';
import { deleteJob, jobQueue, postponeJob } from './job.store.ts';
import { listDueBatches, postponeBatch } from './notification.store.ts';

const JOBS = 20;
const BATCHES = 50;
const POSTPONE_MS = 60_000;

/** One round: turns jobs and notifications into mails. */
export function mailPreparation(deps: {
  db: Database;
  clock: Clock;
  collect: (tx: Tx, userId: string) => Promise<void>;
  issueReset: (tx: Tx, emailKey: string) => Promise<void>;
  onAttempt: OnAttempt;
  onError: (error: unknown) => void;
}) {
  const { db, clock, collect, issueReset, onAttempt, onError } = deps;

  const carryOutJobs = lockedWork<MailJobRow>({
    db,
    clock,
    queue: jobQueue,
    limits: { jobs: JOBS, work: JOBS },
    carryOut: async (tx, job) => {
      await issueReset(tx, job.email_key);
      await deleteJob.run(tx, { id: job.id });
      return 1;
    },
    postpone: (tx, { id }, failed) => postponeJob.run(tx, { id, ...failed }),
    onAttempt,
    onError,
  });

  return async function prepareDue(): Promise<boolean> {
    const worked = await carryOutJobs();
    const collected = await collectBatches();
    return worked || collected;
  };

  /** @returns whether there may be more */
  async function collectBatches(): Promise<boolean> {
    const due = await listDueBatches.all(db, { now: clock(), limit: BATCHES });
    for (const { user_id: userId } of due) {
      try {
        await db.write((tx) => collect(tx, userId));
      } catch (error) {
        onError(error);
        await db.write((tx) => postponeBatch.run(tx, { userId, dueAt: clock() + POSTPONE_MS }));
      }
    }
    return due.length === BATCHES;
  }
}
