import { setImmediate as nextTurn } from 'node:timers/promises';
import { keepNewest } from '#api';
import type { Database } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { Turns } from '#platform/jobs/index.ts';
import { listPrefs, prefsOf } from '../../people/users/index.ts';
import { listCursors } from '../../teams/index.ts';
import {
  type EventKind,
  MOST_WATCHED,
  type NewEvent,
  type PlacedEvent,
  UNSENT,
  WATCHED,
} from './catalogue.ts';
import type { Describe } from './describe.ts';
import { findBounds, listEvents, listEventsFor, listMembersAmong, placed } from './event.store.ts';
import { spareReactions } from './spared-reactions.ts';
import type { Stream } from './stream.ts';
import type { TypingToPass } from './typing.ts';

const AT_ONCE = 500;
/** So many events are read, and so many streams opened, at the same time. */
const TOGETHER = 50;
/** Streams that are written to before others get their turn. */
const SLICE = 200;
/** Of a replay: each may be a long message, and others come in between. */
const READ_TOGETHER = 20;
/** Places that a replay looks at in one statement, at first; more while few of them are of its user. */
const RANGE = 5000;
const LONGEST_RANGE = 320_000;
/** Replays that are read at the same time: one for each user. */
const REPLAYS = { atOnce: 8, ofSource: 1 };
/** Of one user, on this node. */
const MOST_STREAMS = 20;

interface Bounds {
  readonly oldest: number;
  readonly newest: number;
}

type Cursor = Awaited<ReturnType<typeof listCursors.all>>[number];

/** An event, and what is read for it. */
interface Prepared {
  readonly event: PlacedEvent;
  /** Undefined for an event that nobody here hears, as far as is known before its turn. */
  readonly bytes: Promise<Buffer> | undefined;
  /** The teams of a user whose connections hear it. */
  readonly shared: Promise<readonly Cursor[]> | undefined;
}

export type Hub = ReturnType<typeof liveHub>;

/**
 * Hands events to the streams that are open on this node. It reads each event once, in the order of places, and sends
 * the same bytes to everybody; a stream that resumes reads what it missed from the database and then joins.
 */
