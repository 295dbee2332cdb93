import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  Conflict,
  defineRoute,
  MAY_WRITE,
  MAY_WRITE_ITSELF,
  NotAllowed,
  NotFound,
  Shared,
  viewerOf,
} from '#api';
import type { MessageFinder } from '../view/message.finder.ts';
import { Message, NewUnfurls } from '../view/message.schema.ts';
import { readCards, type UnfurlService } from './unfurl.service.ts';

const tag = 'Messages';
const Params = Type.Object({ message: Type.String() });

export function unfurlRoutes(
  app: FastifyInstance,
  { unfurls, finder }: { unfurls: UnfurlService; finder: MessageFinder },
): void {
  defineRoute(app, {
    method: 'PUT',
    path: '/v1/messages/:message/unfurls',
    access: MAY_WRITE_ITSELF,
    tag,
    summary: 'Show what links to the calling application lead to, in place of what it showed before',
    description:
      'For an application as itself, with `messages:read` and `messages:write`: cards of links that stand in the text of the ' +
      'message and begin with its `link_prefixes`, where the team has granted them. A link whose card a member has removed gets none again.',
    params: Params,
    body: NewUnfurls,
    item: Shared(Message),
    errors: [NotFound, NotAllowed, Conflict],
    handle: ({ params, body, principal, write }) => {
      const cards = readCards(body);
      return write(async (tx) => {
        await unfurls.put(tx, principal, params.message, cards);
        return finder.find(tx, viewerOf(principal, 'read'), params.message);
      });
    },
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/messages/:message/unfurls',
    access: MAY_WRITE_ITSELF,
    tag,
    summary: 'Take away what the calling application shows of links to itself',
    params: Params,
    item: Shared(Message),
    errors: [NotFound, NotAllowed],
    handle: ({ params, principal, write }) =>
      write(async (tx) => {
        await unfurls.clear(tx, principal, params.message);
        return finder.find(tx, viewerOf(principal, 'read'), params.message);
      }),
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/messages/:message/unfurls/:unfurl',
    access: MAY_WRITE,
    tag,
    summary: 'Remove a preview for good',
    description: 'By the author of the message, or by an admin of its team.',
    params: Type.Object({ message: Type.String(), unfurl: Type.String() }),
    item: Shared(Message),
    errors: [NotFound, NotAllowed],
    handle: ({ params, principal, write }) =>
      write(async (tx) => {
        await unfurls.remove(tx, viewerOf(principal, 'write'), params.message, params.unfurl);
        return finder.find(tx, viewerOf(principal, 'read'), params.message);
      }),
  });
}
