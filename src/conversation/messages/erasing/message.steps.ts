import { ERASED_AT_ONCE, type Step } from '../../../stewardship/erasure/index.ts';
import type { EraseMessages } from './erase-messages.ts';
import { pageBesideStream, pageOfStream, pageOfWritten, type Written } from './erasing.store.ts';

/** Whether only its author sees it: a message to themselves, or what they added to one. */
function isNote(row: Written, userId: string): boolean {
  const toNobodyElse = row.addressed_users_json === JSON.stringify([userId]);
  const inTeam = row.team_id !== null && row.sidebar_id === null;
  return toNobodyElse && !inTeam && (row.root_author_id ?? userId) === userId;
}

/** Erases what a person wrote to themselves alone. */
export const notesStep = (eraseMessages: EraseMessages): Step => ({
  erase: async (tx, userId, after) => {
    const page = await pageOfWritten.all(tx, { userId, after, limit: ERASED_AT_ONCE });
    const notes = page.filter((row) => isNote(row, userId));
    const ids = notes.map(({ id }) => id);
    if (await eraseMessages(tx, ids)) return after;
    return page.length < ERASED_AT_ONCE ? undefined : page.at(-1)?.id;
  },
});

/** Erases the messages of a team: first what opens conversations, then replies and sidebars. */
export const teamMessagesSteps = (eraseMessages: EraseMessages): readonly Step[] =>
  [pageOfStream, pageBesideStream].map((pageOf) => ({
    erase: async (tx, teamId, after) => {
      const page = await pageOf.all(tx, { teamId, after, limit: ERASED_AT_ONCE });
      const ids = page.map(({ id }) => id);
      if (await eraseMessages(tx, ids)) return after;
      return page.length < ERASED_AT_ONCE ? undefined : ids.at(-1);
    },
  }));
