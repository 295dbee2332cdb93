import { type Database, DatabaseUnavailable, together } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { cleaning, isDue, LEASE_MS, type Rounds, startTracks } from '#platform/jobs/index.ts';
import { findBounds, listNews } from '../../conversation/live/index.ts';
import { deleteConsumer, deleteCursorsOf, insertCursors } from './consumer.store.ts';
import { newCursor } from './group.service.ts';
import { findSubscription, lockSubscriptionKey } from './subscription.store.ts';
import type { Claimed } from './webhook.sender.ts';
import {
  CALLS_AT_ONCE,
  claimCursor,
  findConsumerById,
  hasWebhook,
  type Look,
  listFinished,
  listReady,
  listReadyOfOwners,
  listReadyOfTeams,
  noteCalled,
  type Ready,
} from './webhook.store.ts';

/** Teams that are sent at once in this process: to webhooks that answer, and to those whose last call failed. */
const AT_ONCE = 32;
const AT_ONCE_FAILING = 16;
/** Of one owner of applications. */
const OF_OWNER = CALLS_AT_ONCE + 2;
const OF_OWNER_FAILING = 2;
/** The lane of webhooks whose last call failed. */
const FAILING = 1;
const NOTHING: Promise<readonly Ready[]> = Promise.resolve([]);
const REPLAY_LOOKED_AT_AFTER_MS = 60_000;
/** Each has a row for each team. */
const REPLAYS_AT_ONCE = 20;
/** A subscription's place in the order of turns: noted for each call, it would be rewritten by all of its calls at once. */
const TURNS_NOTED_EVERY_MS = 250;

/**
 * Where one of the two kinds of webhooks may have something unread. A look at all of them costs a read for each team of
 * each application, so they are all looked at now and then only: at what waited for a time, and what other nodes left.
 */
class Agenda {
  /** Teams that have new events, or whose call has ended. */
  readonly teams = new Set<string>();
  /** Owners whose share was taken, so that their other webhooks were left out. */
  readonly owners = new Set<string>();
  /** When to look at all, by `performance.now()`. */
  allAt = 0;
  /** Whether the last look at all found more than it could take. */
  hasMore = false;

  /** Empties it: what is added during a look waits for the next one. */
  take() {
    const taken = { teams: [...this.teams], owners: [...this.owners] };
    this.teams.clear();
    this.owners.clear();
    return taken;
  }
}

const mostCalls = (lane: number) => (lane === FAILING ? 1 : CALLS_AT_ONCE);

/** Puts the results of two looks, each in the order of turns, into one; a team that both found is in it once. */
function inTurn(found: readonly Ready[]): Ready[] {
  const once = new Map(found.map((one) => [`${one.consumer_id} ${one.team_id}`, one]));
  const compare = (a: Ready, b: Ready) =>
    Number(a.called_at) - Number(b.called_at) ||
    (a.consumer_id === b.consumer_id
      ? Number(a.since) - Number(b.since)
      : a.consumer_id < b.consumer_id
        ? -1
        : 1);
  return [...once.values()].sort(compare);
}

/** A call of a lane. */
interface Call extends Claimed {
  readonly lane: number;
}

/**
 * Sends events to webhooks. Each node runs one worker: the lease of a cursor keeps two of them from sending one team's
 * events. Webhooks that fail have places of their own, so that they do not delay those that answer, and an owner of many has
 * a share of the places.
 */
