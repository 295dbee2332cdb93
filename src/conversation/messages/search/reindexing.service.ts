import type { Database, Tx } from '#platform/db/index.ts';
import { type Clock, LOWEST_ID } from '#platform/ids.ts';
import { LEASE_MS, type Rest, startRounds } from '#platform/jobs/index.ts';
import type { MessageIndexJobRow } from '#schema';
import { indexAgain } from './indexing.ts';
import {
  anyDue,
  beginPass,
  claimOfOwner,
  deleteJob,
  listMarked,
  nextOwner,
  settleJob,
  wantReindexing,
} from './reindexing.store.ts';
import { objectMark, queryOfMark } from './search.store.ts';

/** Of the messages that mention an object, so many of the newest are found by its new name. */
export const MOST_REINDEXED = 10_000;
/** Few enough that other writers hardly wait. */
export const REINDEXED_AT_ONCE = 50;
/** From the end of one object's pass to the begin of its next one. */
export const PASS_EVERY_MS = 5000;

type Job = MessageIndexJobRow & { readonly place: number };

/**
 * Indexes messages anew that mention a renamed object: in the background, a few in each transaction, at a pace of its own.
 * A rename writes one row. However many renames an object has meanwhile, it has one pass at a time, and one more with its
 * newest name. Owners of applications take turns.
 */
export function reindexing(deps: {
  db: Database;
  clock: Clock;
  intervalMs: number;
  rest: Rest;
  onError: (error: unknown) => void;
}) {
  const { db, clock, intervalMs, rest, onError } = deps;
  let lastOwner = LOWEST_ID;

  async function onRenamed(tx: Tx, fact: { object: string; application: string }): Promise<void> {
    const { object: objectId, application: applicationId } = fact;
    await wantReindexing.run(tx, { objectId, applicationId, now: clock() });
    tx.afterCommit(rounds.wake);
  }

  /** @returns whether there may be more */
  async function work(): Promise<boolean> {
    if (!(await anyDue.first(db, { now: clock() }))) return false;
    const ownerId = (await dueAfter(lastOwner)) ?? (await dueAfter(LOWEST_ID));
    if (ownerId === undefined) return false;
    lastOwner = ownerId;
    const job = await db.write((tx) => claim(tx, ownerId));
    if (job) await carryOut(job);
    return true;
  }

  const dueAfter = async (after: string) => (await nextOwner.first(db, { after, now: clock() }))?.owner_id;

  /** Begins a pass where none is under way. @returns undefined where nothing is left to do */
  async function claim(tx: Tx, ownerId: string): Promise<Job | undefined> {
    const now = clock();
    const [row] = await claimOfOwner.all(tx, { ownerId, now, leaseUntil: now + LEASE_MS, limit: 1 });
    if (!row) return undefined;
    const { object_id: objectId, place } = row;
    if (place !== null) return { ...row, place };
    if (row.is_wanted === 0) return void (await deleteJob.run(tx, { objectId }));
    const begun = { place: Number.MAX_SAFE_INTEGER, num_left: MOST_REINDEXED };
    await beginPass.run(tx, { objectId, place: begun.place, numLeft: begun.num_left });
    return { ...row, ...begun };
  }

  async function carryOut(job: Job): Promise<void> {
    const mark = queryOfMark(db.dialect, objectMark(job.object_id));
    const limit = Math.min(REINDEXED_AT_ONCE, job.num_left);
    const found = await listMarked.all(db, { mark, before: job.place, limit });
    const ids = found.map(({ message_id }) => message_id);
    const isOver = found.length < REINDEXED_AT_ONCE || job.num_left <= REINDEXED_AT_ONCE;
    const next = isOver
      ? { place: null, num_left: 0, due_at: clock() + PASS_EVERY_MS }
      : { place: found.at(-1)?.place ?? null, num_left: job.num_left - found.length, due_at: clock() };
    await indexAgain({ db, clock }, ids, (tx) => settleJob.run(tx, { ...job, ...next }));
  }

  const rounds = startRounds({ work, intervalMs, rest, onError });
  return { onRenamed, stop: rounds.stop };
}
