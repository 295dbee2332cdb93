import { gathering, type Tx, together } from '#platform/db/index.ts';
import type { MessageRow } from '#schema';
import { conversationOf, MOST_PEOPLE } from '../view/conversation-id.ts';
import { insertConversations, insertConversationUsers, moveNewest } from './conversation.store.ts';

type Direct = Pick<MessageRow, 'author_id' | 'addressed_users_json'>;

/** Something that was said in a direct conversation: the message that opened it, and the id of what is new. */
export type Said = Direct & Pick<MessageRow, 'conversation_id'> & { readonly newestId: string };

/** @returns the author and the addressees of a direct message, each once */
export const peopleOf = ({ author_id, addressed_users_json }: Direct): string[] => [
  ...new Set([author_id, ...(JSON.parse(addressed_users_json) as string[])]),
];

/**
 * Notes that something was said: direct messages, or replies to them. It comes at the end of a transaction, for all that
 * was said in it at once: the rows of conversations are locked last, in the order of their ids.
 */
export const noteSaid = gathering('conversations', async (tx: Tx, said: readonly Said[]): Promise<void> => {
  const byId = new Map<string, { newestId: string; people: readonly string[] }>();
  for (const one of said) {
    const people = peopleOf(one);
    if (people.length > MOST_PEOPLE + 1) continue;
    const id = one.conversation_id ?? conversationOf(people);
    const { newestId = one.newestId } = byId.get(id) ?? {};
    byId.set(id, { people, newestId: newestId > one.newestId ? newestId : one.newestId });
  }
  const sorted = [...byId].sort(([one], [other]) => (one < other ? -1 : 1));
  const known = await together(sorted.map(([id, { newestId }]) => moveNewest.first(tx, { id, newestId })));
  const fresh = sorted.filter((_, index) => known[index] === undefined);
  await insertConversations(
    tx,
    fresh.map(([id, { newestId }]) => ({ id, newest_id: newestId })),
  );
  await insertConversationUsers(
    tx,
    fresh.flatMap(([conversation_id, { people }]) => people.map((user_id) => ({ user_id, conversation_id }))),
  );
});
