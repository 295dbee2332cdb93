import type { Viewer } from '#api';
import type { Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { accessMessage, refuseDeleted } from '../view/message.access.ts';
import type { MessageListener } from '../view/message.listener.ts';
import { countHighFive, deleteHighFive, insertHighFive } from './high-five.store.ts';

export type HighFiveService = ReturnType<typeof highFiveService>;

/** Giving and withdrawing high fives, one for each user and message. Repeating either changes nothing. */
export function highFiveService(deps: { clock: Clock; publish: MessageListener }) {
  const { clock, publish } = deps;

  /** @throws NotFound @throws Conflict for a deleted message */
  async function give(tx: Tx, viewer: Viewer, id: string): Promise<void> {
    const { userId } = viewer;
    const row = await accessMessage(tx, viewer, id);
    refuseDeleted(row);
    const given = await insertHighFive.first(tx, { messageId: row.id, userId, now: clock() });
    if (given) await count(tx, row.id, userId, 1);
  }

  /** @throws NotFound */
  async function withdraw(tx: Tx, viewer: Viewer, id: string): Promise<void> {
    const { userId } = viewer;
    const row = await accessMessage(tx, viewer, id);
    if (await deleteHighFive.first(tx, { messageId: row.id, userId })) await count(tx, row.id, userId, -1);
  }

  async function count(tx: Tx, id: string, userId: string, by: number): Promise<void> {
    const message = await countHighFive.first(tx, { id, by });
    const highFive = { userId, isGiven: by > 0 };
    if (message) await publish(tx, { kind: 'counted', message, highFive });
    if (message && by > 0) await publish(tx, { kind: 'high_fived', message, userId });
    await publish(tx, { kind: 'state', userId, messageId: id });
  }

  return { give, withdraw };
}
