import { type Static, Type } from 'typebox';
import { Nullable, Shared, Timestamp, Uuid } from '#api';
import { UserSummary } from '../../people/users/index.ts';
import { PublicApplication } from '../applications/index.ts';

const status = Type.String({ description: '`pending`, `active`, `failed` or `removed`' });
const reason = Nullable(Type.String({ description: 'Why it failed' }));

export const Installation = Type.Object(
  {
    id: Uuid,
    application: Shared(PublicApplication),
    team: Uuid,
    status,
    reason,
    scopes: Type.Array(Type.String(), {
      description: 'Scopes beyond the default that the team’s admin granted, among those it asks for now',
    }),
    requested_scopes: Type.Array(Type.String(), {
      description: 'Scopes that it asks for and on which no admin has decided yet',
    }),
    declined_scopes: Type.Array(Type.String(), {
      description: 'Scopes that it asks for and an admin has declined',
    }),
    link_prefixes: Type.Array(Type.String(), {
      description:
        'The beginnings of links that it hears of and may show cards for, among those it asks for now: `application.link_prefixes`',
    }),
    requested_link_prefixes: Type.Array(Type.String(), {
      description: 'Those that it asks for and on which no admin has decided yet',
    }),
    declined_link_prefixes: Type.Array(Type.String(), {
      description: 'Those that it asks for and an admin has declined',
    }),
    owner: Nullable(
      Type.Object(
        { id: Uuid, name: Type.String() },
        { description: 'In whose hands the application is; null where that account is closed' },
      ),
    ),
    asleep_since: Nullable(
      Type.Number({
        description:
          'Since when it may do nothing in this team, in seconds: it is in other hands than it was granted to, ' +
          'and an admin has to grant its scopes again. Null while it is awake',
      }),
    ),
    installed_by: Shared(UserSummary),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'Installation' },
);
export type Installation = Static<typeof Installation>;

const Scopes = (description: string) => Type.Array(Type.String(), { description });

/** What an admin decided about the scopes of an installation. */
export const Decision = Type.Object({
  decided_at: Timestamp,
  /** Missing for what was granted before decisions were kept. */
  decided_by: Type.Optional(Shared(UserSummary)),
  scopes: Scopes('Those that were granted from then on'),
  added: Scopes('Those among them that were not granted before'),
  removed: Scopes('Those that were granted before, and no more'),
  declined: Scopes('Those among the others that it asked for and that were declined then'),
});
export type Decision = Static<typeof Decision>;

/** The developer's view. */
export const InstallationOfOwn = Type.Object({
  id: Uuid,
  team: Type.Object({
    id: Uuid,
    name: Type.String({ description: 'Empty where the team has not agreed to the owner' }),
  }),
  status,
  reason,
  created_at: Timestamp,
});
