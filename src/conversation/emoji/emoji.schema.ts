import { type Static, Type } from 'typebox';
import { Timestamp, Uuid } from '#api';

export const CustomEmoji = Type.Object(
  {
    name: Type.String({ description: 'Without colons' }),
    url: Type.String({ description: 'The picture, as WebP. It may move' }),
    still_url: Type.String({
      description: 'Its first frame, for people who prefer less motion; `url` where it does not move',
    }),
    animated: Type.Boolean(),
    creator: { ...Uuid, description: 'The user who added it' },
    created_at: Timestamp,
  },
  { $id: 'CustomEmoji' },
);
export type CustomEmoji = Static<typeof CustomEmoji>;
