import { Conflict, InvalidFields, type Viewer } from '#api';
import type { Reader, Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { type Emoji, readEmoji } from '#platform/text/index.ts';
import type { MessageRow } from '#schema';
import { accessMessage, refuseDeleted } from '../view/message.access.ts';
import type { MessageListener } from '../view/message.listener.ts';
import { type Counts, countsOf, HIGH_FIVE } from '../view/reaction-counts.ts';
import { lockMessage } from '../view/view.store.ts';
import {
  changeReaction,
  countReactions,
  deleteReaction,
  findReaction,
  insertReaction,
} from './reaction.store.ts';

/** Different emoji at one message. Who joins one that is there adds none. */
export const MOST_KINDS = 20;

export type ReactionService = ReturnType<typeof reactionService>;

/**
 * Reacting to messages: each person once with each emoji. Repeating it changes at most the skin tone. The message is locked
 * while its reactions are counted.
 */
export function reactionService(deps: {
  clock: Clock;
  publish: MessageListener;
  /** Whether there is a custom emoji of this name. */
  isCustom: (reader: Reader, name: string) => Promise<boolean>;
}) {
  const { clock, publish, isCustom } = deps;

  /**
   * @throws NotFound @throws Conflict in a deleted conversation, and for one kind too many
   * @throws InvalidFields for a custom emoji that there is not, or no more
   */
  async function give(tx: Tx, viewer: Viewer, id: string, { emoji, given }: Emoji): Promise<void> {
    const row = await lock(tx, viewer, id);
    refuseDeleted(row);
    // Where nobody may reply any more, nobody reacts to a reply.
    if (row.root_id !== null) refuseDeleted(await accessMessage(tx, viewer, row.root_id));
    const key = { message_id: row.id, user_id: viewer.userId, emoji };
    const before = await findReaction.first(tx, key);
    if (before) {
      if (before.given !== given) await changeReaction.run(tx, { ...key, given });
      return;
    }
    if (!readEmoji(emoji) && !(await isCustom(tx, emoji))) throw noEmoji();
    const counts = countsOf(row.reactions_json);
    const isKnown = counts.some(([known]) => known === emoji);
    if (!isKnown && counts.length >= MOST_KINDS)
      throw new Conflict('too_many_reactions', `A message has at most ${MOST_KINDS} kinds of reactions`);
    await insertReaction.run(tx, { ...key, given, created_at: clock() });
    await count(tx, row.id, isKnown ? added(counts, emoji, 1) : [...counts, [emoji, 1]], {
      userId: viewer.userId,
      emoji,
      isGiven: true,
    });
  }

  /** @throws NotFound */
  async function withdraw(tx: Tx, viewer: Viewer, id: string, { emoji }: Emoji): Promise<void> {
    const row = await lock(tx, viewer, id);
    const key = { message_id: row.id, user_id: viewer.userId, emoji };
    if (!(await deleteReaction.first(tx, key))) return;
    await count(tx, row.id, added(countsOf(row.reactions_json), emoji, -1), {
      userId: viewer.userId,
      emoji,
      isGiven: false,
    });
  }

  async function lock(tx: Tx, viewer: Viewer, id: string): Promise<MessageRow> {
    const seen = await accessMessage(tx, viewer, id);
    return (await lockMessage.first(tx, { id: seen.id })) ?? seen;
  }

  async function count(
    tx: Tx,
    id: string,
    counts: Counts,
    reaction: { userId: string; emoji: string; isGiven: boolean },
  ): Promise<void> {
    const { userId, isGiven } = reaction;
    const json = counts.length === 0 ? null : JSON.stringify(counts);
    const highFives = counts.find(([emoji]) => emoji === HIGH_FIVE)?.[1] ?? 0;
    const message = await countReactions.first(tx, { id, json, highFives });
    if (message) await publish(tx, { kind: 'counted', message, reaction });
    if (message && isGiven) await publish(tx, { kind: 'reacted', message, userId });
    await publish(tx, { kind: 'state', userId, messageId: id });
  }

  return { give, withdraw };
}

export const noEmoji = () =>
  new InvalidFields({ field: 'emoji', message: 'must be one emoji, as 👍, or the name of a custom one' });

const added = (counts: Counts, emoji: string, by: number): Counts =>
  counts
    .map(([known, count]) => [known, known === emoji ? count + by : count] as const)
    .filter(([, count]) => count > 0);
