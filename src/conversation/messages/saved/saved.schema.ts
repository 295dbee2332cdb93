import { type Static, Type } from 'typebox';
import { Shared, Timestamp } from '#api';
import { Message } from '../view/message.schema.ts';

export const SavedMessage = Type.Object(
  { message: Shared(Message), saved_at: Timestamp },
  { $id: 'SavedMessage' },
);
export type SavedMessage = Static<typeof SavedMessage>;
