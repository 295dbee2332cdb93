import type { Database, Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { MailJobRow } from '../schema/index.ts';
import { anyJobDue, deleteJob, holdDueJob, postponeJob } from './job.store.ts';
import { listDueBatches, postponeBatch } from './notification.store.ts';

const BATCHES = 50;
const POSTPONE_MS = 60_000;
const MAX_FAILURES = 10;

/**
 * One round: what was asked for in a transaction becomes mails in others. Each of them does a part of the work and
 * notes how far it came, all or nothing: a crash loses nothing, and two nodes do nothing twice.
 */
export function mailPreparation(deps: {
  db: Database;
  clock: Clock;
  expand: (tx: Tx, job: MailJobRow) => Promise<void>;
  collect: (tx: Tx, userId: string) => Promise<void>;
  issueReset: (tx: Tx, emailKey: string) => Promise<void>;
  onError: (error: unknown) => void;
}) {
  const { db, clock, expand, collect, issueReset, onError } = deps;

  return async function prepareDue(): Promise<boolean> {
    const worked = await carryOutJob();
    const collected = await collectBatches();
    return worked || collected;
  };

  /** @returns whether there was a job */
  async function carryOutJob(): Promise<boolean> {
    if (!(await anyJobDue.first(db, { now: clock() }))) return false;
    const failed: { job: MailJobRow; error: unknown }[] = [];
    const done = await db
      .write(async (tx) => {
        const job = await holdDueJob.first(tx, { now: clock() });
        if (!job) return false;
        await carryOut(tx, job).catch((error: unknown) => {
          failed.push({ job, error });
          throw error;
        });
        return true;
      })
      .catch((error: unknown) => {
        if (failed.length === 0) throw error;
        return true;
      });
    const last = failed.at(-1);
    if (last) await postpone(last.job, last.error);
    return done;
  }

  async function carryOut(tx: Tx, job: MailJobRow): Promise<void> {
    if (job.kind === 'message') return expand(tx, job);
    await issueReset(tx, job.email_key ?? '');
    await deleteJob.all(tx, { id: job.id });
  }

  async function postpone(job: MailJobRow, error: unknown): Promise<void> {
    onError(error);
    const num_failures = job.num_failures + 1;
    const next_attempt_at = num_failures === MAX_FAILURES ? null : clock() + POSTPONE_MS * num_failures;
    await db.write((tx) => postponeJob.all(tx, { id: job.id, num_failures, next_attempt_at }));
  }

  /** @returns whether there may be more */
  async function collectBatches(): Promise<boolean> {
    const due = await listDueBatches.all(db, { now: clock(), limit: BATCHES });
    for (const { user_id: userId } of due) {
      try {
        await db.write((tx) => collect(tx, userId));
      } catch (error) {
        onError(error);
        await db.write((tx) => postponeBatch.all(tx, { userId, dueAt: clock() + POSTPONE_MS }));
      }
    }
    return due.length === BATCHES;
  }
}
