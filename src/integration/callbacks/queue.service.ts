import type { Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { ApplicationRow, CallbackQueueRow } from '#schema';
import type { ApplicationService } from '../applications/index.ts';
import { insertQueue, lockQueue, resumeQueue, updateQueue } from './queue.store.ts';

const MINUTE_MS = 60_000;

/** Calls to an application pause after this many failures in a row over at least this time. */
export const FAILURES_BEFORE_PAUSE = 5;
export const FAILING_BEFORE_PAUSE_MS = MINUTE_MS;
/** After each pause one call is made. While that fails, the next pause is longer; the last length stays. */
export const PAUSES_MS = [5, 15, 60, 240].map((minutes) => minutes * MINUTE_MS);
/** An application that asks for more with Retry-After is called after this long. */
const MAX_ASKED_PAUSE_MS = 60 * MINUTE_MS;

/** Called in the transaction in which the calls to an application pause for the first time since they succeeded. */
export type PauseListener = (
  tx: Tx,
  pause: {
    readonly application: ApplicationRow;
    readonly failingSince: number;
    readonly until: number;
  },
) => Promise<void>;

/** How calls to one receiver have fared since the last success. */
type CallRecord = Pick<CallbackQueueRow, 'num_failures' | 'failing_since' | 'num_pauses' | 'paused_until'>;

/** The record after one more failure. @param askedPauseMs how long the receiver asked to be left alone */
export function afterFailure(
  before: CallRecord,
  now: number,
  askedPauseMs: number,
): CallRecord & { readonly failing_since: number } {
  const num_failures = before.num_failures + 1;
  const failing_since = before.failing_since ?? now;
  const lasts = now - failing_since >= FAILING_BEFORE_PAUSE_MS;
  const pauses = num_failures >= FAILURES_BEFORE_PAUSE && lasts;
  const ownPause = pauses ? (PAUSES_MS[before.num_pauses] ?? (PAUSES_MS.at(-1) as number)) : 0;
  const until = now + Math.max(ownPause, Math.min(askedPauseMs, MAX_ASKED_PAUSE_MS));
  return {
    num_failures,
    failing_since,
    num_pauses: before.num_pauses + Number(pauses),
    paused_until: Math.max(before.paused_until, until),
  };
}

export type QueueService = ReturnType<typeof queueService>;

/** Keeps an application that fails from being called again and again, as all nodes see it. */
export function queueService(deps: {
  clock: Clock;
  applications: ApplicationService;
  onPause: PauseListener;
}) {
  const { clock, applications, onPause } = deps;

  const open = (tx: Tx, applicationId: string) => insertQueue.run(tx, { applicationId });

  const succeeded = (tx: Tx, applicationId: string) => resumeQueue.run(tx, { applicationId });

  /** @param askedPauseMs how long the application asked to be left alone */
  async function failed(tx: Tx, applicationId: string, askedPauseMs: number): Promise<void> {
    const queue = await lockQueue.first(tx, { applicationId });
    if (!queue) return;
    const after = afterFailure(queue, clock(), askedPauseMs);
    await updateQueue.run(tx, { application_id: applicationId, ...after });
    const isFirst = queue.num_pauses === 0 && after.num_pauses === 1;
    const application = isFirst ? await applications.byId(tx, applicationId) : undefined;
    if (application)
      await onPause(tx, { application, failingSince: after.failing_since, until: after.paused_until });
  }

  return { open, succeeded, failed };
}
