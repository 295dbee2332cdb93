import { Type } from 'typebox';
import { Nullable, Uuid } from '#api';
import type { Reader } from '#platform/db/index.ts';
import type { ApplicationRow } from '#schema';
import { findUser } from '../../people/users/index.ts';
import { shownIcon } from '../applications/index.ts';

/** The application as shown on the consent page. */
export const AskingApplication = Type.Object({
  id: Uuid,
  name: Type.String(),
  description: Type.String(),
  icon: Type.String(),
  base_url: Nullable(Type.String()),
  link_prefixes: Type.Array(Type.String(), {
    description:
      'It hears of links that begin with these, where the team has granted them and it may read messages',
  }),
  owner_name: Type.Optional(Type.String({ description: 'Missing when the owner’s account was deleted' })),
});

/** @param links those that the team has granted, or the teams that could be opened from */
export async function presentAsking(
  reader: Reader,
  row: ApplicationRow,
  { links, origin }: { links: readonly string[]; origin: string },
) {
  const owner = await findUser.first(reader, { id: row.owner_id });
  const { id, name, description, base_url } = row;
  return {
    id,
    name,
    description,
    icon: shownIcon(row, origin),
    base_url: base_url || null,
    link_prefixes: [...new Set(links)],
    ...(owner && { owner_name: `${owner.first_name} ${owner.last_name}`.trim() }),
  };
}
