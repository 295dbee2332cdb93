import { timestamp } from '#api';
import type { AttachmentRow } from '#schema';
import type { Attachment } from './attachment.schema.ts';

/** The part of a file that a message keeps. It has no address, because the server may get another one. */
interface StoredItem {
  readonly type: 'file';
  readonly id: string;
  readonly name: string;
  readonly content_type: string;
  readonly size: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly thumbnail: boolean;
}

export type AttachmentPresenter = ReturnType<typeof attachmentPresenter>;

export function attachmentPresenter(baseUrl: () => string) {
  const urls = (id: string, hasThumbnail: boolean) => ({
    url: `${baseUrl()}/v1/attachments/${id}`,
    thumbnail_url: hasThumbnail ? `${baseUrl()}/v1/attachments/${id}/thumbnail` : null,
  });

  const attachment = (row: AttachmentRow): Attachment => ({
    id: row.id,
    name: row.name,
    type: row.content_type,
    size: row.size,
    ...urls(row.id, row.thumbnail_file !== null),
    width: row.width,
    height: row.height,
    created_at: timestamp(row.created_at),
  });

  /** One of a message's attachments as it is sent: a file gets its addresses, all else stays as it is. */
  function item(stored: unknown): unknown {
    if (!isFile(stored)) return stored;
    const { type, id, name, content_type, size, width, height, thumbnail } = stored;
    return { type, id, name, content_type, size, ...urls(id, thumbnail), width, height };
  }

  return {
    attachment,
    item,
    /** The addresses of a file. */
    urls: (row: Pick<AttachmentRow, 'id' | 'thumbnail_file'>) => urls(row.id, row.thumbnail_file !== null),
  };
}

/** No item of other origin has this type: see readAttachments in messages. */
function isFile(item: unknown): item is StoredItem {
  return (item as { type?: unknown } | null)?.type === 'file';
}

export function storedItem(row: AttachmentRow): StoredItem {
  const { id, name, content_type, size, width, height, thumbnail_file } = row;
  return { type: 'file', id, name, content_type, size, width, height, thumbnail: thumbnail_file !== null };
}
