import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { defineRoute, lookUp, NotFound, Timestamp, timestamp, Uuid } from '#api';
import type { Database, Tx } from '#platform/db/index.ts';
import { type Clock, parseId } from '#platform/ids.ts';
import type { Presenters } from '../view/message.present.ts';
import { deleteBlock, findBlockable, insertBlock, listBlocks } from './application.store.ts';

const tag = 'Messages';
const Params = Type.Object({ application: Type.String() });
const BlockedApplication = Type.Object({
  id: Uuid,
  name: Type.String(),
  icon: Type.String(),
  blocked_at: Timestamp,
});

/** Applications that may not write to the caller. */
export function blockRoutesOfPeople(
  app: FastifyInstance,
  deps: {
    db: Database;
    clock: Clock;
    icon: Presenters['icon'];
    /** Tells the windows of a user that conversations with an application are others now. */
    tell: (tx: Tx, userId: string, applicationId: string) => Promise<void>;
  },
): void {
  const { db, clock, icon, tell } = deps;

  const present = (row: { id: string; name: string; icon: string; created_at: number }) => ({
    id: row.id,
    name: row.name,
    icon: icon(row),
    blocked_at: timestamp(row.created_at),
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/users/me/blocked_applications',
    access: 'session',
    tag,
    summary: 'The applications that the caller has blocked',
    item: BlockedApplication,
    handle: async ({ principal: { userId } }) => (await listBlocks.all(db, { userId })).map(present),
  });

  defineRoute(app, {
    method: 'PUT',
    path: '/v1/users/me/blocked_applications/:application',
    access: 'session',
    tag,
    summary: 'Block an application: it cannot write direct messages to the caller, in any team',
    description: 'What was said stays, and can be read. The application is told when it writes.',
    params: Params,
    item: BlockedApplication,
    errors: [NotFound],
    handle: ({ params, principal: { userId }, write }) =>
      write(async (tx) => {
        const { application_id: id } = await lookUp(params.application, (known) =>
          findBlockable.first(tx, { id: known, userId }),
        );
        await insertBlock(tx, [{ user_id: userId, application_id: id, created_at: clock() }]);
        await tell(tx, userId, id);
        return (await listBlocks.all(tx, { userId })).filter((row) => row.id === id).map(present);
      }),
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/users/me/blocked_applications/:application',
    access: 'session',
    tag,
    summary: 'Unblock an application',
    params: Params,
    errors: [NotFound],
    handle: ({ params, principal: { userId }, write }) =>
      write(async (tx) => {
        const id = parseId(params.application);
        if (id === undefined) throw new NotFound();
        await deleteBlock.run(tx, { userId, applicationId: id });
        await tell(tx, userId, id);
        return [];
      }),
  });
}
