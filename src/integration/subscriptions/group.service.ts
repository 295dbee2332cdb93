import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ApplicationPrincipal, Conflict, InvalidFields, NotFound, timestamp } from '#api';
import type { Database, Tx } from '#platform/db/index.ts';
import { type Clock, newId, parseId } from '#platform/ids.ts';
import type { Turns } from '#platform/jobs/index.ts';
import type { EventConsumerRow, EventSubscriptionRow } from '#schema';
import { findBounds, findPlaceSince } from '../../conversation/live/index.ts';
import { acknowledgeClicks, type Clicks } from './clicks.ts';
import {
  acknowledge,
  countConsumers,
  deleteConsumer,
  deleteCursorsOf,
  deleteInstancesOf,
  findConsumer,
  insertConsumer,
  insertCursors,
  listCursorsIn,
  listGroups,
  lockConsumer,
  setPlace,
  setPlaces,
} from './consumer.store.ts';
import type { Heard, LogReader } from './log.reader.ts';
import type { News } from './news.ts';
import { GROUP_NAME, MOST_GROUPS } from './subscription.schema.ts';
import type { Developer, SubscriptionService, TellEnd } from './subscription.service.ts';

/** How often a reader that waits looks by itself. */
const LOOK_MS = 1000;
/** Requests of one application, and of all of one owner, that wait for events at this process; further ones are answered at once. */
const MOST_WAITING = { ofApplication: 20, ofOwner: 60 };

/** A time since 1970, perhaps with fractions. */
const SECONDS = /^\d+(?:\.\d+)?$/;
/** The latest time that can be named, in seconds: it fits the databases. */
const LATEST_S = 1e11;

/** The address of a subscription. */
export interface Of {
  readonly application: string;
  readonly subscription: string;
}

/** Where to begin: after a cursor, or with everything since a time in seconds or after an event. */
export interface From {
  readonly after?: string | undefined;
  readonly since?: string | undefined;
}

/** The client of a request that waits. */
export interface Waiting {
  isGone(): boolean;
  /** @throws NotAuthorized when its credentials have ended meanwhile */
  authenticate(): Promise<unknown>;
}

export interface Pulled {
  readonly events: readonly Heard[];
  readonly cursor: string;
  readonly more: boolean;
  /** Events that came before these are not kept any more. */
  readonly missed: boolean;
}

export type GroupService = ReturnType<typeof groupService>;

