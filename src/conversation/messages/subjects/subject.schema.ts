import { type Static, Type } from 'typebox';
import { Name, Nullable, Text, Timestamp, Uuid } from '#api';

/** The characters of a name. */
export const MAX_SUBJECT = 120;
/** Of a team. Closed ones are not counted. */
export const MOST_OPEN_SUBJECTS = 200;
/** Of those that one member named who is no admin of the team: nobody takes the room of all. */
export const MOST_OPEN_OF_MEMBER = 50;
/** Of one subject no more unread messages are counted. */
export const MOST_UNREAD = 1000;

export const Subject = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    closed: Type.Boolean({ description: 'A new message in it opens it' }),
    num_unread: Type.Integer({
      description: `Messages that the caller has not read, at most ${MOST_UNREAD}`,
    }),
    last_message_at: Nullable(Timestamp),
    created_by: Type.Unsafe<string>({ ...Uuid, description: 'Who named it first' }),
  },
  { $id: 'Subject' },
);
export type Subject = Static<typeof Subject>;

export const SubjectChange = Type.Object({
  name: Type.Optional(Name(MAX_SUBJECT, 'No two in a team are the same but for capitals and accents')),
  closed: Type.Optional(Type.Boolean()),
});
export type SubjectChange = Static<typeof SubjectChange>;

export const SubjectRead = Type.Object({
  up_to: Type.Optional(
    Text(100, { description: 'The id of a message of the team, up to which it is read. Default: all of it' }),
  ),
});
export type SubjectRead = Static<typeof SubjectRead>;
