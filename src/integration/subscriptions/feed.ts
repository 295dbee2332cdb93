import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { keepNewest, NotFound, ServerEvents } from '#api';
import { type Database, type Tx, together } from '#platform/db/index.ts';
import { type Clock, newId } from '#platform/ids.ts';
import { cleaning, isDue, LEASE_MS, RENEW_MS, type Turns } from '#platform/jobs/index.ts';
import { pause } from '#platform/pause.ts';
import type { EventConsumerRow, EventCursorRow, EventSubscriptionRow } from '#schema';
import { BEAT_EVERY_MS, findBounds, listNews, listTeamsWithEvents } from '../../conversation/live/index.ts';
import {
  deleteInstance,
  findConsumerById,
  freeTeam,
  freeTeams,
  insertCursors,
  insertInstance,
  listCursors,
  listCursorsIn,
  listInstances,
  lockConsumer,
  noteUse,
  purgeInstances,
  renewInstance,
  takeTeams,
} from './consumer.store.ts';
import { type GroupService, newCursor } from './group.service.ts';
import type { Heard, LogReader } from './log.reader.ts';
import type { News } from './news.ts';
import { findServed, lockSubscription } from './subscription.store.ts';

/** Events of one team that are sent before the first of them is acknowledged. */
export const MOST_UNACKNOWLEDGED = 200;
/** A stream that acknowledges nothing for this long, though it was sent something, is closed: its teams go to others. */
export const ACKNOWLEDGED_WITHIN_MS = 60_000;
/** Rows that are looked at in one statement. */
const AT_ONCE = 100;
/** Teams of which a stream is sent something before others get their turn. */
const TEAMS_AT_ONCE = 20;
/** Places whose teams are looked up. Of more, every team may have something. */
const MOST_PLACES = 2000;
/**
 * A look at all teams takes at most one part in so many of a stream's time, beside those with which it renews its lease: an
 * application may be in thousands.
 */
const REST_AFTER_SHARING = 20;
/** On this node. */
const MOST_STREAMS = { ofApplication: 20, ofOwner: 60 };

/** A team whose events a stream is sent. */
interface Held {
  readonly cursorId: string;
  /** Everything up to this place was sent, or is not for the subscription. A team that is not behind has nothing after it. */
  sent: number;
  acknowledged: number;
  /** The places that were sent and are not acknowledged. */
  readonly open: number[];
  /** It is given to another stream once all is acknowledged. */
  leaving: boolean;
}

interface Feed {
  readonly id: string;
  readonly applicationId: string;
  readonly ownerId: string;
  readonly subscriptionId: string;
  readonly group: EventConsumerRow;
  readonly out: ServerEvents;
  readonly held: Map<string, Held>;
  /** The held teams that may have something to send, in the order of their turns. */
  readonly behind: Set<string>;
  /** The held teams with places that are not acknowledged, and those that are leaving. */
  readonly unfinished: Map<string, Held>;
  /** Events up to this place have put their teams behind. */
  through: number;
  readonly isAuthorized: () => Promise<boolean>;
  leaseUntil: number;
  /** When it last acknowledged something, or had nothing to acknowledge. */
  progressAt: number;
  renewAt: number;
  beatAt: number;
  /** The last round left something to send. */
  isBusy: boolean;
  /** When all of its teams are looked at, by `performance.now()`, or once there are more changes than these. */
  shareAt: number;
  changes: number;
}

export type Feeds = ReturnType<typeof startFeeds>;

/**
 * Streams of events for applications. The streams of a group share its teams: each team belongs to one stream at a time, by
 * the lease of that stream, so that its events come in order. What is not acknowledged when a stream ends is sent to the
 * next one that has the team.
 */
