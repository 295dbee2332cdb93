import type { FastifyInstance } from 'fastify';
import { type Static, type TObject, type TProperties, Type } from 'typebox';
import {
  defineRoute,
  type ErrorClass,
  type MAY_GIVE_HIGH_FIVES,
  type MAY_MARK,
  type MAY_REACT,
  type MAY_WRITE_TEAM_ITSELF,
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
export function defineChange<More extends TProperties = Record<never, never>>(
  app: FastifyInstance,
  finder: MessageFinder,
  spec: {
    method: 'PUT' | 'DELETE';
    path: `/v1/${string}/:message` | `/v1/messages/:message/${string}`;
    access:
      | 'session'
      | typeof MAY_GIVE_HIGH_FIVES
      | typeof MAY_REACT
      | typeof MAY_MARK
      | typeof MAY_WRITE_TEAM_ITSELF;
    /** The scope that opens it, and nothing else, for messages of the team. */
    part?: `${string}:write`;
    /** Of the path, beside the message. */
    more?: More;
    summary: string;
    description?: string;
    errors: ErrorClass[];
    work: (tx: Tx, viewer: Viewer, messageId: string, more: Static<TObject<More>>) => Promise<void>;
  },
): void {
  const { work, part, more, ...route } = spec;
  defineRoute(app, {
    ...route,
    tag: 'Messages',
    params: Type.Object({ message: Type.String(), ...more }),
    item: Shared(Message),
    handle: ({ params, principal, write }) =>
      write(async (tx) => {
        const { message, ...rest } = params as { message: string };
        await work(tx, viewerOf(principal, 'write', part), message, rest as Static<TObject<More>>);
        return finder.find(tx, viewerOf(principal, 'read'), message);
      }),
  });
}