export function startWebhooks(deps: {
  db: Database;
  clock: Clock;
  keptMs: number;
  carryOut: (claimed: Claimed) => Promise<void>;
  intervalMs: number;
  onError: (error: unknown) => void;
}): Rounds & { lookAtAll(): void; purge(stopping: AbortSignal): Promise<void> } {
  const { db, clock, keptMs, carryOut, intervalMs, onError } = deps;
  const agendas = [new Agenda(), new Agenda()] as const;
  /** The calls of each subscription that are under way here. */
  const underWay = new Map<string, number>();
  /** The last event whose team is on the agenda. */
  let place: number | undefined;
  /** Whether there is a webhook, and when to ask that again. */
  let hasAny = false;
  let askAt = 0;

  async function readNews(): Promise<void> {
    if (performance.now() >= askAt) {
      askAt = performance.now() + intervalMs;
      hasAny = (await hasWebhook.first(db, {})) !== undefined;
    }
    // The first one is looked at as all are, and its news are read from then on.
    if (!hasAny) place = undefined;
    else if (place === undefined) {
      place = Number((await findBounds.first(db, {}))?.newest ?? 0);
    } else {
      for (const news of await listNews.all(db, { after: place, upTo: Number.MAX_SAFE_INTEGER })) {
        for (const { teams } of agendas) teams.add(news.team_id);
        place = Math.max(place, Number(news.place));
      }
    }
  }

  async function claim(
    lane: number,
    limit: number,
    full: readonly string[],
    roomOf: (owner: string) => number,
  ): Promise<Call[]> {
    const agenda = agendas[lane] as Agenda;
    const ready = await look(agenda, { failing: lane, full, limit: 2 * limit });
    const chosen = choose(ready, { lane, roomOf }).slice(0, limit);
    const isIn = new Set(chosen);
    for (const one of ready) {
      if (isIn.has(one)) continue;
      if (chosen.length === limit) agenda.teams.add(one.team_id);
      else agenda.owners.add(one.owner_id);
    }
    const noted = new Set<string>();
    let isAway = false;
    const taking = chosen.map(async (one) => {
      const isFirst = !noted.has(one.subscription_id);
      noted.add(one.subscription_id);
      try {
        const taken = await take(one, isFirst);
        return taken && { ...taken, lane };
      } catch (error) {
        // The others are sent all the same: their leases are this node's.
        if (!isAway) onError(error);
        isAway = error instanceof DatabaseUnavailable;
        agenda.teams.add(one.team_id);
        return undefined;
      }
    });
    return (await Promise.all(taking)).filter((call) => call !== undefined);
  }

  /** One of each owner before the second of any, and no more of a subscription than are called at once. */
  function choose(
    ready: readonly Ready[],
    { lane, roomOf }: { lane: number; roomOf: (owner: string) => number },
  ): Ready[] {
    const calls = new Map<string, number>();
    const isFree = ({ subscription_id: id, busy }: Ready) => {
      const count = calls.get(id) ?? Number(busy);
      calls.set(id, count + 1);
      return count < mostCalls(lane);
    };
    const ofOwners = [...Map.groupBy(ready, (one) => one.owner_id)].map(([owner, some]) =>
      some.filter(isFree).slice(0, roomOf(owner)),
    );
    const turns = Math.max(0, ...ofOwners.map((some) => some.length));
    return Array.from({ length: turns }, (_, turn) => ofOwners.flatMap((some) => some[turn] ?? [])).flat();
  }

  async function look(
    agenda: Agenda,
    about: Pick<Look, 'failing' | 'full' | 'limit'>,
  ): Promise<readonly Ready[]> {
    try {
      return await find(agenda, about);
    } catch (error) {
      // What was on the agenda is not there any more, and a look at all finds it.
      agenda.allAt = 0;
      throw error;
    }
  }

  async function find(
    agenda: Agenda,
    about: Pick<Look, 'failing' | 'full' | 'limit'>,
  ): Promise<readonly Ready[]> {
    const now = clock();
    const where = { ...about, now, since: now - keptMs };
    const { teams, owners: all } = agenda.take();
    // There may be more of these once their share is free.
    for (const owner of about.full) agenda.owners.add(owner);
    const owners = all.filter((owner) => !about.full.includes(owner));
    if (performance.now() < agenda.allAt) {
      const [ofTeams, ofOwners] = await together([
        teams.length === 0 ? NOTHING : listReadyOfTeams.all(db, { ...where, ids: teams }),
        owners.length === 0 ? NOTHING : listReadyOfOwners.all(db, { ...where, ids: owners }),
      ]);
      if (ofTeams.length === about.limit) for (const id of teams) agenda.teams.add(id);
      if (ofOwners.length === about.limit) for (const id of owners) agenda.owners.add(id);
      const found = inTurn([...ofTeams, ...ofOwners]);
      if (!agenda.hasMore || found.length > 0) return found;
    }
    // The timer of the rounds comes each time a little before the whole interval is over.
    agenda.allAt = performance.now() + intervalMs / 2;
    const ready = await listReady.all(db, { ...where, ids: [] });
    agenda.hasMore = ready.length === about.limit;
    return ready;
  }

  async function send(call: Call): Promise<void> {
    const { id } = call.subscription;
    underWay.set(id, (underWay.get(id) ?? 0) + 1);
    try {
      await carryOut(call);
    } finally {
      noteEnd(call);
    }
  }

  /** What has ended may have more to send, and gives way to others of its subscription and of its owner. */
  function noteEnd({ ownerId, subscription: { id }, cursor, lane }: Call): void {
    const count = underWay.get(id) as number;
    if (count > 1) underWay.set(id, count - 1);
    else underWay.delete(id);
    const hidOthers = count >= mostCalls(lane) || (agendas[lane] as Agenda).owners.has(ownerId);
    for (const { teams, owners } of agendas) {
      teams.add(cursor.team_id);
      if (hidOthers) owners.add(ownerId);
    }
  }

  /** @param isNoted whether this call is the one that ends the subscription's turn */
  function take(ready: Ready, isNoted: boolean): Promise<Claimed | undefined> {
    const { subscription_id: id, consumer_id, team_id: teamId, owner_id: ownerId, cursor_id } = ready;
    return db.write(async (tx) => {
      const now = clock();
      const claimed = { consumerId: consumer_id, teamId, now, leaseUntil: now + LEASE_MS };
      const isNew = cursor_id === null;
      // In this order: what is posted after an edit is sent as the subscription is by then.
      const [bounds, subscription, consumer, known] = await together([
        findBounds.first(tx, {}),
        (isNew ? lockSubscriptionKey : findSubscription).first(tx, { id }),
        findConsumerById.first(tx, { id: consumer_id }),
        claimCursor.first(tx, claimed),
      ]);
      if (!subscription || !consumer) return undefined;
      if (isNew) await insertCursors(tx, [newCursor(consumer, teamId)]);
      const cursor = known ?? (isNew ? await claimCursor.first(tx, claimed) : undefined);
      const notedUntil = subscription.called_at + TURNS_NOTED_EVERY_MS;
      if (cursor && isNoted && isDue(now, notedUntil, TURNS_NOTED_EVERY_MS))
        await noteCalled.run(tx, { id, now });
      return cursor && { ownerId, subscription, consumer, cursor, newest: Number(bounds?.newest ?? 0) };
    });
  }

  const lanes = startTracks({
    places: [AT_ONCE, AT_ONCE_FAILING],
    share: { ofTrack: [OF_OWNER, OF_OWNER_FAILING], ownerOf: ({ ownerId }) => ownerId },
    claim,
    carryOut: send,
    before: readNews,
    intervalMs,
    onError,
  });

  /** Deletes the replays that are through. */
  const purge = cleaning(
    db,
    async (tx, { now }) => {
      const before = now - REPLAY_LOOKED_AT_AFTER_MS;
      const finished = await listFinished.all(tx, { now, before, limit: REPLAYS_AT_ONCE });
      for (const { id } of finished) {
        await deleteCursorsOf.run(tx, { consumerId: id });
        await deleteConsumer.run(tx, { id });
      }
      return finished.length === REPLAYS_AT_ONCE;
    },
    () => ({ now: clock() }),
  );

  /** Looks at all webhooks at once: one of them has changed. */
  function lookAtAll(): void {
    for (const agenda of agendas) agenda.allAt = 0;
    askAt = 0;
    lanes.wake();
  }

  return { ...lanes, lookAtAll, purge };
}
