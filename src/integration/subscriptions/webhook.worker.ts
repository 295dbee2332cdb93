import { type Database, together } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { LEASE_MS, type Rounds, startLanes } from '#platform/jobs/index.ts';
import { findBounds } from '../../conversation/live/index.ts';
import { deleteConsumer, deleteCursorsOf, insertCursors } from './consumer.store.ts';
import { newCursor } from './group.service.ts';
import { lockSubscription } from './subscription.store.ts';
import type { Claimed } from './webhook.sender.ts';
import {
  CALLS_AT_ONCE,
  claimCursor,
  findConsumerById,
  hasWebhook,
  listFinished,
  listNews,
  listReady,
  listReadyOfSubscriptions,
  listReadyOfTeams,
  noteCalled,
  type Ready,
} from './webhook.store.ts';

/** Teams that are sent at once in this process: to webhooks that answer, and to those whose last call failed. */
const AT_ONCE = 8;
const AT_ONCE_FAILING = 8;
/** The lane of webhooks whose last call failed. */
const FAILING = 1;
const NOTHING: Promise<readonly Ready[]> = Promise.resolve([]);
const REPLAY_LOOKED_AT_AFTER_MS = 60_000;

/**
 * Where one of the two kinds of webhooks may have something unread. A look at all of them costs a read for each team of
 * each application, so they are all looked at now and then only: at what waited for a time, and what other nodes left.
 */
class Agenda {
  /** Teams that have new events, or whose call has ended. */
  readonly teams = new Set<string>();
  /** Subscriptions that had no call left for their other teams. */
  readonly subscriptions = new Set<string>();
  /** When to look at all, by `performance.now()`. */
  allAt = 0;
  /** Whether the last look at all found more than it could take. */
  hasMore = false;

  /** Empties it: what is added during a look waits for the next one. */
  take() {
    const taken = { teams: [...this.teams], subscriptions: [...this.subscriptions] };
    this.teams.clear();
    this.subscriptions.clear();
    return taken;
  }
}

const mostCalls = (lane: number) => (lane === FAILING ? 1 : CALLS_AT_ONCE);

/** A call of a lane. */
interface Call extends Claimed {
  readonly lane: number;
}

/**
 * Sends events to webhooks. Each node runs one worker: the lease of a cursor keeps two of them from sending one team's
 * events. Webhooks that fail have places of their own, so that they do not delay those that answer.
 */
