import { type Static, Type } from 'typebox';
import { Shared, Timestamp } from '#api';
import { UserSummary } from '../../../people/users/index.ts';
import { Message } from '../view/message.schema.ts';

export const PinnedMessage = Type.Object(
  {
    message: Shared(Message),
    user: Type.Unsafe<UserSummary>({ ...Shared(UserSummary), description: 'Who pinned it' }),
    pinned_at: Timestamp,
  },
  { $id: 'PinnedMessage' },
);
export type PinnedMessage = Static<typeof PinnedMessage>;
