import { type Static, Type } from 'typebox';
import { Expecting, Text, Timestamp, Uuid } from '#api';

/** The most people in a group. */
export const MOST_IN_GROUP = 500;

const GroupName = Expecting(
  'must be 1 to 50 letters, digits, dots, underscores or hyphens, and begin with a letter or digit',
  Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$',
    description:
      'Calls the group in a text, after an @; no two in a team differ by upper and lower case alone',
  }),
);
const People = Type.Array(Text(100), {
  maxItems: MOST_IN_GROUP,
  description: 'Ids of members of the team',
});

export const PeopleGroup = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    users: Type.Array(Uuid, { description: 'Who is in it, by id' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'PeopleGroup' },
);
export type PeopleGroup = Static<typeof PeopleGroup>;

export const NewPeopleGroup = Type.Object({ name: GroupName, users: Type.Optional(People) });
export type NewPeopleGroup = Static<typeof NewPeopleGroup>;

export const PeopleGroupChange = Type.Partial(NewPeopleGroup);
export type PeopleGroupChange = Static<typeof PeopleGroupChange>;
