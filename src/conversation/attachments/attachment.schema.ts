import { type Static, Type } from 'typebox';
import { Nullable, Timestamp, Uuid } from '#api';
import { THUMBNAIL_EDGE } from './thumbnail.ts';

export const Attachment = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    type: Type.String({ description: 'By its content, whatever the sender said' }),
    size: Type.Integer({ description: 'In bytes' }),
    url: Type.String(),
    thumbnail_url: Nullable(
      Type.String({ description: `WebP, at most ${THUMBNAIL_EDGE} pixels wide and high` }),
    ),
    width: Nullable(Type.Integer({ description: 'In pixels; null for what is no picture' })),
    height: Nullable(Type.Integer()),
    created_at: Timestamp,
  },
  { $id: 'Attachment' },
);
export type Attachment = Static<typeof Attachment>;
