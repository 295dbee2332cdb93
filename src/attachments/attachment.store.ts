import { type AttachmentRow, type MessageAttachmentRow, statement } from '../schema/index.ts';

export const insertAttachment = statement<AttachmentRow>()((q, p) =>
  q.insertInto('attachments').values({
    id: p.id,
    user_id: p.user_id,
    status: p.status,
    name: p.name,
    content_type: p.content_type,
    size: p.size,
    width: p.width,
    height: p.height,
    file: p.file,
    thumbnail_file: p.thumbnail_file,
    num_messages: p.num_messages,
    released_at: p.released_at,
    created_at: p.created_at,
  }),
);

/** In bytes; what is being cleared away counts until it is gone. */
export const sizeOfUser = statement<{ userId: string }>()((q, p) =>
  q
    .selectFrom('attachments')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number | string>('size'), eb.lit(0)).as('total'))
    .where('user_id', '=', p.userId),
);

/** Gives no row when it was given up meanwhile. */
export const markReady = statement<{ id: string }>()((q, p) =>
  q
    .updateTable('attachments')
    .set({ status: 'ready' })
    .where('id', '=', p.id)
    .where('status', '=', 'arriving')
    .returning('id'),
);

export const giveUp = statement<{ id: string }>()((q, p) =>
  q
    .updateTable('attachments')
    .set({ status: 'removed' })
    .where('id', '=', p.id)
    .where('status', '=', 'arriving'),
);

export const findAttachment = statement<{ id: string }>()((q, p) =>
  q.selectFrom('attachments').selectAll().where('id', '=', p.id).where('status', '=', 'ready'),
);

/** Counts one more message; the row is held until the commit, so that no clean-up comes in between. */
export const holdAttachment = statement<{ id: string; userId: string; most: number }>()((q, p) =>
  q
    .updateTable('attachments')
    .set((eb) => ({ num_messages: eb('num_messages', '+', 1) }))
    .where('id', '=', p.id)
    .where('user_id', '=', p.userId)
    .where('status', '=', 'ready')
    .where('num_messages', '<', p.most)
    .returningAll(),
);

export const releaseAttachment = statement<{ id: string; now: number }>()((q, p) =>
  q
    .updateTable('attachments')
    .set((eb) => ({ num_messages: eb('num_messages', '-', 1), released_at: p.now }))
    .where('id', '=', p.id),
);

export const joinMessage = statement<{ messageId: string; attachmentId: string }>()((q, p) =>
  q.insertInto('message_attachments').values({ message_id: p.messageId, attachment_id: p.attachmentId }),
);

export const partMessage = statement<{ messageId: string }>()((q, p) =>
  q.deleteFrom('message_attachments').where('message_id', '=', p.messageId).returning('attachment_id'),
);

/** The newest first. */
export const messagesHolding = statement<{ id: string }>()<Pick<MessageAttachmentRow, 'message_id'>>((q, p) =>
  q
    .selectFrom('message_attachments')
    .select('message_id')
    .where('attachment_id', '=', p.id)
    .orderBy('message_id', 'desc'),
);

/** From here on nobody sees it, and no message can take it up again. */
export const markRemoved = statement<{ status: 'arriving' | 'ready'; before: number }>()((q, p) =>
  q
    .updateTable('attachments')
    .set({ status: 'removed' })
    .where('num_messages', '=', 0)
    .where('released_at', '<=', p.before)
    .where('status', '=', p.status),
);

export const listRemoved = statement<{ limit: number }>()((q, p) =>
  q
    .selectFrom('attachments')
    .select(['id', 'file', 'thumbnail_file'])
    .where('num_messages', '=', 0)
    .where('status', '=', 'removed')
    .orderBy('released_at')
    .limit(p.limit),
);

export const deleteAttachment = statement<{ id: string }>()((q, p) =>
  q.deleteFrom('attachments').where('id', '=', p.id),
);
