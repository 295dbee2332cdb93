import { queryOptions } from '@tanstack/react-query';
import { call, callOne } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import type { Message, UserSummary } from '../../api/types.ts';
import { MOST } from './lists.ts';
import { changeMessage, replaceMessage } from './messages.ts';

export type Reaction = NonNullable<Message['reactions']>[number];

/** A person who reacted, and how. */
export interface Given {
  readonly emoji: string;
  /** In the skin tone that they chose. */
  readonly given: string;
  readonly user: UserSummary;
}

export const HIGH_FIVE = '🙌';

const TONES = /[\u{1f3fb}-\u{1f3ff}]/gu;
const PICTURE = /\ufe0f/g;
const bare = (emoji: string) => emoji.replace(TONES, '').replace(PICTURE, '');

/** Whether both are the same emoji, in whatever skin tones. */
export const isSame = (one: string, other: string): boolean => bare(one) === bare(other);

const reactionsOf = ({ reactions = [] }: Pick<Message, 'reactions'>) => reactions;

export const hasReacted = (message: Message, emoji: string): boolean =>
  reactionsOf(message).some((one) => one.mine && isSame(one.emoji, emoji));

/** The message with, or without, a reaction of its reader. */
export function withReaction(message: Message, emoji: string, gives: boolean): Message {
  if (hasReacted(message, emoji) === gives) return message;
  const known = reactionsOf(message).find((one) => isSame(one.emoji, emoji));
  const changed = { emoji: known?.emoji ?? emoji, num: (known?.num ?? 0) + (gives ? 1 : -1), mine: gives };
  const all = known
    ? reactionsOf(message).map((one) => (one === known ? changed : one))
    : [...reactionsOf(message), changed];
  const reactions = all.filter(({ num }) => num > 0);
  const { reactions: _, ...rest } = message;
  const isFive = isSame(emoji, HIGH_FIVE);
  return {
    ...rest,
    ...(reactions.length > 0 && { reactions }),
    ...(isFive && { user_high_fived: gives, num_high_fives: changed.num }),
  };
}

/** Gives a reaction, or takes it back. It is shown at once, and undone when the server refuses. */
export async function react(message: Message, emoji: string): Promise<void> {
  const gives = !hasReacted(message, emoji);
  changeMessage(message.id, (now) => withReaction(now, emoji, gives));
  try {
    const path = `/v1/messages/${message.id}/reactions/${encodeURIComponent(emoji)}`;
    replaceMessage(
      await callOne<Message>(path, { method: gives ? 'PUT' : 'DELETE', ...(gives && { body: {} }) }),
    );
  } catch (error) {
    changeMessage(message.id, (now) => withReaction(now, emoji, !gives));
    throw error;
  } finally {
    // The change is shown before the server has it, so a fetch may have been too early.
    void queryClient.invalidateQueries({ queryKey: givenTo(message.id) });
  }
}

const givenTo = (id: string) => ['reactions', id] as const;

/** Who reacted with one emoji; fetched again when their number changes. */
export const givenQuery = (id: string, { emoji, num, mine }: Reaction) =>
  queryOptions({
    queryKey: [...givenTo(id), emoji, num, mine],
    queryFn: ({ signal }) => fetchGiven(id, { limit: MOST, emoji }, signal),
    staleTime: 10_000,
  });

/** Who reacted, and how. */
export const allGivenQuery = ({ id, reactions = [] }: Message) =>
  queryOptions({
    queryKey: [...givenTo(id), reactions],
    queryFn: ({ signal }) => fetchGiven(id, { limit: MOST }, signal),
    staleTime: 10_000,
  });

const fetchGiven = async (id: string, query: { limit: number; emoji?: string }, signal: AbortSignal) =>
  (await call<Given>(`/v1/messages/${id}/reactions`, { query, signal })).data;
