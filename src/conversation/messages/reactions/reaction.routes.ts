import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  Answer,
  Conflict,
  defineRoute,
  InvalidFields,
  listPage,
  MAY_GIVE_HIGH_FIVES,
  MAY_REACT,
  MAY_SEE_HIGH_FIVES,
  MAY_SEE_REACTIONS,
  NotFound,
  nextCursor,
  onlookerOf,
  type Page,
  pageQuery,
  readPage,
  Shared,
  seesAddresses,
  Text,
  Timestamp,
  timestamp,
  type UserPrincipal,
  type Viewer,
  viewerOf,
} from '#api';
import type { Database } from '#platform/db/index.ts';
import { type Emoji, readEmoji } from '#platform/text/index.ts';
import { type UserPresenter, UserSummary, withoutAddresses } from '../../../people/users/index.ts';
import { isEmojiName } from '../../emoji/index.ts';
import { defineChange } from '../view/change.route.ts';
import { accessMessage } from '../view/message.access.ts';
import type { MessageFinder } from '../view/message.finder.ts';
import { HIGH_FIVE } from '../view/reaction-counts.ts';
import { noEmoji, type ReactionService } from './reaction.service.ts';
import { listReactions } from './reaction.store.ts';

export interface ReactionDeps {
  readonly db: Database;
  readonly present: UserPresenter;
  readonly finder: MessageFinder;
  readonly reactions: ReactionService;
}

const EmojiText = Text(64, {
  min: 1,
  description: 'An emoji, in any skin tone; percent-encoded in an address. Or the name of a custom emoji',
});
const OfMessage = Type.Object({ message: Type.String() });

const Reaction = Type.Object({
  emoji: Type.String({ description: 'In no skin tone, as messages count it; or the name of a custom emoji' }),
  given: Type.String({ description: 'In the skin tone that the person chose' }),
  user: Shared(UserSummary),
  created_at: Timestamp,
});

const highFive: Emoji = { emoji: HIGH_FIVE, given: HIGH_FIVE };

export function reactionRoutes(app: FastifyInstance, deps: ReactionDeps): void {
  const { db, present, finder, reactions } = deps;
  const presentFor = (principal: UserPrincipal) =>
    seesAddresses(principal) ? present : withoutAddresses(present);

  const pageFor = async (page: Page, viewer: Viewer, of: { message: string; emoji?: string | undefined }) => {
    const { id: messageId, team_id: teamId } = await accessMessage(db, viewer, of.message);
    const reacted = { messageId, teamId, emoji: of.emoji, onlooker: onlookerOf(viewer) };
    const [at, userId = '', last = ''] = page.after ?? [];
    const after = at === undefined ? undefined : ([Number(at), userId, last] as const);
    return listPage(
      page,
      (limit) => listReactions(db, reacted, after, limit),
      (row) => [String(row.given_at), row.id, row.emoji],
    );
  };

  defineRoute(app, {
    method: 'GET',
    path: '/v1/messages/:message/reactions',
    access: MAY_SEE_REACTIONS,
    tag: 'Messages',
    summary: 'The reactions to a message with their people, the newest first',
    params: OfMessage,
    query: Type.Object({ ...pageQuery, emoji: Type.Optional(EmojiText) }),
    item: Reaction,
    meta: Type.Object(nextCursor),
    errors: [InvalidFields, NotFound],
    handle: async ({ params, query, principal }) => {
      const viewer = viewerOf(principal, 'read', 'reactions:read');
      const emoji = query.emoji === undefined ? undefined : emojiIn(query.emoji).emoji;
      const page = readPage(query, 'number', 'id', 'text');
      const { rows, next } = await pageFor(page, viewer, { message: params.message, emoji });
      const { summary } = presentFor(principal);
      const shown = rows.map(({ emoji, given, given_at, ...user }) => ({
        ...{ emoji, given, user: summary(user), created_at: timestamp(given_at) },
      }));
      return new Answer(shown, { next_cursor: next });
    },
  });

  defineChange(app, finder, {
    method: 'PUT',
    path: '/v1/messages/:message/reactions/:emoji',
    access: MAY_REACT,
    part: 'reactions:write',
    more: { emoji: EmojiText },
    summary: 'React to a message',
    errors: [InvalidFields, NotFound, Conflict],
    work: (tx, viewer, id, { emoji }) => reactions.give(tx, viewer, id, emojiIn(emoji)),
  });

  defineChange(app, finder, {
    method: 'DELETE',
    path: '/v1/messages/:message/reactions/:emoji',
    access: MAY_REACT,
    part: 'reactions:write',
    more: { emoji: EmojiText },
    summary: 'Take a reaction back',
    errors: [InvalidFields, NotFound],
    work: (tx, viewer, id, { emoji }) => reactions.withdraw(tx, viewer, id, emojiIn(emoji)),
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/messages/:message/high_fives',
    access: MAY_SEE_HIGH_FIVES,
    tag: 'Messages',
    summary: 'The people who gave a message high fives, the newest first',
    params: OfMessage,
    query: Type.Object(pageQuery),
    item: Shared(UserSummary),
    meta: Type.Object(nextCursor),
    errors: [NotFound],
    handle: async ({ params, query, principal }) => {
      const viewer = viewerOf(principal, 'read', 'high_fives:read');
      const page = readPage(query, 'number', 'id', 'text');
      const { rows, next } = await pageFor(page, viewer, { message: params.message, emoji: HIGH_FIVE });
      return new Answer(rows.map(presentFor(principal).summary), { next_cursor: next });
    },
  });

  defineChange(app, finder, {
    method: 'PUT',
    path: '/v1/messages/:message/high_five',
    access: MAY_GIVE_HIGH_FIVES,
    part: 'high_fives:write',
    summary: 'Give a high five',
    errors: [NotFound, Conflict],
    work: (tx, viewer, id) => reactions.give(tx, viewer, id, highFive),
  });

  defineChange(app, finder, {
    method: 'DELETE',
    path: '/v1/messages/:message/high_five',
    access: MAY_GIVE_HIGH_FIVES,
    part: 'high_fives:write',
    summary: 'Take a high five back',
    errors: [NotFound, Conflict],
    work: (tx, viewer, id) => reactions.withdraw(tx, viewer, id, highFive),
  });
}

/** @throws InvalidFields for a text that is neither an emoji nor the name of a custom one */
function emojiIn(text: string): Emoji {
  const found = readEmoji(text) ?? namedIn(text);
  if (!found) throw noEmoji();
  return found;
}

/** A custom emoji, by its name. It may have been deleted: reactions keep the name. */
function namedIn(text: string): Emoji | undefined {
  const name = text.toLowerCase();
  return isEmojiName(name) ? { emoji: name, given: name } : undefined;
}
