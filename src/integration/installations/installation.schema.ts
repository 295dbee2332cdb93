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
      description: 'What the team’s admin granted beyond the default, of what it asks for now',
    }),
    requested_scopes: Type.Array(Type.String(), {
      description: 'What it asks for besides, and no admin granted yet',
    }),
    installed_by: Shared(UserSummary),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'Installation' },
);
export type Installation = Static<typeof Installation>;

/** What its developer sees. */
export const InstallationOfOwn = Type.Object({
  id: Uuid,
  team: Type.Object({ id: Uuid, name: Type.String() }),
  status,
  reason,
  created_at: Timestamp,
});
