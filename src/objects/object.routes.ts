import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  Answer,
  type ApplicationPrincipal,
  callerOf,
  defineRoute,
  Name,
  NotAllowed,
  NotAuthorized,
  NotFound,
  nextCursor,
  pageQuery,
  readPage,
  refuseOtherTeam,
  Shared,
  Text,
  Timestamp,
  Uuid,
} from '#api';
import { parseId } from '#platform/ids.ts';
import type { ObjectService } from './object.service.ts';

const NewObject = Type.Object({
  name: Name(500),
  team: Text(100, { description: 'The id of a team that has the application installed' }),
  type: Name(100, 'A category of the application’s own'),
  url: Text(2000, { description: 'Relative to the application’s base_url' }),
});

const ObjectChange = Type.Object({
  name: Type.Optional(Name(500)),
  type: Type.Optional(Name(100, 'A category of the application’s own')),
  url: Type.Optional(Text(2000, { description: 'Relative to the application’s base_url' })),
});

export const ApplicationObject = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    team: Uuid,
    type: Type.String(),
    url: Type.String(),
    created_at: Timestamp,
  },
  { $id: 'ApplicationObject' },
);

const ObjectOfTeam = Type.Object({
  ...ApplicationObject.properties,
  application: Uuid,
  url: Type.String({ description: 'The whole address' }),
});

const Params = Type.Object({ application: Type.String() });
const OfObject = Type.Object({ application: Type.String(), object: Type.String() });
const tag = 'Objects';

/** The path must name the application whose credentials were given. */
function ownId(principal: ApplicationPrincipal, inPath: string): string {
  if (parseId(inPath) !== principal.applicationId) throw new NotAuthorized();
  return principal.applicationId;
}

export function objectRoutes(app: FastifyInstance, objects: ObjectService): void {
  defineRoute(app, {
    method: 'POST',
    path: '/v1/applications/:application/objects',
    access: 'application',
    tag,
    summary: 'Register an object, so that messages can mention it',
    params: Params,
    body: NewObject,
    item: Type.Object({ id: Uuid }),
    errors: [NotAllowed, NotFound],
    handle: ({ params, body, principal, write }) => {
      const id = ownId(principal, params.application);
      return write(async (tx) => [await objects.create(tx, id, body)]);
    },
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/applications/:application/objects',
    access: 'application',
    tag,
    summary: 'The application’s objects, the newest first',
    description: 'Leaves out a team that has not agreed to the owner of the application.',
    params: Params,
    query: Type.Object({ ...pageQuery, team: Type.Optional(Text(100)), type: Type.Optional(Text(100)) }),
    item: Shared(ApplicationObject),
    meta: Type.Object(nextCursor),
    handle: async ({ params, query, principal }) => {
      const id = ownId(principal, params.application);
      const { team, type } = query;
      const { objects: found, next } = await objects.list(id, { team, type }, readPage(query, 'id'));
      return new Answer(found, { next_cursor: next });
    },
  });

  defineRoute(app, {
    method: 'PATCH',
    path: '/v1/applications/:application/objects/:object',
    access: 'application',
    tag,
    summary: 'Change an object, also in the messages that mention it',
    description:
      'Messages that were posted before show the new name, whatever name they gave the object, and link to the new address.',
    params: OfObject,
    body: ObjectChange,
    item: Shared(ApplicationObject),
    errors: [NotAllowed, NotFound],
    handle: ({ params, body, principal, write }) => {
      const id = ownId(principal, params.application);
      return write(async (tx) => [await objects.change(tx, id, params.object, body)]);
    },
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/applications/:application/objects/:object',
    access: 'application',
    tag,
    summary: 'Delete an object',
    params: OfObject,
    errors: [NotFound],
    handle: ({ params, principal, write }) => {
      const id = ownId(principal, params.application);
      return write(async (tx) => {
        await objects.remove(tx, id, params.object);
        return [];
      });
    },
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/teams/:team/objects',
    access: { scope: ['objects:read'], itself: 'objects:read' },
    tag,
    summary: 'What applications registered on a team, the newest first',
    params: Type.Object({ team: Type.String() }),
    query: Type.Object({ ...pageQuery, type: Type.Optional(Text(100)) }),
    item: ObjectOfTeam,
    meta: Type.Object(nextCursor),
    errors: [NotFound],
    handle: async ({ params, query, principal }) => {
      refuseOtherTeam(principal, params.team);
      const filter = { type: query.type };
      const page = readPage(query, 'id');
      const { objects: found, next } = await objects.listOfTeam(
        callerOf(principal),
        params.team,
        filter,
        page,
      );
      return new Answer(found, { next_cursor: next });
    },
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/objects/:object/openings',
    access: 'session',
    tag,
    summary: 'Tell the application that the user opens an object; the answer says where it is',
    params: Type.Object({ object: Type.String() }),
    item: Type.Object({ url: Type.String() }),
    errors: [NotFound],
    handle: ({ params, principal, write }) =>
      write(async (tx) => [await objects.open(tx, principal.userId, params.object)]),
  });
}
