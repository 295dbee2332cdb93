import type { Database } from '#platform/db/index.ts';
import { mentionedName } from '../messages/index.ts';
import type { Shown } from './content.ts';
import { findTeamOf } from './push.store.ts';

/** Adds the names that a notification of a message shows, as they are now: for devices and for windows alike. */
export async function shownOf(db: Database, about: Omit<Shown, 'team' | 'object'>): Promise<Shown> {
  const team = (await findTeamOf.first(db, { messageId: about.message.id }))?.team ?? null;
  return { ...about, team, object: await mentionedName(db, about.message) };
}
