import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  Answer,
  defineRoute,
  InvalidFields,
  inTeamOf,
  NotFound,
  nextCursor,
  pageQuery,
  readPage,
  Shared,
} from '#api';
import { INBOX_FILTERS, InboxCounts, InboxEntry } from './inbox.schema.ts';
import type { InboxService } from './inbox.service.ts';

const tag = 'Inbox';
const mayRead = { scope: ['inbox:read'] } as const;
const Params = Type.Object({ conversation: Type.String() });
const Query = Type.Object({
  filter: Type.Optional(
    Type.Enum([...INBOX_FILTERS], {
      description:
        '`new` (the default) is what is unread, `mentions` all that mention the caller, `threads` all whose replies concern the caller, who began or answered them',
    }),
  ),
  ...pageQuery,
});

/** The inbox of the session user. */
export function inboxRoutes(app: FastifyInstance, inbox: InboxService): void {
  defineRoute(app, {
    method: 'GET',
    path: '/v1/users/me/inbox',
    access: mayRead,
    tag,
    summary: 'What is new to the caller, the newest first',
    description:
      'One item for each conversation that concerns the caller, and in `new` one for each team with other unread messages. ' +
      'An item is unread while the messages in it are that concern the caller: reading them anywhere takes it out of `new`. ' +
      'A high five for a message of the caller is in `new`, but not unread. A token has what is said to the whole team from which ' +
      'it was opened.',
    compressed: true,
    query: Query,
    item: Shared(InboxEntry),
    meta: Type.Object(nextCursor),
    errors: [InvalidFields],
    handle: async ({ principal, query }) => {
      const { filter = 'new', ...page } = query;
      const { entries, next } = await inbox.list(inTeamOf(principal), filter, readPage(page, 'id'));
      return new Answer(entries, { next_cursor: next });
    },
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/users/me/inbox/counts',
    access: mayRead,
    tag,
    summary: 'How much is new to the caller',
    item: InboxCounts,
    handle: async ({ principal }) => [await inbox.counts(inTeamOf(principal))],
  });

  defineRoute(app, {
    method: 'PUT',
    path: '/v1/users/me/inbox/:conversation/done',
    access: 'session',
    tag,
    summary: 'Mark a conversation as done: what is new in it is read',
    params: Params,
    query: Type.Object({
      num_replies: Type.Optional(
        Type.Integer({
          minimum: 0,
          description:
            'How many replies, or messages of the sidebar, were shown: later ones stay unread. Default: all',
        }),
      ),
    }),
    item: Shared(InboxEntry),
    errors: [NotFound],
    handle: ({ params, query, principal, write }) =>
      write(async (tx) => [await inbox.done(tx, principal.userId, params.conversation, query.num_replies)]),
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/users/me/inbox/:conversation/done',
    access: 'session',
    tag,
    summary: 'Bring back what was new in a conversation before it was done',
    params: Params,
    item: Shared(InboxEntry),
    errors: [NotFound],
    handle: ({ params, principal, write }) =>
      write(async (tx) => [await inbox.undo(tx, principal.userId, params.conversation)]),
  });
}