export function startFeeds(deps: {
  db: Database;
  clock: Clock;
  keptMs: number;
  reader: LogReader;
  groups: GroupService;
  news: News;
  turns: Turns;
  /** How often a stream looks by itself. */
  intervalMs: number;
  onError: (error: unknown) => void;
}) {
  const { db, clock, keptMs, reader, groups, news, turns, intervalMs, onError } = deps;
  const feeds = new Map<Feed, Promise<void>>();
  const stopping = new AbortController();
  let stopped = false;

  /** Serves a stream until it ends. @param joined what `join` gave */
  async function open(
    subscription: EventSubscriptionRow,
    joined: { group: EventConsumerRow; copyId: string; leaseUntil: number; missed: boolean },
    client: { response: ServerResponse; ownerId: string; isAuthorized: () => Promise<boolean> },
  ): Promise<void> {
    const { group, copyId, leaseUntil, missed } = joined;
    const now = clock();
    const feed: Feed = {
      id: copyId,
      applicationId: subscription.application_id,
      ownerId: client.ownerId,
      subscriptionId: subscription.id,
      group,
      out: new ServerEvents(client.response),
      held: new Map(),
      behind: new Set(),
      unfinished: new Map(),
      through: 0,
      isAuthorized: client.isAuthorized,
      leaseUntil,
      progressAt: now,
      renewAt: now + RENEW_MS,
      beatAt: now + BEAT_EVERY_MS,
      isBusy: false,
      shareAt: 0,
      changes: 0,
    };
    client.response.on('close', news.wake);
    client.response.on('error', () => client.response.destroy());
    closeOldest(feed);
    feed.out.write(`event: ${missed ? 'reset' : 'ready'}\ndata: {}\n\n`);
    const served = serve(feed);
    feeds.set(feed, served);
    await served.finally(() => feeds.delete(feed));
  }

  /**
   * Registers a stream with its group.
   * @param acknowledge what the client has done before. Where it fails, nothing is left that would hold the teams of the group
   * @throws NotFound for a deleted subscription @returns whether events may have expired since the group was last used
   */
  async function join(
    subscription: EventSubscriptionRow,
    name: string,
    acknowledge: (tx: Tx) => Promise<unknown>,
  ) {
    const copyId = newId();
    return db.write(async (tx) => {
      if (!(await lockSubscription.first(tx, { id: subscription.id }))) throw new NotFound();
      const group = await groups.openGroup(tx, subscription, name);
      await acknowledge(tx);
      const now = clock();
      const leaseUntil = now + LEASE_MS;
      await insertInstance(tx, [{ id: copyId, consumer_id: group.id, lease_until: leaseUntil }]);
      await noteUse.run(tx, { id: group.id, now });
      return { group, copyId, leaseUntil, missed: group.used_at < now - keptMs };
    });
  }

  /** Makes room for one more. */
  function closeOldest({ applicationId, ownerId }: Feed): void {
    const ofOwner = [...feeds.keys()].filter((feed) => feed.ownerId === ownerId);
    const ofApplication = ofOwner.filter((feed) => feed.applicationId === applicationId);
    keepNewest(
      ofApplication.map(({ out }) => out),
      MOST_STREAMS.ofApplication - 1,
    );
    keepNewest(
      ofOwner.map(({ out }) => out),
      MOST_STREAMS.ofOwner - 1,
    );
  }

  async function serve(feed: Feed): Promise<void> {
    try {
      while (!feed.out.isClosed && !stopped) {
        const mark = news.mark();
        // Others come between two rounds, and the streams of other owners come in turn.
        await nextTurn();
        if (!(await turns.run(feed.ownerId, () => round(feed)))) break;
        // Without a turn: a reader who does not read holds up nobody.
        if (feed.isBusy) await feed.out.drained();
        else await news.wait(intervalMs, mark);
      }
    } catch (error) {
      // The answer has begun, so only closing it makes the client come back.
      onError(error);
    }
    feed.out.close();
    await leave(feed);
  }

  /** @returns false when the stream is to end */
  async function round(feed: Feed): Promise<boolean> {
    const now = clock();
    if (isDue(now, feed.beatAt, BEAT_EVERY_MS)) {
      feed.beatAt = now + BEAT_EVERY_MS;
      feed.out.beat();
    }
    const isToRenew = isDue(now, feed.renewAt, RENEW_MS);
    if (isToRenew && !(await renew(feed))) return false;
    const newest = Number((await findBounds.first(db, {}))?.newest ?? 0);
    // Asked after the end of the range: whatever ends the stream later ended it after all that is in the range.
    const subscription = await findOpen(feed);
    if (!subscription) return false;
    if (isToRenew || isToShare(feed)) await share(feed, subscription);
    else if (needsRoom(feed)) await makeRoom(feed);
    await sendSome(feed, subscription, newest);
    return !isStuck(feed);
  }

  /** Events alone are no reason to look at all teams. What other nodes have changed is seen at intervals. */
  function isToShare(feed: Feed): boolean {
    if (feed.isBusy) return false;
    const changes = news.countChanges();
    if (changes === feed.changes && performance.now() < feed.shareAt) return false;
    feed.changes = changes;
    return true;
  }

  /** Whether a team waits for acknowledgements, to go on or to go to another stream. */
  const needsRoom = ({ unfinished }: Feed): boolean =>
    unfinished.values().some(({ open, leaving }) => leaving || open.length >= MOST_UNACKNOWLEDGED);

  /** Sends a few events, and notes whether there may be more. Teams take turns. */
  async function sendSome(feed: Feed, subscription: EventSubscriptionRow, newest: number): Promise<void> {
    feed.isBusy = false;
    const ready = await withNews(feed, newest);
    for (const [index, [team, held]] of ready.entries()) {
      feed.behind.delete(team);
      const more = await send(feed, subscription, team, held, newest);
      if (held.sent < newest) feed.behind.add(team);
      feed.isBusy = more || (index + 1 >= TEAMS_AT_ONCE && index + 1 < ready.length);
      if (feed.isBusy) return;
    }
  }

  /** @returns undefined when the credentials that opened the stream have ended, its subscription or its group */
  async function findOpen(feed: Feed): Promise<EventSubscriptionRow | undefined> {
    const [subscription, group] = await together([
      findServed.first(db, { id: feed.subscriptionId }),
      findConsumerById.first(db, { id: feed.group.id }),
    ]);
    return subscription && group && (await feed.isAuthorized()) ? subscription : undefined;
  }

  /** @returns false for a stream that took too long: others have its teams by now */
  async function renew(feed: Feed): Promise<boolean> {
    const now = clock();
    feed.renewAt = now + RENEW_MS;
    const renewed = await db.write(async (tx) => {
      await noteUse.run(tx, { id: feed.group.id, now });
      const until = now + LEASE_MS;
      return renewInstance.first(tx, { id: feed.id, held: feed.leaseUntil, until, now });
    });
    if (renewed) feed.leaseUntil = Number(renewed.until);
    return renewed !== undefined;
  }

  /** Takes and gives back teams, so that the streams of the group have equally many. */
  async function share(feed: Feed, subscription: EventSubscriptionRow): Promise<void> {
    const begun = performance.now();
    await shareTeams(feed, subscription);
    const now = performance.now();
    feed.shareAt = now + Math.max(intervalMs, REST_AFTER_SHARING * (now - begun));
  }

  async function shareTeams(feed: Feed, subscription: EventSubscriptionRow): Promise<void> {
    const consumerId = feed.group.id;
    const teams = new Set(await reader.listTeams(subscription));
    const [copies, rows] = await Promise.all([
      listInstances.all(db, { consumerId, now: clock() }),
      listCursors.all(db, { consumerId }),
    ]);
    const own = new Map(rows.filter((row) => row.copy_id === feed.id).map((row) => [row.team_id, row]));
    for (const team of feed.held.keys()) if (!own.has(team) || !teams.has(team)) drop(feed, team);
    for (const row of own.values()) follow(feed, row);
    const known = new Set(rows.map(({ team_id }) => team_id));
    const living = new Set(copies.map(({ id }) => id));
    const isFree = (row: EventCursorRow) => row.copy_id === null || !living.has(row.copy_id);
    const isNew = [...teams].some((team) => !known.has(team));
    const leaving = feed.unfinished.values().reduce((count, held) => count + Number(held.leaving), 0);
    const stay = feed.held.size - leaving;
    const most = Math.ceil(teams.size / Math.max(1, copies.length));
    if (stay > most) giveBack(feed, stay - most);
    const wants = stay < most && (isNew || rows.some((row) => teams.has(row.team_id) && isFree(row)));
    if (wants) await db.write((tx) => take(tx, feed, teams, most - stay));
    await freeLeaving(feed);
  }

  /** Looks at the teams alone of which something is not acknowledged. */
  async function makeRoom(feed: Feed): Promise<void> {
    const teamIds = [...feed.unfinished.keys()];
    const rows = await listCursorsIn.all(db, { consumerId: feed.group.id, teamIds });
    // One that another stream has by now goes with the next look at all of them.
    for (const row of rows) if (row.copy_id === feed.id) follow(feed, row);
    await freeLeaving(feed);
  }

  async function freeLeaving(feed: Feed): Promise<void> {
    for (const [team, held] of feed.unfinished) {
      if (!held.leaving || held.open.length > 0) continue;
      drop(feed, team);
      await db.write((tx) => freeTeam.run(tx, { copyId: feed.id, id: held.cursorId }));
      news.wake();
    }
  }

  function drop(feed: Feed, team: string): void {
    feed.held.delete(team);
    feed.behind.delete(team);
    feed.unfinished.delete(team);
  }

  /** Brings what a stream holds in step with a cursor. */
  function follow(feed: Feed, { team_id: team, place }: EventCursorRow): void {
    const held = feed.held.get(team);
    if (!held) return;
    const before = held.open.length;
    if (place < held.acknowledged) {
      // Set back by hand: all after it is sent again.
      held.open.length = 0;
      held.sent = place;
      feed.behind.add(team);
    }
    while (held.open.length > 0 && (held.open[0] as number) <= place) held.open.shift();
    held.sent = Math.max(held.sent, place);
    held.acknowledged = place;
    if (held.open.length < before) feed.progressAt = clock();
    if (held.open.length === 0 && !held.leaving) feed.unfinished.delete(team);
  }

  function giveBack(feed: Feed, tooMany: number): void {
    const stays = [...feed.held].filter(([, { leaving }]) => !leaving);
    stays.sort(([, one], [, other]) => one.open.length - other.open.length);
    for (const [team, held] of stays.slice(0, tooMany)) {
      held.leaving = true;
      feed.unfinished.set(team, held);
    }
  }

  async function take(tx: Tx, feed: Feed, teams: ReadonlySet<string>, most: number): Promise<void> {
    const consumerId = feed.group.id;
    const group = await lockConsumer.first(tx, { id: consumerId });
    if (!group) return;
    const before = await listCursors.all(tx, { consumerId });
    const known = new Set(before.map(({ team_id }) => team_id));
    const missing = [...teams].filter((team) => !known.has(team)).sort();
    await insertCursors(
      tx,
      missing.map((team) => newCursor(group, team)),
    );
    const rows = missing.length === 0 ? before : await listCursors.all(tx, { consumerId });
    const living = new Set((await listInstances.all(tx, { consumerId, now: clock() })).map(({ id }) => id));
    if (!living.has(feed.id)) return;
    const free = rows.filter(
      (row) => teams.has(row.team_id) && (row.copy_id === null || !living.has(row.copy_id)),
    );
    const taken = free.slice(0, most);
    await takeTeams.run(tx, { copyId: feed.id, ids: taken.map(({ id }) => id) });
    tx.afterCommit(() => {
      for (const { id, team_id, place } of taken) {
        feed.held.set(team_id, { cursorId: id, sent: place, acknowledged: place, open: [], leaving: false });
        feed.behind.add(team_id);
      }
      feed.progressAt = clock();
    });
  }

  /** The teams that there is something to send of: one statement finds them among those that are behind. */
  async function withNews(feed: Feed, newest: number): Promise<[string, Held][]> {
    await noteNews(feed, newest);
    const behind = [...feed.behind].flatMap((team): [string, Held][] => {
      const held = feed.held.get(team);
      const hasRoom = held && !held.leaving && held.open.length < MOST_UNACKNOWLEDGED;
      return hasRoom && held.sent < newest ? [[team, held]] : [];
    });
    if (behind.length === 0) return [];
    const after = behind.reduce((least, [, { sent }]) => Math.min(least, sent), newest);
    const teamIds = behind.map(([team]) => team);
    const rows = await listTeamsWithEvents.all(db, { teamIds, after, upTo: newest });
    const found = new Set(rows.map(({ audience_id }) => audience_id));
    for (const [team, held] of behind) {
      if (found.has(team)) continue;
      held.sent = newest;
      feed.behind.delete(team);
    }
    return behind.filter(([team]) => found.has(team));
  }

  /** Puts the teams behind of which there are new events. */
  async function noteNews(feed: Feed, newest: number): Promise<void> {
    const { through: after } = feed;
    if (newest <= after) return;
    const teams =
      newest - after > MOST_PLACES
        ? feed.held.keys()
        : (await listNews.all(db, { after, upTo: newest })).map(({ team_id }) => team_id);
    for (const team of teams) if (feed.held.has(team)) feed.behind.add(team);
    feed.through = newest;
  }

  /** Sends a few events of one team. @returns whether there may be more */
  async function send(
    feed: Feed,
    subscription: EventSubscriptionRow,
    team: string,
    held: Held,
    newest: number,
  ): Promise<boolean> {
    const room = MOST_UNACKNOWLEDGED - held.open.length;
    const limit = Math.min(room, AT_ONCE);
    const page = await reader.readTeam(subscription, team, { after: held.sent, upTo: newest, limit });
    for (const event of page.events) {
      if (feed.out.isClosed) return false;
      if (held.open.length === 0) feed.progressAt = clock();
      held.open.push(event.place);
      feed.unfinished.set(team, held);
      feed.out.write(textOf(event));
      if (!feed.out.isFull) continue;
      held.sent = event.place;
      return true;
    }
    held.sent = page.place;
    return page.more;
  }

  function isStuck(feed: Feed): boolean {
    const waits = feed.unfinished.values().some(({ open }) => open.length > 0);
    const now = clock();
    // The clock was set back.
    if (!waits || now < feed.progressAt) feed.progressAt = now;
    return now - feed.progressAt > ACKNOWLEDGED_WITHIN_MS;
  }

  /**
   * Its teams are free at once, for the other streams of the group. The database may be away, which is often why the stream
   * ends: then it is tried again until its lease has lapsed.
   */
  async function leave({ id }: Feed): Promise<void> {
    const until = performance.now() + LEASE_MS;
    do {
      try {
        await db.write(async (tx) => {
          await freeTeams.run(tx, { copyId: id });
          await deleteInstance.run(tx, { id });
        });
        return news.wake();
      } catch (error) {
        onError(error);
      }
      await pause(intervalMs, stopping.signal);
    } while (!stopped && performance.now() < until);
  }

  async function stop(): Promise<void> {
    stopped = true;
    stopping.abort();
    for (const feed of feeds.keys()) feed.out.close();
    news.wake();
    await Promise.all(feeds.values());
  }

  const countStreams = () => [...feeds.keys()].filter(({ out }) => !out.isClosed).length;

  /** Removes what servers that died have left behind. */
  const purge = cleaning(db, purgeInstances, () => ({ before: clock() - LEASE_MS }));

  return { join, open, stop, purge, countStreams };
}

const textOf = ({ id, type, json }: Heard) => `id: ${id}\nevent: ${type}\ndata: ${json}\n\n`;
