import type { MessageRow, TeamRow, UserRow } from '#schema';
import { linkPreviewsOf } from '../../people/users/index.ts';

/** A message with a link, its author, and its team. */
export type Linked = Pick<MessageRow, 'deleted_at' | 'team_id' | 'sidebar_id' | 'application_id'> &
  Pick<UserRow, 'is_application' | 'prefs_json'> & {
    readonly author_active: number;
    readonly link_previews: TeamRow['link_previews'] | null;
    readonly team_active: number | null;
  };

/**
 * Whether the server may look at the page of a link: for what people write to a team unless it says no, for what programs
 * write there where it says yes, and in private conversations where their author does.
 */
export function mayLook(of: Linked, byProgram: boolean): boolean {
  if (!mayLookForBlocks(of)) return false;
  const inTeam = of.team_id !== null;
  const isProgram = byProgram || of.application_id !== null || of.is_application === 1;
  if (isProgram && !(inTeam && of.link_previews === 'all')) return false;
  return isOpen(of) || (of.author_active === 1 && linkPreviewsOf(of).in_direct);
}

/**
 * Whether the server may fetch a picture of blocks, which programs alone write and which the team let in: in a team unless
 * it says no. In private conversations only where an application speaks for itself, or its author wants previews there.
 */
export function mayLookForBlocks(of: Linked): boolean {
  if (of.deleted_at !== null) return false;
  if (of.team_id !== null && (of.team_active !== 1 || of.link_previews === 'off')) return false;
  return isOpen(of) || of.is_application === 1 || (of.author_active === 1 && linkPreviewsOf(of).in_direct);
}

const isOpen = ({ team_id, sidebar_id }: Linked): boolean => team_id !== null && sidebar_id === null;
