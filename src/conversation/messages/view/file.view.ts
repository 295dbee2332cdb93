import { sql } from 'kysely';
import { inIdList } from '#platform/db/index.ts';
import { type AttachmentRow, statement } from '#schema';
import type { SummaryRow } from '../../../people/users/index.ts';
import { authorColumns, views } from './view.store.ts';

/** A file with the message that holds it. */
export type FileView = Pick<
  AttachmentRow,
  'id' | 'name' | 'content_type' | 'size' | 'width' | 'height' | 'thumbnail_file'
> &
  Omit<SummaryRow, 'id'> & {
    message_id: string;
    author_id: string;
    root_id: string | null;
    sidebar_id: string | null;
    posted_at: number;
    application_id: string | null;
  };

/** Where a page begins: below the file of a message. */
export interface FileCursor {
  readonly messageId: string;
  readonly fileId: string;
}

/** The files that messages of a team or of a direct conversation hold, below a place; the newest first. */
export const listFilesBelow = statement<{ placeId: string; limit: number } & FileCursor>()((q, p) =>
  q
    .selectFrom('message_attachments')
    .select(['message_id', 'attachment_id'])
    .where('place_id', '=', p.placeId)
    .where(sql<boolean>`(message_id, attachment_id) < (${p.messageId}, ${p.fileId})`)
    .orderBy('message_id', 'desc')
    .orderBy('attachment_id', 'desc')
    .limit(p.limit),
);

/**
 * The files of some messages, as far as the viewer sees these. In one statement with the list PostgreSQL would go through
 * all messages that have none.
 */
export const findFiles = views<{ messageIds: readonly string[] }, FileView>((seen, p, { dialect, isKnown }) =>
  seen
    .innerJoin('message_attachments', 'message_attachments.message_id', 'messages.id')
    .innerJoin('attachments', 'attachments.id', 'message_attachments.attachment_id')
    .select([
      'attachments.id',
      'attachments.name',
      'attachments.content_type',
      'attachments.size',
      'attachments.width',
      'attachments.height',
      'attachments.thumbnail_file',
      'messages.id as message_id',
      'messages.author_id',
      'messages.root_id',
      'messages.sidebar_id',
      'messages.application_id',
      'messages.created_at as posted_at',
      ...authorColumns(isKnown),
    ])
    .where(inIdList(dialect, 'messages.id', p.messageIds)),
);
