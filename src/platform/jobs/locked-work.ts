import { type Database, DatabaseUnavailable, type Tx, together, type WriteOptions } from '../db/index.ts';
import type { Clock } from '../ids.ts';
import type { OnAttempt } from './attempt.ts';
import { type LockedQueue, retryAt } from './queue.ts';

const POSTPONE_MS = 60_000;
const MAX_FAILURES = 10;
const BACKOFF_MS = Array.from({ length: MAX_FAILURES - 1 }, (_, failures) => POSTPONE_MS * (failures + 1));

/** Names the job whose failure rolled the transaction back. */
class JobFailed<Job> extends Error {
  readonly job: Job;
  /** The database's error code, by which `write` recognises what to retry. */
  readonly code: string | undefined;

  constructor(job: Job, cause: unknown) {
    super('a job failed', { cause });
    this.job = job;
    this.code = (cause as { code?: string }).code;
  }
}

/** Limits of one transaction. */
interface Limits {
  readonly jobs: number;
  /** No further job after this much work. */
  readonly work: number;
  /** Jobs that are carried out together, so that their statements share round trips; one, where it is absent. */
  readonly atOnce?: number;
}

/**
 * One round of a queue whose rows are locked while they are carried out. Each transaction does a part of the work and
 * saves how far it came, so a crash loses nothing and two nodes do nothing twice.
 * @param deps.carryOut does the job or a part of it, and deletes the row or moves it on. Gives how much work it was
 * @param deps.postpone writes when a job that failed is tried again
 * @param deps.options of the transactions
 * @returns a round, which gives whether there was any job. One that knows of a job does not look whether there is any
 */
export function lockedWork<Job extends { num_failures: number }>(deps: {
  db: Database;
  clock: Clock;
  queue: Pick<LockedQueue<Job>, 'anyDue'> & {
    readonly lockDue: { all(tx: Tx, p: { now: number; limit: number }): Promise<Job[]> };
    readonly onCarriedOut?: (job: Job) => void;
  };
  limits: Limits;
  carryOut: (tx: Tx, job: Job) => Promise<number>;
  postpone: (
    tx: Tx,
    job: Job,
    failed: { num_failures: number; next_attempt_at: number | null },
  ) => Promise<unknown>;
  options?: WriteOptions;
  onAttempt: OnAttempt;
  onError: (error: unknown) => void;
}): (isKnown?: boolean) => Promise<boolean> {
  const { db, clock, queue, limits, carryOut, postpone, options, onAttempt, onError } = deps;
  const { atOnce = 1 } = limits;

  async function carryOutAll(tx: Tx, jobs: readonly Job[]): Promise<void> {
    let work = 0;
    for (let begun = 0; begun < jobs.length && work < limits.work; begun += atOnce) {
      const some = jobs.slice(begun, begun + atOnce);
      // After a failed statement, PostgreSQL refuses those of the other jobs as well: the first failure counts.
      let failed: JobFailed<Job> | undefined;
      const attempt = async (job: Job) => {
        try {
          work += await carryOut(tx, job);
          queue.onCarriedOut?.(job);
        } catch (error) {
          failed ??= new JobFailed(job, error);
        }
      };
      await together(some.map(attempt));
      if (failed) throw failed;
    }
  }

  async function fail(job: Job, error: unknown): Promise<void> {
    onError(error);
    // A failure is a turn too: somebody's refused jobs hold nobody else up.
    queue.onCarriedOut?.(job);
    const next_attempt_at = retryAt(clock(), BACKOFF_MS, job.num_failures);
    onAttempt(next_attempt_at === null ? 'given_up' : 'failed');
    await db.write((tx) => postpone(tx, job, { num_failures: job.num_failures + 1, next_attempt_at }));
  }

  return async (isKnown = false) => {
    if (!isKnown && !(await queue.anyDue.first(db, { now: clock() }))) return false;
    try {
      return await db.write(async (tx) => {
        const jobs = await queue.lockDue.all(tx, { now: clock(), limit: limits.jobs });
        await carryOutAll(tx, jobs);
        return jobs.length > 0;
      }, options);
    } catch (error) {
      if (!(error instanceof JobFailed)) throw error;
      if (error.cause instanceof DatabaseUnavailable) throw error.cause;
      await fail(error.job as Job, error.cause);
      return true;
    }
  };
}
