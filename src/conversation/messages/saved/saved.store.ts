import { inIdList } from '#platform/db/index.ts';
import { deletion, type SavedMessageRow, statement } from '#schema';
import type { PageOfUser } from '../../../stewardship/exports/index.ts';

interface Key {
  readonly userId: string;
  readonly messageId: string;
}

export const findSaved = statement<Key>()((q, p) =>
  q
    .selectFrom('saved_messages')
    .select('saved_at')
    .where('user_id', '=', p.userId)
    .where('message_id', '=', p.messageId),
);

export const insertSaved = statement<SavedMessageRow>()((q, p) =>
  q
    .insertInto('saved_messages')
    .values({ user_id: p.user_id, message_id: p.message_id, saved_at: p.saved_at }),
);

/** From now on readers of the message ask whether they have saved it. It stays so: who saves it next needs no write. */
export const noteSaved = statement<{ id: string }>()((q, p) =>
  q.updateTable('messages').set({ was_saved: 1 }).where('id', '=', p.id),
);

/** Gives no row where the person has not saved it. */
export const deleteSaved = statement<Key>()((q, p) =>
  q
    .deleteFrom('saved_messages')
    .where('user_id', '=', p.userId)
    .where('message_id', '=', p.messageId)
    .returning('message_id'),
);

/** Those that a person has saved, as far as they are among `ids`. */
export const dropSaved = statement<{ userId: string; ids: readonly string[] }>()((q, p, dialect) =>
  q
    .deleteFrom('saved_messages')
    .where('user_id', '=', p.userId)
    .where(inIdList(dialect, 'message_id', p.ids)),
);

/** Of a message that is deleted. Where more people than a portion has saved it, the rows of the others are shown to nobody. */
export const deleteSavedOf = deletion('saved_messages')<{ messageId: string }>((rows, p) =>
  rows.where('message_id', '=', p.messageId),
);

export const listSavedIds = statement<{ userId: string }>()((q, p) =>
  q.selectFrom('saved_messages').select('message_id').where('user_id', '=', p.userId),
);

/** Those that were saved before another one, the newest first. */
export const pageOfSaved = statement<{ userId: string; before: number; beforeId: string; limit: number }>()(
  (q, p) =>
    q
      .selectFrom('saved_messages')
      .select(['message_id', 'saved_at'])
      .where('user_id', '=', p.userId)
      .where('saved_at', '<=', p.before)
      .where(({ eb, or }) => or([eb('saved_at', '<', p.before), eb('message_id', '<', p.beforeId)]))
      .orderBy('saved_at', 'desc')
      .orderBy('message_id', 'desc')
      .limit(p.limit),
);

export const exportSaved = statement<PageOfUser>()((q, p) =>
  q
    .selectFrom('saved_messages')
    .select(['message_id', 'saved_at'])
    .where('user_id', '=', p.userId)
    .where('message_id', '>', p.after)
    .orderBy('message_id')
    .limit(p.limit),
);