export function liveHub(deps: {
  db: Database;
  clock: Clock;
  /** @returns what clients get as the event's data */
  describe: Describe;
  /** @returns when those among these sessions end that are good */
  sessionEnds: (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  /** Stores an event that stands for several. */
  emit: (event: NewEvent) => void;
}) {
  const { db, clock, describe, sessionEnds, emit } = deps;
  const users = new Map<string, Set<Stream>>();
  const teams = new Map<string, Set<Stream>>();
  /** Everything up to this place was handed out. */
  let place: number | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  /** When the first session of all streams ends, as far as is known. */
  let firstEnd = Number.POSITIVE_INFINITY;
  /** A turn that has not begun: what comes meanwhile is part of it. */
  let pumping: Promise<void> | undefined;
  let joining: Promise<Bounds> | undefined;
  const joiners: Stream[] = [];
  const replays = new Turns(REPLAYS);
  const reactions = spareReactions(emit);

  /** One after the other, so that what a stream is subscribed to never changes under an event's feet. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = queue.then(work);
    queue = done.catch(() => undefined);
    return done;
  }

  const bounds = async (): Promise<Bounds> => {
    const row = await findBounds.first(db, {});
    return { oldest: row?.oldest ?? 0, newest: row?.newest ?? 0 };
  };

  /** Hands out what is new. */
  function pump(): Promise<void> {
    pumping ??= inTurn(async () => {
      pumping = undefined;
      if (users.size === 0 || place === undefined) return;
      for (;;) {
        const rows = await listEvents.all(db, { after: place, limit: AT_ONCE });
        await closeExpired();
        for (let from = 0; from < rows.length; from += TOGETHER) {
          const some = rows.slice(from, from + TOGETHER).map((row) => prepare(placed(row)));
          for (const prepared of some) await handOut(prepared);
        }
        if (rows.length < AT_ONCE) return;
      }
    });
    return pumping;
  }

  /** Begins to read what an event needs, beside the events before it. */
  function prepare(event: PlacedEvent): Prepared {
    const { audience } = event;
    const isHeard =
      ('team' in audience && teams.has(audience.team)) || ('user' in audience && users.has(audience.user));
    const bytes = isHeard && isSent(event) ? begin(render(event)) : undefined;
    const shared =
      'connectionsOf' in audience
        ? begin(listCursors.all(db, { userId: audience.connectionsOf }))
        : undefined;
    return { event, bytes, shared };
  }

  async function handOut({ event, bytes, shared }: Prepared): Promise<void> {
    if (event.kind === 'access.ended') await closeEnded(users.get(event.audience.holder) ?? []);
    await followMembers(event);
    if (event.kind === 'user.updated') await readPrefs([event.data.user]);
    const targets = targetsOf(event, (await shared) ?? []);
    if (targets.size > 0 && isSent(event) && !reactions.isSpared(event)) {
      const sent = await (bytes ?? render(event));
      let written = 0;
      for (const stream of targets) {
        if (stream.isLive && stream.place < event.place) stream.send(sent, event.place);
        written += 1;
        if (written % SLICE === 0) await nextTurn();
      }
    }
    place = event.place;
  }

  /** Asks again whose sessions are good, and closes the other streams. */
  async function closeEnded(streams: Iterable<Stream>): Promise<void> {
    const open = [...streams];
    if (open.length === 0) return;
    const ends = await sessionEnds([...new Set(open.map(({ sessionId }) => sessionId))]);
    for (const stream of open) {
      const end = ends.get(stream.sessionId);
      if (end === undefined) stream.close();
      else stream.goodUntil = end;
      firstEnd = Math.min(firstEnd, end ?? firstEnd);
    }
  }

  /** A session in use lasts longer than was known when it was last asked for. */
  async function closeExpired(): Promise<void> {
    const now = clock();
    if (now < firstEnd) return;
    await closeEnded(all().filter(({ goodUntil }) => goodUntil <= now));
    firstEnd = all().reduce((first, { goodUntil }) => Math.min(first, goodUntil), Number.POSITIVE_INFINITY);
  }

  const all = () => [...users.values()].flatMap((some) => [...some]);

  /** Keeps subscriptions in step with membership. */
  async function followMembers(event: PlacedEvent): Promise<void> {
    if (event.kind === 'team.members' && 'team' in event.audience) await subscribe(event.data.user);
    if (event.kind !== 'team.updated' || event.data.change !== 'restored') return;
    const userIds = [...users.keys()];
    const back = await listMembersAmong.all(db, { teamId: event.audience.team, userIds });
    for (const { user_id } of back) await subscribe(user_id);
  }

  function targetsOf({ kind, audience }: PlacedEvent, shared: readonly Cursor[]): ReadonlySet<Stream> {
    const none = new Set<Stream>();
    if ('team' in audience) return teams.get(audience.team) ?? none;
    if ('user' in audience) return users.get(audience.user) ?? none;
    if ('holder' in audience) return none;
    const notified = shared.filter(({ num_members }) => !watched.has(kind) || num_members <= MOST_WATCHED);
    const found = notified.map(({ team_id }) => teams.get(team_id) ?? none);
    return found.reduce<Set<Stream>>(
      (all, some) => all.union(some),
      users.get(audience.connectionsOf) ?? none,
    );
  }

  /** The bytes that everybody gets. */
  async function render(event: PlacedEvent<EventKind>): Promise<Buffer> {
    const data = JSON.stringify(await describe(event));
    return Buffer.from(`id: ${event.place}\nevent: ${event.kind}\ndata: ${data}\n\n`);
  }

  /** Subscribes all streams of a user to the teams that they are in now. */
  async function subscribe(userId: string): Promise<void> {
    const streams = users.get(userId);
    if (!streams) return;
    const cursors = await listCursors.all(db, { userId });
    for (const stream of streams) {
      unsubscribe(stream);
      stream.teams = cursors.map(({ team_id }) => team_id);
      for (const team of stream.teams) add(teams, team, stream);
    }
  }

  /** Which streams are to bring that others type. */
  async function readPrefs(userIds: readonly string[]): Promise<void> {
    const here = userIds.filter((id) => users.has(id));
    if (here.length === 0) return;
    for (const row of await listPrefs.all(db, { ids: here })) {
      const { show_typing } = prefsOf(row);
      for (const stream of users.get(row.id) ?? []) stream.showsTyping = show_typing;
    }
  }

  /** Tells those in the place who are here, and not the person's own windows. */
  function pass({ typing, hearers }: TypingToPass): void {
    const { team } = typing;
    const streams =
      'team' in hearers
        ? [...(teams.get(hearers.team) ?? [])]
        : hearers.users.flatMap((id) => [...(users.get(id) ?? [])]);
    const bytes = Buffer.from(`event: typing\ndata: ${JSON.stringify(typing)}\n\n`);
    for (const stream of streams) {
      if (!stream.showsTyping || stream.userId === typing.user) continue;
      // Its user may have left since the sender asked.
      if (team === undefined || stream.teams.includes(team)) stream.pass(bytes);
    }
  }

  function unsubscribe(stream: Stream): void {
    for (const team of stream.teams) remove(teams, team, stream);
  }

  /**
   * Begins with what came after `lastPlace`, or with what comes from now on.
   * @param lastPlace undefined for a client that does not resume
   */
  async function open(stream: Stream, lastPlace: number | undefined): Promise<void> {
    const { oldest, newest } = await join(stream);
    const known = lastPlace === undefined || (lastPlace >= oldest - 1 && lastPlace <= newest);
    stream.place = known && lastPlace !== undefined ? lastPlace : newest;
    stream.send(`id: ${stream.place}\nevent: ${known ? 'ready' : 'reset'}\ndata: {}\n\n`, stream.place);
    await catchUp(stream);
  }

  /** Adds a stream to those who hear. When a server dies, its streams come at once: those who wait are added together. */
  function join(stream: Stream): Promise<Bounds> {
    joiners.push(stream);
    joining ??= inTurn(async () => {
      joining = undefined;
      const streams = joiners.splice(0);
      const found = await bounds();
      place ??= found.newest;
      if (users.size === 0) place = found.newest;
      for (const one of streams) {
        add(users, one.userId, one);
        keepNewest(users.get(one.userId) as Set<Stream>, MOST_STREAMS);
      }
      const userIds = [...new Set(streams.map(({ userId }) => userId))];
      for (let from = 0; from < userIds.length; from += TOGETHER)
        await Promise.all(userIds.slice(from, from + TOGETHER).map(subscribe));
      await readPrefs(userIds);
      // What ended them may have been handed out before they were here.
      await closeEnded(streams);
      return found;
    });
    return joining;
  }

  /** Replays missed events until the stream has caught up with the others, then it goes live. */
  async function catchUp(stream: Stream): Promise<void> {
    let range = RANGE;
    while (!stream.isClosed && stream.place < (place as number)) {
      range = await replays.run(stream.userId, () => replay(stream, range));
      await nextTurn();
      // Without a turn: a reader who does not read holds up nobody.
      await stream.drained();
    }
    stream.isLive = true;
  }

  /** Sends a few missed events. @param range how many places to look at @returns how many to look at the next time */
  async function replay(stream: Stream, range: number): Promise<number> {
    const { userId } = stream;
    const upTo = Math.min(place as number, stream.place + range);
    const rows = await listEventsFor(db, { userId, after: stream.place, upTo, limit: TOGETHER });
    for (let from = 0; from < rows.length; from += READ_TOGETHER) {
      if (from > 0) await nextTurn();
      const events = rows.slice(from, from + READ_TOGETHER).map(placed);
      const rendered = events.map((event) => (isSent(event) ? begin(render(event)) : undefined));
      for (const [index, event] of events.entries()) {
        const bytes = await rendered[index];
        if (bytes && mayGet(stream, event)) stream.send(bytes, event.place);
        else stream.place = event.place;
        if (stream.isClosed || stream.isFull) return range;
      }
    }
    if (rows.length === TOGETHER) return RANGE;
    stream.place = Math.max(stream.place, upTo);
    return Math.min(2 * range, LONGEST_RANGE);
  }

  /** @returns whether it was the user's last one here */
  function close(stream: Stream): boolean {
    unsubscribe(stream);
    return remove(users, stream.userId, stream);
  }

  return {
    pump,
    pass,
    open,
    close,
    /** Closes the streams whose sessions have ended, however they did. */
    closeEnded: () => closeEnded(all()),
    closeExpired,
    hasStreams: () => users.size > 0,
    streams: all,
    stop: reactions.stop,
  };
}

/** An error goes to the turn of the event. After an earlier error that turn does not come. */
function begin<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  return work;
}

const unsent: ReadonlySet<string> = new Set(UNSENT);
const watched: ReadonlySet<string> = new Set(WATCHED);
/** A member may have been removed since an event was read. That a team was closed is told afterwards. */
const mayGet = (stream: Stream, { kind, audience }: PlacedEvent): boolean =>
  !('team' in audience) || kind === 'team.updated' || stream.teams.includes(audience.team);

const isSent = (event: PlacedEvent): event is PlacedEvent<EventKind> => !unsent.has(event.kind);

function add(index: Map<string, Set<Stream>>, key: string, stream: Stream): void {
  const streams = index.get(key);
  if (streams) streams.add(stream);
  else index.set(key, new Set([stream]));
}

/** @returns whether it was the last one */
function remove(index: Map<string, Set<Stream>>, key: string, stream: Stream): boolean {
  const streams = index.get(key);
  if (!streams?.delete(stream) || streams.size > 0) return false;
  index.delete(key);
  return true;
}