/** Reading by request, and the cursors that the server keeps for groups. */
export function groupService(deps: {
  db: Database;
  clock: Clock;
  subscriptions: SubscriptionService;
  reader: LogReader;
  news: News;
  turns: Turns;
  clicks: Clicks;
  tellEnd: TellEnd;
}) {
  const { db, clock, subscriptions, reader, news, turns, clicks, tellEnd } = deps;
  const waiting = new Map<string, number>();
  let stopped = false;

  const bounds = async () => {
    const row = await findBounds.first(db, {});
    return { oldest: Number(row?.oldest ?? 0), newest: Number(row?.newest ?? 0) };
  };

  /** @throws InvalidFields for what is no time, and no event that is kept */
  async function placeOf(
    subscription: EventSubscriptionRow,
    since: string,
    field = 'since',
  ): Promise<number> {
    const { newest } = await bounds();
    if (SECONDS.test(since)) {
      const time = Math.floor(Math.min(Number(since), LATEST_S) * 1000);
      const found = await findPlaceSince.first(db, { time });
      return found?.place == null ? newest : Number(found.place) - 1;
    }
    const id = parseId(since);
    const [row] = id === undefined ? [] : await reader.findByIds(subscription, [id]);
    if (row) return row.place;
    const message = 'must be a time in seconds, or the id of an event that is kept';
    throw new InvalidFields({ field, message });
  }

  /** @throws NotFound without a group of this name */
  async function findGroup(
    tx: Database | Tx,
    subscriptionId: string,
    name: string,
  ): Promise<EventConsumerRow> {
    const found =
      isGroupName(name) &&
      (await findConsumer.first(tx, { subscription_id: subscriptionId, kind: 'group', name }));
    if (!found) throw new NotFound();
    return found;
  }

  /** Makes the group when it is first used. @throws InvalidFields for its name @throws Conflict for one too many */
  async function openGroup(
    tx: Tx,
    subscription: EventSubscriptionRow,
    name: string,
  ): Promise<EventConsumerRow> {
    if (!isGroupName(name))
      throw new InvalidFields({ field: 'name', message: 'must be 1 to 64 letters, digits, dots, - and _' });
    const of = { subscription_id: subscription.id, kind: 'group', name } as const;
    const found = await findConsumer.first(tx, of);
    if (found) return found;
    const others = await countConsumers.first(tx, of);
    if (Number(others?.count) >= MOST_GROUPS)
      throw new Conflict('too_many_groups', `A subscription has at most ${MOST_GROUPS} groups`);
    const now = clock();
    const row = {
      id: newId(),
      ...of,
      place: subscription.begins_at,
      up_to: null,
      used_at: now,
      created_at: now,
    };
    await insertConsumer(tx, [row]);
    return findGroup(tx as Tx, subscription.id, name);
  }

  /** A page after a cursor; without one, after that of the group, or from the beginning of the subscription. */
  async function pull(
    caller: ApplicationPrincipal,
    of: Of,
    wanted: From & { group: string | undefined; limit: number; waitMs: number; client: Waiting },
  ): Promise<Pulled> {
    let subscription = await subscriptions.access(db, caller, of);
    const group = wanted.group === undefined ? undefined : await findGroup(db, subscription.id, wanted.group);
    const from = await beginning(subscription, wanted, group);
    const { oldest, newest } = await bounds();
    const missed = from < oldest - 1 || from > newest;
    const deadline = performance.now() + wanted.waitMs;
    let after = Math.min(from, newest);
    let hasWaited = false;
    const ownerId = await subscriptions.ownerOf(caller.applicationId);
    for (;;) {
      const mark = news.mark();
      const page = await turns.run(ownerId, async () => {
        await nextTurn();
        const upTo = (await bounds()).newest;
        if (hasWaited) {
          // Asked after the end of the range: whatever ends access later ended it after all that is in the range.
          await wanted.client.authenticate();
          subscription = await subscriptions.access(db, caller, of);
        }
        return reader.readAll(subscription, { after, upTo, limit: wanted.limit });
      });
      const read = await cursorsOf(group, page.events);
      const events = page.events.filter(({ team, place }) => place > (read.get(team) ?? 0));
      after = page.place;
      const left = deadline - performance.now();
      const isOver = events.length > 0 || page.more || left <= 0 || stopped || wanted.client.isGone();
      if (isOver || !(await waitFor([caller.applicationId, ownerId], Math.min(left, LOOK_MS), mark)))
        return { events, cursor: cursorAt(after), more: page.more, missed };
      hasWaited = true;
    }
  }

  async function beginning(
    subscription: EventSubscriptionRow,
    { after, since }: From,
    group: EventConsumerRow | undefined,
  ): Promise<number> {
    if (after !== undefined) return placeAt('after', after);
    if (since !== undefined) return placeOf(subscription, since);
    return group?.place ?? subscription.begins_at;
  }

  /** How far a group has read the teams of some events by its streams. */
  async function cursorsOf(
    group: EventConsumerRow | undefined,
    events: readonly Heard[],
  ): Promise<ReadonlyMap<string, number>> {
    const teamIds = [...new Set(events.map(({ team }) => team))];
    if (!group || teamIds.length === 0) return new Map();
    const rows = await listCursorsIn.all(db, { consumerId: group.id, teamIds });
    return new Map(rows.map(({ team_id, place }) => [team_id, place]));
  }

  /** @returns false when too many wait */
  async function waitFor(
    [applicationId, ownerId]: readonly [string, string],
    milliseconds: number,
    mark: number,
  ): Promise<boolean> {
    const { ofApplication, ofOwner } = MOST_WAITING;
    if (countOf(applicationId) >= ofApplication || countOf(ownerId) >= ofOwner) return false;
    for (const one of [applicationId, ownerId]) waiting.set(one, countOf(one) + 1);
    try {
      await news.wait(milliseconds, mark);
    } finally {
      for (const one of [applicationId, ownerId]) {
        if (countOf(one) === 1) waiting.delete(one);
        else waiting.set(one, countOf(one) - 1);
      }
    }
    return true;
  }

  const countOf = (waiter: string) => waiting.get(waiter) ?? 0;

  /** Moves a group, forward or back: it goes on from there in all teams. */
  async function move(tx: Tx, caller: ApplicationPrincipal, of: Of, name: string, to: From): Promise<void> {
    const subscription = await subscriptions.accessLocked(tx, caller, of);
    if ((to.after === undefined) === (to.since === undefined))
      throw new InvalidFields({ field: 'cursor', message: 'Give either cursor or since' });
    const place =
      to.after === undefined ? await placeOf(subscription, to.since as string) : placeAt('cursor', to.after);
    const group = await openGroup(tx, subscription, name);
    const { newest } = await bounds();
    const known = Math.min(place, newest);
    await setPlace.run(tx, { id: group.id, place: known, now: clock() });
    await setPlaces.run(tx, { consumerId: group.id, place: known });
    // The cursor of a page says that it is done; a time passes over what was before.
    if (to.after === undefined) return;
    const unanswered = await clicks.unansweredTeams(tx, subscription.application_id);
    const heard = new Set(await reader.listTeams(subscription, unanswered));
    for (const teamId of unanswered)
      if (heard.has(teamId)) await acknowledgeClicks(tx, clicks, subscription, { teamId, place: known });
  }

  /** Moves the cursors of these events' teams up to them; none of them goes back. @returns how many are known */
  async function acknowledgeEvents(
    tx: Tx,
    caller: ApplicationPrincipal,
    of: Of,
    name: string,
    ids: readonly string[],
  ): Promise<number> {
    const subscription = await subscriptions.access(tx, caller, of);
    const found = await findGroup(tx, subscription.id, name);
    // A group that is being deleted gets no cursors.
    const group = await lockConsumer.first(tx, { id: found.id });
    if (!group) throw new NotFound();
    const rows = await reader.findByIds(
      subscription,
      ids.map((id) => id.toLowerCase()),
    );
    const newest = new Map<string, number>();
    for (const { audience_id: team, place } of rows) newest.set(team, Math.max(place, newest.get(team) ?? 0));
    await insertCursors(
      tx,
      [...newest.keys()].sort().map((team) => newCursor(group, team)),
    );
    for (const [teamId, place] of [...newest].sort()) {
      await acknowledge.run(tx, { consumerId: group.id, teamId, place });
      await acknowledgeClicks(tx, clicks, subscription, { teamId, place });
    }
    tx.afterCommit(news.wakeToRead);
    return rows.length;
  }

  async function list(caller: Developer, of: Of) {
    const { id } = await subscriptions.access(db, caller, of);
    const rows = await listGroups.all(db, { subscriptionId: id, now: clock() });
    return rows.map(({ name, used_at, copies }) => ({
      name,
      used_at: timestamp(used_at),
      copies: Number(copies),
    }));
  }

  async function remove(tx: Tx, caller: Developer, of: Of, name: string): Promise<void> {
    const subscription = await subscriptions.accessLocked(tx, caller, of);
    const { id } = await findGroup(tx, subscription.id, name);
    await lockConsumer.first(tx, { id });
    await deleteCursorsOf.run(tx, { consumerId: id });
    await deleteInstancesOf.run(tx, { consumerId: id });
    await deleteConsumer.run(tx, { id });
    await tellEnd(tx, subscription.application_id);
  }

  function stop(): void {
    stopped = true;
    news.wake();
  }

  return { pull, placeOf, openGroup, move, acknowledgeEvents, list, remove, stop };
}

const isGroupName = (name: string): boolean => new RegExp(GROUP_NAME).test(name);

/** A cursor that begins where its consumer does. */
export const newCursor = (consumer: EventConsumerRow, teamId: string) => ({
  id: newId(),
  consumer_id: consumer.id,
  team_id: teamId,
  place: consumer.place,
  lease_until: 0,
  due_at: 0,
  num_failures: 0,
});

export const cursorAt = (place: number): string => Buffer.from(`after ${place}`).toString('base64url');

/** @throws InvalidFields for a text that is no cursor */
export function placeAt(field: string, cursor: string): number {
  const [, digits] = /^after (\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('utf8')) ?? [];
  if (digits === undefined)
    throw new InvalidFields({ field, message: 'must be the next_cursor of an earlier answer' });
  return Number(digits);
}
