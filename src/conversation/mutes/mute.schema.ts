import { type Static, Type } from 'typebox';
import { Nullable, Timestamp, Uuid } from '#api';

const MUTED_KINDS = ['team', 'message', 'subject', 'conversation'] as const;
export type MutedKind = (typeof MUTED_KINDS)[number];

export const MutedKind = Type.Unsafe<MutedKind>(
  Type.String({
    enum: [...MUTED_KINDS],
    description:
      'A team, a message with its replies, a subject of a team, or all direct messages with the same people',
  }),
);

/** A place that is muted. */
export const Mute = Type.Object(
  {
    kind: MutedKind,
    id: Type.Unsafe<string>({
      ...Uuid,
      description: 'The id of the team, of the message, of the subject, or of the conversation',
    }),
    until: Nullable(Timestamp),
  },
  { $id: 'Mute' },
);
export type Mute = Static<typeof Mute>;
