import { type Static, Type } from 'typebox';
import { ByHand, Nullable, OneOf, Shared, Text, Timestamp, Uuid } from '#api';

/** A person's messages and reminders that are not sent. */
export const MOST_UNSENT = 500;
/** Applications have as many for a person besides, and one of them so many. */
export const MOST_OF_APPLICATION = 250;
export const LONGEST_REMINDER = 2000;

/** Why something was not sent. */
export const UNSENT_REASONS = [
  'late',
  'unreachable',
  'message_gone',
  'file_gone',
  'account',
  'access_ended',
  'refused',
  'error',
] as const;
export type UnsentReason = (typeof UNSENT_REASONS)[number];

const STATUSES = ['pending', 'sent', 'failed', 'late'] as const;

const wallTime = {
  // Longer than a time can be: what is wrong with an instant is said where times are read.
  local: Text(40, { description: 'The time on a wall, as `2026-12-01T09:00`' }),
  zone: Text(64, { description: 'The zone of that wall, as `Europe/Berlin`' }),
};
const AskedTime = Type.Object(wallTime);
export const WallTime = Type.Object(wallTime, { $id: 'WallTime' });
export type WallTime = Static<typeof WallTime>;

const settled = {
  at: Type.Unsafe<number>({ ...Timestamp, description: 'The instant that the time means' }),
  status: OneOf(STATUSES),
  reason: Nullable(
    Type.String({
      description:
        'Why it was not sent: `late` (by more than an hour, its author decides), `unreachable` (the author may not write there any more), `message_gone`, `file_gone`, `account` (it is suspended), `access_ended` (of the application), `refused`, `error`',
    }),
  ),
};

const GivenMessage = ByHand(
  'As the body of `POST /v1/messages`; or, with `reply_to`, the id of a message, as that of its replies; or, with `sidebar`, the id of one, as that of its messages',
  Type.Object({}),
);

export const ScheduledMessage = Type.Object(
  {
    id: Uuid,
    ...settled,
    send_at: Shared(WallTime),
    message: Nullable(
      Type.Object({}, { additionalProperties: true, description: 'As it was given; null once it is sent' }),
    ),
    message_id: Nullable(Uuid),
    application: Nullable(Type.Unsafe<string>({ ...Uuid, description: 'Whose token scheduled it' })),
  },
  { $id: 'ScheduledMessage' },
);
export type ScheduledMessage = Static<typeof ScheduledMessage>;

export const NewScheduled = Type.Object({ send_at: AskedTime, message: GivenMessage });
export const ScheduledChange = Type.Object({
  send_at: Type.Optional(AskedTime),
  message: Type.Optional(GivenMessage),
  send_now: Type.Optional(Type.Boolean({ description: 'Sends it at once; goes without `send_at`' })),
});
export type ScheduledChange = Static<typeof ScheduledChange>;

export const Reminder = Type.Object(
  {
    id: Uuid,
    ...settled,
    send_at: Shared(WallTime),
    message: Nullable(Type.Unsafe<string>({ ...Uuid, description: 'The message that it is about' })),
    text: Nullable(Type.String()),
    message_id: Nullable(Type.Unsafe<string>({ ...Uuid, description: 'The note that it became' })),
  },
  { $id: 'Reminder' },
);
export type Reminder = Static<typeof Reminder>;

export const NewReminder = Type.Object({
  at: AskedTime,
  message: Type.Optional(Nullable(Text(100, { description: 'The id of a message to be reminded of' }))),
  text: Type.Optional(Nullable(Text(LONGEST_REMINDER))),
});
export type NewReminder = Static<typeof NewReminder>;
