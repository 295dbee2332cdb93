import { type Static, Type } from 'typebox';
import { Nullable, pageQuery, Shared, Text, Timestamp, Uuid } from '#api';
import { UserSummary } from '../../../people/users/index.ts';

/** Kinds that people look for. All other types are documents. */
export const FILE_KINDS = ['picture', 'video', 'audio', 'document'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** A file of a message. */
export const PostedFile = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    type: Type.String({ description: 'By its content, whatever the sender said' }),
    size: Type.Integer({ description: 'In bytes' }),
    url: Type.String(),
    thumbnail_url: Nullable(Type.String({ description: 'Of a picture: a small one, as WebP' })),
    width: Nullable(Type.Integer({ description: 'In pixels; null for what is no picture' })),
    height: Nullable(Type.Integer()),
    message: Type.Unsafe<string>({ ...Uuid, description: 'That holds it' }),
    reply_to: Type.Optional(Type.Unsafe<string>({ ...Uuid, description: 'What that message answers' })),
    sidebar: Type.Optional(Type.Unsafe<string>({ ...Uuid, description: 'In which that message is' })),
    author: Shared(UserSummary),
    posted_at: Timestamp,
  },
  { $id: 'PostedFile' },
);
export type PostedFile = Static<typeof PostedFile>;

export const FilesQuery = Type.Object({
  q: Type.Optional(Text(100, { description: 'A part of the name, without regard to case and accents' })),
  kind: Type.Optional(Type.Enum([...FILE_KINDS])),
  user: Type.Optional(Text(100, { description: 'Posted by this user' })),
  ...pageQuery,
});
export type FilesQuery = Static<typeof FilesQuery>;
