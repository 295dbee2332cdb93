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
      description: 'Scopes that it asks for and no admin has granted yet',
    }),
    installed_by: Shared(UserSummary),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'Installation' },
);
export type Installation = Static<typeof Installation>;

/** The developer's view. */
export const InstallationOfOwn = Type.Object({
  id: Uuid,
  team: Type.Object({ id: Uuid, name: Type.String() }),
  status,
  reason,
  created_at: Timestamp,
});
