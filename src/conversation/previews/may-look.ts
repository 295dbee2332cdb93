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
  if (of.deleted_at !== null) return false;
  const inTeam = of.team_id !== null;
  if (inTeam && (of.team_active !== 1 || of.link_previews === 'off')) return false;
  const isProgram = byProgram || of.application_id !== null || of.is_application === 1;
  if (isProgram && !(inTeam && of.link_previews === 'all')) return false;
  if (inTeam && of.sidebar_id === null) return true;
  return of.author_active === 1 && linkPreviewsOf(of).in_direct;
}
