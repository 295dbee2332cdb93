import { type Static, Type } from 'typebox';
import { Nullable, Shared } from '#api';
import { UserSummary } from '../people/users/index.ts';

/** Whom a message in a team would call. */
export const CalledPeople = Type.Object(
  {
    people: Type.Integer({ description: 'How many members besides the caller' }),
    at_night: Nullable(
      Type.Integer({
        description:
          'For how many of those whom a group or `team` calls it is between 22:00 and 07:00, as far as it is known where they are; null for fewer than six of them',
      }),
    ),
    missing: Type.Array(Shared(UserSummary), {
      description:
        'Connections of the caller with one of the names who are not in the team: nobody tells them',
    }),
  },
  { $id: 'CalledPeople' },
);
export type CalledPeople = Static<typeof CalledPeople>;