export function startWebhooks(deps: {
  db: Database;
  clock: Clock;
  keptMs: number;
  carryOut: (claimed: Claimed) => Promise<void>;
  intervalMs: number;
  onError: (error: unknown) => void;
}): Rounds & { lookAtAll(): void; purge(): Promise<void> } {
  const { db, clock, keptMs, carryOut, intervalMs, onError } = deps;
  const agendas = [new Agenda(), new Agenda()] as const;
  /** The calls of each subscription that are under way here. */
  const underWay = new Map<string, number>();
  /** The last event whose team is on the agenda. */
  let place: number | undefined;
  /** Whether there is a webhook, and when to ask that again. */
  let hasAny = false;
  let askAt = 0;

  const callsOf = ({ subscription_id }: Ready) => underWay.get(subscription_id) ?? 0;

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
      for (const news of await listNews.all(db, { after: place })) {
        for (const { teams } of agendas) teams.add(news.team_id);
        place = Math.max(place, Number(news.place));
      }
    }
  }

  async function claim(lane: number, limit: number): Promise<Call[]> {
    const agenda = agendas[lane] as Agenda;
    const ready = await look(agenda, lane, 2 * limit);
    const claimed: Call[] = [];
    const seen = new Set<string>();
    let passedOver = false;
    for (const one of ready) {
      // A team that had the application before is there twice.
      const name = `${one.consumer_id} ${one.team_id}`;
      if (seen.has(name)) continue;
      seen.add(name);
      if (callsOf(one) >= mostCalls(lane)) {
        passedOver = true;
        continue;
      }
      if (claimed.length === limit) {
        agenda.teams.add(one.team_id);
        continue;
      }
      const taken = await take(one);
      if (!taken) continue;
      underWay.set(one.subscription_id, callsOf(one) + 1);
      claimed.push({ ...taken, lane });
    }
    if (!passedOver || claimed.length === 0 || claimed.length === limit) return claimed;
    // Those that are full by now may have hidden others.
    agenda.allAt = 0;
    return [...claimed, ...(await claim(lane, limit - claimed.length))];
  }

  async function look(agenda: Agenda, failing: number, limit: number): Promise<readonly Ready[]> {
    const now = clock();
    const about = { now, since: now - keptMs, failing, limit };
    const { teams, subscriptions } = agenda.take();
    if (performance.now() < agenda.allAt) {
      const [ofTeams, ofSubscriptions] = await together([
        teams.length === 0 ? NOTHING : listReadyOfTeams.all(db, { ...about, ids: teams }),
        subscriptions.length === 0
          ? NOTHING
          : listReadyOfSubscriptions.all(db, { ...about, ids: subscriptions }),
      ]);
      if (ofTeams.length === limit) for (const id of teams) agenda.teams.add(id);
      if (ofSubscriptions.length === limit) for (const id of subscriptions) agenda.subscriptions.add(id);
      const found = [...ofTeams, ...ofSubscriptions];
      if (!agenda.hasMore || found.length > 0) return found;
    }
    // The timer of the rounds comes each time a little before the whole interval is over.
    agenda.allAt = performance.now() + intervalMs / 2;
    const all = await listReady.all(db, { ...about, ids: [] });
    agenda.hasMore = all.length === limit;
    return all;
  }

  /** What has ended may have more to send, and gives way to other teams of its subscription. */
  function noteEnd({ subscriptionId, cursor, lane }: Call): void {
    const count = underWay.get(subscriptionId) as number;
    if (count > 1) underWay.set(subscriptionId, count - 1);
    else underWay.delete(subscriptionId);
    const wasFull = count >= mostCalls(lane);
    for (const { teams, subscriptions } of agendas) {
      teams.add(cursor.team_id);
      if (wasFull) subscriptions.add(subscriptionId);
    }
  }

  function take({ subscription_id: id, consumer_id, team_id: teamId }: Ready): Promise<Claimed | undefined> {
    return db.write(async (tx) => {
      const now = clock();
      if (!(await lockSubscription.first(tx, { id }))) return undefined;
      const consumer = await findConsumerById.first(tx, { id: consumer_id });
      if (!consumer) return undefined;
      await insertCursors(tx, [newCursor(consumer, teamId)]);
      const leaseUntil = now + LEASE_MS;
      const cursor = await claimCursor.first(tx, { consumerId: consumer_id, teamId, now, leaseUntil });
      if (cursor) await noteCalled.run(tx, { id, now });
      return cursor && { subscriptionId: id, cursor };
    });
  }

  const lanes = startLanes({
    places: [AT_ONCE, AT_ONCE_FAILING],
    claim,
    carryOut: (call) => carryOut(call).finally(() => noteEnd(call)),
    before: readNews,
    intervalMs,
    onError,
  });

  /** Deletes the replays that are through. */
  const purge = () =>
    db.write(async (tx) => {
      const now = clock();
      for (const { id } of await listFinished.all(tx, { now, before: now - REPLAY_LOOKED_AT_AFTER_MS })) {
        await deleteCursorsOf.run(tx, { consumerId: id });
        await deleteConsumer.run(tx, { id });
      }
    });

  /** Looks at all webhooks at once: one of them has changed. */
  function lookAtAll(): void {
    for (const agenda of agendas) agenda.allAt = 0;
    askAt = 0;
    lanes.wake();
  }

  return { ...lanes, lookAtAll, purge };
}
