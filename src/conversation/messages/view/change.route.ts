import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  defineRoute,
  type ErrorClass,
  type MAY_GIVE_HIGH_FIVES,
  type MAY_MARK,
  Shared,
  type Viewer,
  viewerOf,
} from '#api';
import type { Tx } from '#platform/db/index.ts';
import type { MessageFinder } from './message.finder.ts';
import { Message } from './message.schema.ts';

/**
 * Declares a route that changes how a message stands. It answers the message to a caller who may read it, and nothing
 * to one who may only write.
 */
export function defineChange(
  app: FastifyInstance,
  finder: MessageFinder,
  spec: {
    method: 'PUT' | 'DELETE';
    path: `/v1/messages/:message/${string}`;
    access: 'session' | typeof MAY_GIVE_HIGH_FIVES | typeof MAY_MARK;
    /** The scope that opens it, and nothing else, for messages of the team. */
    part?: `${string}:write`;
    summary: string;
    errors: ErrorClass[];
    work: (tx: Tx, viewer: Viewer, messageId: string) => Promise<void>;
  },
): void {
  const { work, part, ...route } = spec;
  defineRoute(app, {
    ...route,
    tag: 'Messages',
    params: Type.Object({ message: Type.String() }),
    item: Shared(Message),
    handle: ({ params, principal, write }) =>
      write(async (tx) => {
        await work(tx, viewerOf(principal, 'write', part), params.message);
        return finder.find(tx, viewerOf(principal, 'read'), params.message);
      }),
  });
}
