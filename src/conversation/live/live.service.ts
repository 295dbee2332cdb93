import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { cleaning, isDue, startRounds } from '#platform/jobs/index.ts';
import { pause } from '#platform/pause.ts';
import type { NewEvent } from './catalogue.ts';
import type { Describe } from './describe.ts';
import { findUnplaced, insertEvent, notify, placing, placingAtOnce, purgeEvents } from './event.store.ts';
import { liveHub } from './hub.ts';
import { presence } from './presence.ts';
import { Stream } from './stream.ts';
import { passingTyping } from './typing.ts';

const CHANNEL = 'parley_events';
/** How long commits of other writers are batched before they get their places: one notification for all of them. */
const BATCH_MS = 3;
/** Clients that lose their stream reconnect after this time, or up to twice as long. */
export const RETRY_MS = 2000;
/**
 * How long after their last stream users stay online: they may reload the page, or lose the connection for a moment.
 */
export const PRESENCE_GRACE_MS = 3 * RETRY_MS;
/** How often to ask whose sessions are good, beside the events that tell of their ends. */
const LOOK_EVERY_MS = 5000;
export const BEAT_EVERY_MS = 25_000;
const RENEW_EVERY_MS = 30_000;

export type LiveService = ReturnType<typeof liveService>;

export function liveService(deps: {
  db: Database;
  clock: Clock;
  describe: Describe;
  /** @returns when those among these sessions end that are good */
  sessionEnds: (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  /** How often to look whether another process wrote something, in milliseconds. */
  intervalMs: number;
  /** How long a client may be away and still resume. */
  keptMs: number;
  onError: (error: unknown) => void;
}) {
  const { db, clock, describe, sessionEnds, intervalMs, keptMs, onError } = deps;
  const hub = liveHub({
    ...{ db, clock, describe, sessionEnds },
    emit: (event) => void db.write((tx) => emit(tx, event)).catch(onError),
  });
  const here = presence({ db, clock, intervalMs, emit, onError });
  const typing = passingTyping({
    ...{ db, clock, onError },
    pass: hub.pass,
    notify: (tx, said) => notify(tx, CHANNEL, said),
  });
  const online = new Set<string>();
  /** Users without a stream, and when each goes offline. */
  const goodbyes = new Map<string, number>();
  const listeners = new Set<() => void>();
  /** The last round of sending failed. */
  let isBehind = false;
  /** How many transactions have left events without a place. */
  let unplaced = 0;
  let stopped = false;
  let [lookAt, beatAt, renewAt] = [0, clock() + BEAT_EVERY_MS, clock() + RENEW_EVERY_MS];

  /** Stores an event in the transaction that causes it; it is sent once that is durable. */
  async function emit(tx: Tx, event: NewEvent): Promise<void> {
    insertEvent(tx, event, clock());
    const attempt = { channel: CHANNEL, isPlaced: db.dialect === 'sqlite' };
    // Where others wait for places already, one transaction gives all of them.
    if (!attempt.isPlaced && unplaced === 0) tx.gather(placingAtOnce, attempt);
    tx.afterCommit(() => {
      if (!attempt.isPlaced) unplaced += 1;
      sending.wake();
    });
  }

  /** One round at a time: each waits for the one lock of all nodes, on a connection that others need. */
  const sending = startRounds({
    gather: (stopping) => (db.dialect === 'postgres' ? pause(BATCH_MS, stopping) : nextTurn()),
    work: send,
    onError: (error) => {
      isBehind = true;
      onError(error);
    },
  });

  /** Gives what was committed until now its place, and sends it. */
  async function send(): Promise<void> {
    isBehind = false;
    await place();
    if (db.dialect === 'sqlite') tellListeners();
    await hub.pump();
  }

  function tellListeners(): void {
    for (const listener of listeners) listener();
  }

  /** Calls `listener` when events have got their places, on any node. Some calls get lost. @returns how to stop it */
  function onPlaced(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  async function place(): Promise<void> {
    const known = unplaced;
    if (known === 0) return;
    await db.write(async (tx) => tx.gather(placing, CHANNEL), { ahead: true });
    unplaced -= known;
  }

  const stopListening = db.listen(CHANNEL, (said, isOwn) => {
    if (said !== '') return typing.hear(said);
    tellListeners();
    // The round that gave the places hands out their events.
    if (!isOwn) void hub.pump().catch(onError);
  });
  const ticks = startRounds({ work: tick, intervalMs, onError });

  async function tick(): Promise<void> {
    const now = clock();
    for (const [userId, at] of goodbyes) if (isDue(now, at, PRESENCE_GRACE_MS)) sayGoodbye(userId);
    // Before anything that reads: a stream stays open while the database is away.
    if (isDue(now, beatAt, BEAT_EVERY_MS)) {
      beatAt = now + BEAT_EVERY_MS;
      for (const stream of hub.streams()) stream.beat();
    }
    if (unplaced === 0 && (await isUnplaced())) unplaced = 1;
    if (isBehind || unplaced > 0) sending.wake();
    await hub.pump();
    await hub.closeExpired();
    if (isDue(now, lookAt, LOOK_EVERY_MS)) {
      lookAt = now + LOOK_EVERY_MS;
      await hub.closeEnded();
    }
    if (isDue(now, renewAt, RENEW_EVERY_MS)) {
      renewAt = now + RENEW_EVERY_MS;
      await here.renew(hub.hasStreams());
    }
  }

  /** A node that died, or the command line, may have left events without a place. */
  const isUnplaced = async () =>
    db.dialect === 'postgres' && (await findUnplaced.first(db, {})) !== undefined;

  function arrive(userId: string): void {
    goodbyes.delete(userId);
    if (online.has(userId)) return;
    online.add(userId);
    here.move(userId, true);
  }

  const depart = (userId: string) => void goodbyes.set(userId, clock() + PRESENCE_GRACE_MS);

  function sayGoodbye(userId: string): void {
    goodbyes.delete(userId);
    online.delete(userId);
    here.move(userId, false);
  }

  /** @param lastPlace the `Last-Event-ID` of a client that resumes */
  async function open(
    who: { userId: string; sessionId: string },
    response: ServerResponse,
    lastPlace: number | undefined,
  ): Promise<void> {
    const stream = new Stream(who.userId, who.sessionId, response);
    const leave = () => {
      if (hub.close(stream) && !stopped) depart(who.userId);
    };
    response.on('close', leave);
    response.on('error', () => response.destroy());
    try {
      await hub.open(stream, lastPlace);
    } catch (error) {
      // The response has begun, so only closing it makes the client reconnect.
      stream.close();
      onError(error);
    }
    // A stream that closed while it was opened is known to the hub only now.
    if (stream.isClosed) leave();
    else arrive(who.userId);
  }

  /** Ends every stream. Its users stay online until their leases end: most of them come back at once. */
  async function stop(): Promise<void> {
    stopped = true;
    const rounds = [ticks.stop(), sending.stop(), here.stop(), typing.stop()];
    for (const stream of hub.streams()) stream.close();
    hub.stop();
    stopListening();
    await Promise.all(rounds);
  }

  const purge = cleaning(db, purgeEvents, () => ({ before: clock() - keptMs }));

  const countStreams = () => hub.streams().length;

  return {
    emit,
    onPlaced,
    open,
    onInvisible: here.onInvisible,
    purge,
    stop,
    countStreams,
    tellTyping: typing.tell,
  };
}
