import { NotFound, type Viewer } from '#api';
import type { Reader } from '#platform/db/index.ts';
import { parseId } from '#platform/ids.ts';
import { findCursor } from './list.store.ts';

/** @returns the id of a team whose messages the viewer reaches @throws NotFound */
export async function accessTeam(reader: Reader, { userId, reach }: Viewer, team: string): Promise<string> {
  const teamId = parseId(team);
  if (!teamId || (reach && reach.teamId !== teamId)) throw new NotFound();
  // An application as itself is no member of the team that has installed it.
  if (!reach?.asTeam && !(await findCursor.first(reader, { userId, teamId }))) throw new NotFound();
  return teamId;
}
