import { Conflict, type Page, timestamp, type Viewer } from '#api';
import type { Database, Tx } from '#platform/db/index.ts';
import { type Clock, parseId } from '#platform/ids.ts';
import { lockUser } from '../../../people/users/index.ts';
import { accessMessage, refuseDeleted } from '../view/message.access.ts';
import type { MessageListener } from '../view/message.listener.ts';
import type { MessagePresenter } from '../view/message.present.ts';
import { notedPage } from '../view/noted-page.ts';
import type { PagePace } from '../view/page-pace.ts';
import { listSeen, lockMessage } from '../view/view.store.ts';
import type { SavedMessage } from './saved.schema.ts';
import {
  deleteSaved,
  dropSaved,
  findSaved,
  insertSaved,
  listSavedIds,
  noteSaved,
  pageOfSaved,
} from './saved.store.ts';

/** Messages that one person has saved. */
export const MOST_SAVED = 1000;

export type SavedService = ReturnType<typeof savedService>;

/** Messages that a person has saved for later. Nobody else learns of it, and no application. */
export function savedService(deps: {
  db: Database;
  clock: Clock;
  present: MessagePresenter;
  publish: MessageListener;
  pace: PagePace;
}) {
  const { db, clock, present, publish, pace } = deps;

  /** @throws NotFound @throws Conflict for a deleted message, and for one saved message too many */
  async function save(tx: Tx, viewer: Viewer, id: string): Promise<void> {
    const { userId } = viewer;
    const seen = await accessMessage(tx, viewer, id);
    // The requests of one person wait for each other, so that each counts the others. The person comes before any message.
    await lockUser.first(tx, { id: userId });
    const row = (await lockMessage.first(tx, { id: seen.id })) ?? seen;
    refuseDeleted(row);
    if (await findSaved.first(tx, { userId, messageId: row.id })) return;
    if (!(await hasRoom(tx, userId)))
      throw new Conflict('too_many_saved', `You have saved ${MOST_SAVED} messages: remove one first`);
    await insertSaved.run(tx, { user_id: userId, message_id: row.id, saved_at: clock() });
    if (row.was_saved === 0) await noteSaved.run(tx, { id: row.id });
    await publish(tx, { kind: 'state', userId, messageId: row.id });
  }

  /** Also what its owner does not see any more. @throws NotFound for a message that they neither see nor have saved */
  async function remove(tx: Tx, viewer: Viewer, id: string): Promise<void> {
    const { userId } = viewer;
    const messageId = parseId(id);
    if (messageId === undefined || !(await deleteSaved.first(tx, { userId, messageId }))) {
      await accessMessage(tx, viewer, id);
      return;
    }
    await publish(tx, { kind: 'state', userId, messageId });
  }

  /**
   * The newest saved first, as the viewer sees them now. What was deleted, or is out of sight, is left out: it comes back with
   * the right to see it.
   */
  async function list(viewer: Viewer, page: Page) {
    const { userId } = viewer;
    const reader = await db.forLists();
    const { shown, next } = await notedPage(reader, viewer, page, {
      find: (place) => pageOfSaved.all(reader, { userId, ...place }),
      at: ({ saved_at }) => saved_at,
      ...{ present, pace },
    });
    const messages = shown.map(
      ({ message, row }): SavedMessage => ({ message, saved_at: timestamp(row.saved_at) }),
    );
    return { messages, next };
  }

  return { save, remove, list };
}

/** Where there is none, what the person does not see any more makes room. */
async function hasRoom(tx: Tx, userId: string): Promise<boolean> {
  const saved = await listSavedIds.all(tx, { userId });
  if (saved.length < MOST_SAVED) return true;
  const ids = saved.map(({ message_id }) => message_id);
  const seen = new Set((await listSeen.all(tx, { viewerId: userId, ids })).map(({ id }) => id));
  const hidden = ids.filter((id) => !seen.has(id));
  if (hidden.length > 0) await dropSaved.run(tx, { userId, ids: hidden });
  return hidden.length > 0;
}
