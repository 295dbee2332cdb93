import { sql } from 'kysely';
import { inIdList, locked } from '#platform/db/index.ts';
import { type AttachmentRow, modification, statement } from '#schema';

export const insertAttachment = statement<AttachmentRow>()((q, p) =>
  q.insertInto('attachments').values({
    id: p.id,
    user_id: p.user_id,
    application_id: p.application_id,
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

/** Uploads of one user wait for each other here, so that each knows of the others. */
export const lockUploader = statement<{ userId: string }>()((q, p, dialect) => {
  const found = q.selectFrom('users').select('id').where('id', '=', p.userId);
  return locked(dialect, found, 'no key update');
});

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

interface Attaching {
  readonly userId: string;
  readonly applicationId: string | null;
  /** Messages that hold one file. */
  readonly most: number;
}

/** Whether an upload can become part of one more message. With an application, only what that application uploaded. */
const attachable = (p: Attaching) => sql<boolean>`user_id = ${p.userId}
  AND (CAST(${p.applicationId} AS text) IS NULL OR application_id = ${p.applicationId})
  AND status = 'ready' AND num_messages < ${p.most}`;

export const listAttachable = statement<Attaching & { ids: readonly string[] }>()((q, p, dialect) =>
  q
    .selectFrom('attachments')
    .select('id')
    .where(inIdList(dialect, 'id', p.ids))
    .where(attachable(p)),
);

/** Counts one more message and locks the row until the commit, so that no clean-up comes in between. */
export const lockAttachment = statement<Attaching & { id: string }>()((q, p) =>
  q
    .updateTable('attachments')
    .set((eb) => ({ num_messages: eb('num_messages', '+', 1) }))
    .where('id', '=', p.id)
    .where(attachable(p))
    .returningAll(),
);

/** Lets those of a user that no message holds yet wait at least until a time before they are cleared away. */
export const keepUploads = statement<{ userId: string; ids: readonly string[]; until: number }>()(
  (q, p, dialect) =>
    q
      .updateTable('attachments')
      .set({
        released_at: sql<number>`CASE WHEN released_at > ${p.until} THEN released_at ELSE ${p.until} END`,
      })
      .where(inIdList(dialect, 'id', p.ids))
      .where('user_id', '=', p.userId)
      .where('num_messages', '=', 0)
      .where('status', '=', 'ready'),
);

/** One of a user that no message holds waits no longer. */
export const releaseUpload = statement<{ userId: string; id: string; now: number }>()((q, p) =>
  q
    .updateTable('attachments')
    .set({ released_at: p.now })
    .where('id', '=', p.id)
    .where('user_id', '=', p.userId)
    .where('num_messages', '=', 0)
    .where('status', '=', 'ready'),
);

/** Counts so many messages less. What the last one let go is removed. */
export const releaseAttachment = statement<{ id: string; messages: number; now: number }>()((q, p) =>
  q
    .updateTable('attachments')
    .set((eb) => ({
      num_messages: eb('num_messages', '-', p.messages),
      released_at: p.now,
      status: sql<'ready'>`CASE WHEN num_messages = ${p.messages} THEN 'removed' ELSE status END`,
    }))
    .where('id', '=', p.id),
);

export const joinMessage = statement<{ messageId: string; attachmentId: string; placeId: string | null }>()(
  (q, p) =>
    q
      .insertInto('message_attachments')
      .values({ message_id: p.messageId, attachment_id: p.attachmentId, place_id: p.placeId }),
);

export const partMessages = statement<{ messageIds: readonly string[] }>()((q, p, dialect) =>
  q
    .deleteFrom('message_attachments')
    .where(inIdList(dialect, 'message_id', p.messageIds))
    .returning('attachment_id'),
);

export const partFile = statement<{ messageId: string; attachmentId: string }>()((q, p) =>
  q
    .deleteFrom('message_attachments')
    .where('message_id', '=', p.messageId)
    .where('attachment_id', '=', p.attachmentId),
);

/** The newest first. */
export const messagesWith = statement<{ id: string }>()((q, p) =>
  q
    .selectFrom('message_attachments')
    .select('message_id')
    .where('attachment_id', '=', p.id)
    .orderBy('message_id', 'desc'),
);

/** Makes it invisible, and keeps messages from taking it up again. @param p.but ids of those that stay */
export const markRemoved = modification('attachments')<{
  status: 'arriving' | 'ready';
  before: number;
  but: readonly string[];
}>(
  () => ({ status: 'removed' }),
  (rows, p, dialect) =>
    rows
      .where('num_messages', '=', 0)
      .where('released_at', '<=', p.before)
      .where('status', '=', p.status)
      .where(({ not }) => not(inIdList(dialect, 'id', p.but))),
);

/** The same for what one user uploaded. What is still arriving keeps its row until its bytes are there. */
export const markRemovedOf = modification('attachments')<{ userId: string }>(
  () => ({ status: 'removed' }),
  (rows, p) =>
    rows.where('num_messages', '=', 0).where('user_id', '=', p.userId).where('status', '=', 'ready'),
);

/** The uploads of a user, by id. */
export const pageOfUploads = statement<{ userId: string; after: string; limit: number }>()((q, p) =>
  q
    .selectFrom('attachments')
    .selectAll()
    .where('user_id', '=', p.userId)
    .where('status', '=', sql.lit('ready'))
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

/** Everybody's. */
export const pageOfEveryUpload = statement<{ after: string; limit: number }>()((q, p) =>
  q
    .selectFrom('attachments')
    .select(['id', 'file', 'thumbnail_file', 'size'])
    .where('status', '=', 'ready')
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
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
