import { timestamp } from '#api';
import type { Database } from '#platform/db/index.ts';
import type { ReactionRow } from '#schema';
import { type ExportPart, listPart } from '../../../stewardship/exports/index.ts';
import { pageOfReactions } from './reaction.store.ts';

/** A person reacts to a message with several emoji: the key of a page has both. */
export const reactionsPart = (db: Database): ExportPart =>
  listPart<Omit<ReactionRow, 'user_id'>>(
    'reactions.json',
    ({ userId, after, limit }) => {
      const [messageId = '', emoji = ''] = after.split(' ');
      return pageOfReactions.all(db, { userId, messageId, emoji, limit });
    },
    (row) => `${row.message_id} ${row.emoji}`,
    (row) => ({ message: row.message_id, emoji: row.given, created_at: timestamp(row.created_at) }),
  );
