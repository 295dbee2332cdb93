import type { Database, Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { lockedWork, type OnAttempt } from '#platform/jobs/index.ts';
import type { MailJobRow, MailStreamRow } from '#schema';
import { deleteJob, jobQueue, postponeJob } from './job.store.ts';
import { listDueBatches, postponeBatch } from './notification.store.ts';
import { postponeStream, streamQueue } from './stream.store.ts';

const JOBS = 20;
const BATCHES = 50;
/** Limits of one transaction: the teams it takes, and the members after whom it takes no further team. */
const [STREAMS, MEMBERS] = [5, 200];
const POSTPONE_MS = 60_000;

/** One round: turns jobs, what teams have to tell, and notifications into mails. */
export function mailPreparation(deps: {
  db: Database;
  clock: Clock;
  /** Looks at some members of a team, and has them mailed. */
  walk: (tx: Tx, stream: MailStreamRow) => Promise<number>;
  digest: {
    findBound: () => Promise<string>;
    collect: (tx: Tx, userId: string, bound: string) => Promise<void>;
  };
  issueReset: (tx: Tx, emailKey: string) => Promise<void>;
  onAttempt: OnAttempt;
  onError: (error: unknown) => void;
}) {
  const { db, clock, walk, digest, issueReset, onAttempt, onError } = deps;

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

  const walkStreams = lockedWork<MailStreamRow>({
    db,
    clock,
    queue: streamQueue,
    limits: { jobs: STREAMS, work: MEMBERS },
    carryOut: walk,
    postpone: (tx, { team_id }, { num_failures, next_attempt_at: due_at }) =>
      postponeStream.run(tx, { team_id, num_failures, due_at }),
    onAttempt,
    onError,
  });

  return async function prepareDue(stopping: AbortSignal): Promise<boolean> {
    const worked = [await carryOutJobs(), await walkStreams(), await collectBatches(stopping)];
    return worked.includes(true);
  };

  /** @returns whether there may be more */
  async function collectBatches(stopping: AbortSignal): Promise<boolean> {
    const due = await listDueBatches.all(db, { now: clock(), limit: BATCHES });
    if (due.length === 0) return false;
    const bound = await digest.findBound();
    for (const { user_id: userId } of due) {
      if (stopping.aborted) return false;
      try {
        await db.write((tx) => digest.collect(tx, userId, bound));
      } catch (error) {
        onError(error);
        await db.write((tx) => postponeBatch.run(tx, { userId, dueAt: clock() + POSTPONE_MS }));
      }
    }
    return due.length === BATCHES;
  }
}
