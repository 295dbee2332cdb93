import { randomUUID } from 'node:crypto';
import type { Database, Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { lockOnline, setOnline } from '../../people/users/index.ts';
import type { NewEvent } from './catalogue.ts';
import {
  deleteExpired,
  deletePresence,
  findLease,
  putPresence,
  renewLeases,
  renewUsers,
} from './presence.store.ts';

/** Longer than a few renewals: a node that lives never loses it, and one that died is missed after this. */
export const PRESENCE_LEASE_MS = 90_000;

export type Presence = ReturnType<typeof presence>;

/**
 * A user is online while they have a stream open on some node. Each node has a lease for each of its users, so that a
 * crash ends them by itself; `users.online_until` is the latest of a user's leases, where every reader finds it.
 */
export function presence(deps: {
  db: Database;
  clock: Clock;
  emit: (tx: Tx, event: NewEvent) => Promise<void>;
}) {
  const { db, clock, emit } = deps;
  const nodeId = randomUUID();

  const emitOnline = (tx: Tx, userId: string, online: boolean) =>
    emit(tx, { kind: 'presence', audience: { connectionsOf: userId }, data: { user: userId, online } });

  /** The user's first stream on this node. */
  function arrive(userId: string): Promise<void> {
    return db.write(async (tx) => {
      const now = clock();
      const before = await lockOnline.first(tx, { userId });
      const until = now + PRESENCE_LEASE_MS;
      await putPresence.run(tx, { userId, nodeId, until });
      await setOnline.run(tx, { userId, until });
      if ((before?.online_until ?? 0) <= now) await emitOnline(tx, userId, true);
    });
  }

  /** Their last one on this node. */
  function leave(userId: string): Promise<void> {
    return db.write(async (tx) => {
      const before = await lockOnline.first(tx, { userId });
      await deletePresence.run(tx, { userId, nodeId });
      await endUnlessElsewhere(tx, userId, before?.online_until ?? 0);
    });
  }

  async function endUnlessElsewhere(tx: Tx, userId: string, onlineUntil: number): Promise<void> {
    if (onlineUntil === 0) return;
    const elsewhere = await findLease.first(tx, { userId, now: clock() });
    await setOnline.run(tx, { userId, until: elsewhere?.lease_until ?? 0 });
    if (!elsewhere) await emitOnline(tx, userId, false);
  }

  /** Keeps the leases of this node, and ends those that others have left behind. */
  async function renew(anybodyHere: boolean): Promise<void> {
    const until = clock() + PRESENCE_LEASE_MS;
    await db.write(async (tx) => {
      if (anybodyHere) {
        await renewLeases.run(tx, { nodeId, until });
        await renewUsers.run(tx, { nodeId, until });
      }
      const gone = await deleteExpired.all(tx, { now: clock() });
      for (const userId of new Set(gone.map(({ user_id }) => user_id))) {
        const before = await lockOnline.first(tx, { userId });
        await endUnlessElsewhere(tx, userId, before?.online_until ?? 0);
      }
    });
  }

  return { arrive, leave, renew };
}
