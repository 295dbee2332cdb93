import { randomUUID } from 'node:crypto';
import type { Database, Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { startRounds } from '#platform/jobs/index.ts';
import { lockOnline } from '../../people/users/index.ts';
import type { NewEvent } from './catalogue.ts';
import {
  deleteExpired,
  deletePresence,
  endOnline,
  listExpired,
  putPresence,
  renewLeases,
  renewUsers,
  startOnline,
} from './presence.store.ts';

/** Longer than a few renewals: a node that lives never loses it, and one that died is missed after this. */
export const PRESENCE_LEASE_MS = 90_000;
/** The most users of one transaction: thousands move at once when a node dies, and others wait for their rows. */
const TOGETHER = 200;

type Online = Awaited<ReturnType<typeof lockOnline.all>>[number];

export type Presence = ReturnType<typeof presence>;

/**
 * A user is online while they have a stream open on some node. Each node has a lease for each of its users, so that a
 * crash ends them by itself; `users.online_until` is the latest of a user's leases, where every reader finds it. Nobody sees
 * an invisible user online.
 */
export function presence(deps: {
  db: Database;
  clock: Clock;
  /** How often to try again what failed, in milliseconds. */
  intervalMs: number;
  emit: (tx: Tx, event: NewEvent) => Promise<void>;
  onError: (error: unknown) => void;
}) {
  const { db, clock, intervalMs, emit, onError } = deps;
  const nodeId = randomUUID();
  /** Of users whose last move is still to be written: whether they are here. */
  const moves = new Map<string, boolean>();
  const writing = startRounds({ work: writeMoves, intervalMs, onError });

  /** Notes that a user has a first stream on this node, or none any more. */
  function move(userId: string, isHere: boolean): void {
    moves.set(userId, isHere);
    writing.wake();
  }

  /** @returns whether there is more to write */
  async function writeMoves(): Promise<boolean> {
    const some = moves.entries().take(TOGETHER).toArray();
    if (some.length === 0) return false;
    for (const [userId] of some) moves.delete(userId);
    try {
      await db.write((tx) => writeSome(tx, new Map(some)));
    } catch (error) {
      for (const [userId, isHere] of some) if (!moves.has(userId)) moves.set(userId, isHere);
      throw error;
    }
    return moves.size > 0;
  }

  async function writeSome(tx: Tx, isHere: ReadonlyMap<string, boolean>): Promise<void> {
    const users = await lockOnline.all(tx, { userIds: [...isHere.keys()] });
    const { here = [], gone = [] } = Object.groupBy(users, ({ id }) => (isHere.get(id) ? 'here' : 'gone'));
    if (here.length > 0) await arrive(tx, here);
    if (gone.length > 0) await leave(tx, gone);
  }

  async function arrive(tx: Tx, users: readonly Online[]): Promise<void> {
    const now = clock();
    const until = now + PRESENCE_LEASE_MS;
    const leases = users.map(({ id }) => ({ user_id: id, node_id: nodeId, lease_until: until }));
    await putPresence(tx, leases);
    await startOnline.run(tx, { userIds: idsOf(users), until });
    for (const { id, online_until, is_invisible } of users)
      if (online_until <= now && is_invisible === 0) await tell(tx, id, true);
  }

  async function leave(tx: Tx, users: readonly Online[]): Promise<void> {
    await deletePresence.run(tx, { userIds: idsOf(users), nodeId });
    await endUnlessElsewhere(tx, users);
  }

  async function endUnlessElsewhere(tx: Tx, before: readonly Online[]): Promise<void> {
    const userIds = idsOf(before.filter(({ online_until }) => online_until > 0));
    for (const { id, online_until } of await endOnline.all(tx, { userIds, now: clock() }))
      if (online_until === 0) await tell(tx, id, false);
  }

  const tell = (tx: Tx, user: string, online: boolean) =>
    emit(tx, { kind: 'presence', audience: { connectionsOf: user }, data: { user, online } });

  /** Tells the connections of a user who hides or shows themselves, once the row of the user says so. */
  async function onInvisible(tx: Tx, userId: string, isInvisible: boolean): Promise<void> {
    const now = clock();
    const [before] = await lockOnline.all(tx, { userIds: [userId] });
    const [after] = await endOnline.all(tx, { userIds: [userId], now });
    if (!before || !after) return;
    const wasOnline = before.online_until > now;
    if (wasOnline !== after.online_until > now) await tell(tx, userId, !isInvisible);
  }

  /** Keeps the leases of this node, and ends those that others have left behind. */
  async function renew(anybodyHere: boolean): Promise<void> {
    const until = clock() + PRESENCE_LEASE_MS;
    if (anybodyHere)
      await db.write(async (tx) => {
        // In the order of all writers: first the users, then their leases.
        await renewUsers.run(tx, { nodeId, until });
        await renewLeases.run(tx, { nodeId, until });
      });
    await endExpired(clock());
  }

  async function endExpired(now: number): Promise<void> {
    for (let more = true; more; ) {
      const expired = await listExpired.all(db, { now, limit: TOGETHER });
      const userIds = [...new Set(expired.map(({ user_id }) => user_id))];
      more = expired.length === TOGETHER;
      if (userIds.length === 0) return;
      await db.write(async (tx) => {
        const users = await lockOnline.all(tx, { userIds });
        await deleteExpired.run(tx, { userIds, now });
        await endUnlessElsewhere(tx, users);
      });
    }
  }

  return { move, renew, onInvisible, stop: () => writing.stop() };
}

const idsOf = (users: readonly { id: string }[]) => users.map(({ id }) => id);
