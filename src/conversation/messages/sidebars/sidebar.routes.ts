import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  Answer,
  Conflict,
  defineRoute,
  EmptyMessage,
  InvalidFields,
  NotFound,
  nextCursor,
  pageQuery,
  readPage,
  Shared,
  UnreachableAddressee,
  viewerOf,
  WrongMention,
} from '#api';
import type { Database, Tx } from '#platform/db/index.ts';
import type { MessageReader } from '../posting/message-input.ts';
import type { MessageFinder } from '../view/message.finder.ts';
import { Message, NewReply, NewSidebar, Sidebar } from '../view/message.schema.ts';
import type { SidebarService } from './sidebar.service.ts';

const tag = 'Sidebars';
/** A private conversation is no content of the team beside whose message it is. */
const mayRead = { scope: ['direct:read'] } as const;
const mayWrite = { scope: ['direct:write'] } as const;
const MessageParams = Type.Object({ message: Type.String() });
const SidebarParams = Type.Object({ sidebar: Type.String() });

export interface SidebarDeps {
  readonly db: Database;
  readonly read: MessageReader;
  readonly finder: MessageFinder;
  readonly sidebars: SidebarService;
}

export function sidebarRoutes(app: FastifyInstance, deps: SidebarDeps): void {
  const { db, read, finder, sidebars } = deps;

  defineRoute(app, {
    method: 'POST',
    path: '/v1/messages/:message/sidebars',
    access: mayWrite,
    tag,
    summary: 'Begin a private conversation beside a message',
    description: 'With users who see the message. Nobody else learns that it exists.',
    params: MessageParams,
    body: NewSidebar,
    item: Shared(Sidebar),
    errors: [NotFound, EmptyMessage, UnreachableAddressee, Conflict],
    handle: ({ params, body, principal, write }) => {
      const opened = { content: read.content({ text: body.text, format: body.format }), users: body.users };
      return write(async (tx) => [await sidebars.open(tx, principal, params.message, opened)], {
        again: async (tx, id) => [await sidebars.get(tx, viewerOf(principal, 'write'), id)],
      });
    },
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/messages/:message/sidebars',
    access: mayRead,
    tag,
    summary: 'The sidebars beside a message that the caller is in',
    params: MessageParams,
    item: Shared(Sidebar),
    errors: [NotFound],
    handle: ({ params, principal }) => sidebars.list(viewerOf(principal, 'read'), params.message),
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/sidebars/:sidebar',
    access: mayRead,
    tag,
    summary: 'A sidebar that the caller is in, with the message that it stands at',
    params: SidebarParams,
    item: Shared(Sidebar),
    errors: [NotFound],
    handle: async ({ params, principal }) => [
      await sidebars.get(db, viewerOf(principal, 'read'), params.sidebar),
    ],
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/sidebars/:sidebar/messages',
    access: mayRead,
    tag,
    summary: 'The messages of a sidebar, the oldest first',
    compressed: true,
    params: SidebarParams,
    query: Type.Object(pageQuery),
    item: Shared(Message),
    meta: Type.Object(nextCursor),
    errors: [NotFound],
    handle: async ({ params, query, principal }) => {
      const page = readPage(query, 'number');
      const { messages: listed, next } = await sidebars.messages(
        viewerOf(principal, 'read'),
        params.sidebar,
        page,
      );
      return new Answer(listed, { next_cursor: next });
    },
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/sidebars/:sidebar/messages',
    access: mayWrite,
    tag,
    summary: 'Write into a sidebar',
    params: SidebarParams,
    body: NewReply,
    item: Shared(Message),
    errors: [NotFound, InvalidFields, EmptyMessage, WrongMention],
    handle: ({ params, body, principal, key, write }) => {
      const content = { ...read.content(body), key };
      const shown = async (tx: Tx, id: string) => [await finder.get(tx, viewerOf(principal, 'write'), id)];
      return write(async (tx) => shown(tx, await sidebars.post(tx, principal, params.sidebar, content)), {
        again: shown,
      });
    },
  });
}
