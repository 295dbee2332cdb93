import { type Database, DatabaseUnavailable, type Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { type OnAttempt, retryAt } from '#platform/jobs/index.ts';
import type { MailJobRow } from '#schema';
import { deleteJob, jobQueue, postponeJob } from './job.store.ts';
import { listDueBatches, postponeBatch } from './notification.store.ts';

/** Limits of one transaction: this many jobs, and no further job after this many people. */
const JOBS = 20;
const PEOPLE = 200;
const BATCHES = 50;
const POSTPONE_MS = 60_000;
const MAX_FAILURES = 10;
const BACKOFF_MS = Array.from({ length: MAX_FAILURES - 1 }, (_, failures) => POSTPONE_MS * (failures + 1));

/** Names the job whose failure rolled the transaction back. */
class JobFailed extends Error {
  readonly job: MailJobRow;
  /** The database's error code, by which `write` recognises what to retry. */
  readonly code: string | undefined;

  constructor(job: MailJobRow, cause: unknown) {
    super('a mail job failed', { cause });
    this.job = job;
    this.code = (cause as { code?: string }).code;
  }
}

/**
 * One round: turns jobs and notifications into mails. Each transaction does a part of the work and saves how far it
 * came, so a crash loses nothing and two nodes do nothing twice.
 */
export function mailPreparation(deps: {
  db: Database;
  clock: Clock;
  expand: (tx: Tx, job: MailJobRow) => Promise<number>;
  collect: (tx: Tx, userId: string) => Promise<void>;
  issueReset: (tx: Tx, emailKey: string) => Promise<void>;
  onAttempt: OnAttempt;
  onError: (error: unknown) => void;
}) {
  const { db, clock, expand, collect, issueReset, onAttempt, onError } = deps;

  return async function prepareDue(): Promise<boolean> {
    const worked = await carryOutJobs();
    const collected = await collectBatches();
    return worked || collected;
  };

  /** Carries out a few jobs, or a part of a large one. @returns whether there was any */
  async function carryOutJobs(): Promise<boolean> {
    if (!(await jobQueue.anyDue.first(db, { now: clock() }))) return false;
    try {
      return await db.write(async (tx) => {
        const jobs = await jobQueue.lockDue.all(tx, { now: clock(), limit: JOBS });
        await carryOut(tx, jobs);
        return jobs.length > 0;
      });
    } catch (error) {
      if (!(error instanceof JobFailed) || error.cause instanceof DatabaseUnavailable) throw error;
      await postpone(error.job, error.cause);
      return true;
    }
  }

  async function carryOut(tx: Tx, jobs: readonly MailJobRow[]): Promise<void> {
    let people = 0;
    for (const job of jobs) {
      try {
        people += job.kind === 'message' ? await expand(tx, job) : await reset(tx, job);
      } catch (error) {
        throw new JobFailed(job, error);
      }
      if (people >= PEOPLE) return;
    }
  }

  async function reset(tx: Tx, job: MailJobRow): Promise<number> {
    await issueReset(tx, job.email_key ?? '');
    await deleteJob.run(tx, { id: job.id });
    return 1;
  }

  async function postpone(job: MailJobRow, error: unknown): Promise<void> {
    onError(error);
    const next_attempt_at = retryAt(clock(), BACKOFF_MS, job.num_failures);
    onAttempt(next_attempt_at === null ? 'given_up' : 'failed');
    const num_failures = job.num_failures + 1;
    await db.write((tx) => postponeJob.run(tx, { id: job.id, num_failures, next_attempt_at }));
  }

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
