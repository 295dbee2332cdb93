import type { Reader } from '#platform/db/index.ts';
import type { ApplicationRow } from '#schema';
import { findMember } from '../../teams/index.ts';

/** Whether a team sees an application: one that is not listed is open to the teams that its owner is in. */
export const isOpenTo = async (
  reader: Reader,
  teamId: string,
  { listed, owner_id }: Pick<ApplicationRow, 'listed' | 'owner_id'>,
): Promise<boolean> =>
  listed === 1 || (await findMember.first(reader, { teamId, userId: owner_id })) !== undefined;
