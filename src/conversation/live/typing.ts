import { randomUUID } from 'node:crypto';
import type { Database, Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { startRounds } from '#platform/jobs/index.ts';
import { pause } from '#platform/pause.ts';
import type { Hearers, Typing } from '../messages/index.ts';

/** As long, others show that somebody types. */
export const TYPING_SHOWN_MS = 6000;
/** Of one person in one place. */
const TYPING_EVERY_MS = 3000;
/** Of one place at a time. */
export const MOST_TYPING = 3;
/** Places in which somebody types. In others nobody is told until some of these are quiet. */
const MOST_PLACES = 20_000;
/** How long others are awaited who type, so that one notification tells the other nodes of them all. */
const GATHER_MS = 100;
/** Of these, while the database is slow or away: more are dropped. */
const MOST_WAITING = 500;
/** PostgreSQL refuses 8000 (NOTIFY). */
const LONGEST_SAID = 7900;

/** A typing person, and those who may hear of it. */
export interface TypingToPass {
  readonly typing: Typing;
  readonly hearers: Hearers;
}

/** The text of a notification from one node to the others. */
interface Said {
  readonly node: string;
  readonly all: readonly TypingToPass[];
}

/**
 * Passes on that people type: to the streams here at once, and to other nodes by a notification. It is written to no
 * table. What would be too much, or would make somebody wait, is dropped.
 */
export function passingTyping(deps: {
  db: Database;
  clock: Clock;
  /** Hands it to the streams of this node. */
  pass: (one: TypingToPass) => void;
  notify: (tx: Tx, said: string) => Promise<unknown>;
  onError: (error: unknown) => void;
}) {
  const { db, clock, pass, notify, onError } = deps;
  const node = randomUUID();
  const pace = typingPace(clock);
  let waiting: TypingToPass[] = [];
  const telling = startRounds({
    gather: (stopping) => pause(GATHER_MS, stopping),
    work: tellOthers,
    onError,
  });

  function tell(typing: Typing, hearers: Hearers): void {
    if (!pace.admits(typing)) return;
    const one = { typing, hearers };
    pass(one);
    if (db.dialect === 'sqlite' || waiting.length >= MOST_WAITING) return;
    waiting.push(one);
    telling.wake();
  }

  async function tellOthers(): Promise<void> {
    const all = waiting;
    waiting = [];
    // A writer that waits for a connection comes first: it has something to store.
    for (const said of inParts(node, all)) {
      if (db.waitingWriters > 0) return;
      await db.write((tx) => notify(tx, said));
    }
  }

  function hear(said: string): void {
    try {
      const { node: from, all } = JSON.parse(said) as Said;
      if (from === node) return;
      for (const one of all) if (pace.admits(one.typing)) pass(one);
    } catch (error) {
      onError(error);
    }
  }

  return { tell, hear, stop: telling.stop };
}

/** As few texts as can be notified. One that is too long by itself is left out. */
function inParts(node: string, all: readonly TypingToPass[]): string[] {
  const said = JSON.stringify({ node, all } satisfies Said);
  if (all.length === 0) return [];
  if (Buffer.byteLength(said) <= LONGEST_SAID) return [said];
  if (all.length === 1) return [];
  const half = Math.ceil(all.length / 2);
  return [...inParts(node, all.slice(0, half)), ...inParts(node, all.slice(half))];
}

/** Keeps count of who has been told of, in each place, on this node. */
function typingPace(clock: Clock) {
  /** By place: when each person was told of last. The place that was told of last is the last. */
  const places = new Map<string, Map<string, number>>();

  /** Whether to tell of it, which counts as told. */
  function admits({ user, ...where }: Typing): boolean {
    const now = clock();
    // A clock that was set back must not silence anybody for long.
    const isWithin = (ms: number) => (at: number) => at <= now && now - at < ms;
    forget(isWithin(TYPING_SHOWN_MS));
    const place = JSON.stringify(where);
    const people = places.get(place) ?? new Map<string, number>();
    const last = people.get(user);
    if (last !== undefined && isWithin(TYPING_EVERY_MS)(last)) return false;
    for (const [id, at] of people) if (!isWithin(TYPING_SHOWN_MS)(at)) people.delete(id);
    if (!people.has(user) && people.size >= MOST_TYPING) return false;
    if (!places.has(place) && places.size >= MOST_PLACES) return false;
    people.set(user, now);
    places.delete(place);
    places.set(place, people);
    return true;
  }

  function forget(isCurrent: (at: number) => boolean): void {
    for (const [place, people] of places) {
      if ([...people.values()].some(isCurrent)) return;
      places.delete(place);
    }
  }

  return { admits };
}
