import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  Answer,
  Conflict,
  defineRoute,
  InvalidFields,
  MAY_MARK,
  MAY_READ_TEAM,
  MAY_WRITE_TEAM,
  NotAllowed,
  NotFound,
  nextCursor,
  pageQuery,
  readPage,
  Shared,
  type UserPrincipal,
  viewerOf,
} from '#api';
import { Subject, SubjectChange, SubjectRead } from './subject.schema.ts';
import type { SubjectService } from './subject.service.ts';

const tag = 'Messages';
const Params = Type.Object({ team: Type.String(), subject: Type.String() });
const item = Shared(Subject);

/** A subject is begun by a message that names it: no route makes one. */
export function subjectRoutes(app: FastifyInstance, subjects: SubjectService): void {
  defineRoute(app, {
    method: 'GET',
    path: '/v1/teams/:team/subjects',
    access: MAY_READ_TEAM,
    tag,
    summary: 'The subjects of a team, with what is unread in each',
    description: 'The open ones come first, by their last message, and then the closed ones.',
    params: Type.Object({ team: Type.String() }),
    query: Type.Object(pageQuery),
    item,
    meta: Type.Object(nextCursor),
    errors: [NotFound],
    handle: async ({ params, query, principal }) => {
      const page = readPage(query, 'text', 'id');
      const { subjects: items, next } = await subjects.list(viewerOf(principal, 'read'), params.team, page);
      return new Answer(items, { next_cursor: next });
    },
  });

  defineRoute(app, {
    method: 'PATCH',
    path: '/v1/teams/:team/subjects/:subject',
    access: MAY_WRITE_TEAM,
    tag,
    summary: 'Rename a subject, close it, or open it again',
    description: 'By who named it first, or by an admin of the team. Nobody is notified; its id stays.',
    params: Params,
    body: SubjectChange,
    item,
    errors: [NotFound, NotAllowed, Conflict],
    handle: ({ params, body, principal, write }) =>
      write(async (tx) =>
        seenBy(principal, await subjects.change(tx, viewerOf(principal, 'write'), params, body)),
      ),
  });

  defineRoute(app, {
    method: 'PUT',
    path: '/v1/teams/:team/subjects/:subject/read',
    access: MAY_MARK,
    tag,
    summary: 'Mark the messages of a subject as read, and no others of the team',
    params: Params,
    body: SubjectRead,
    item,
    errors: [NotFound, InvalidFields],
    handle: ({ params, body, principal, write }) => {
      const viewer = viewerOf(principal, 'write', 'inbox:write');
      return write(async (tx) => seenBy(principal, await subjects.read(tx, viewer, params, body.up_to)));
    },
  });
}

/** A token that may change a subject, and not read, is told nothing of it. */
function seenBy(principal: UserPrincipal, subject: Subject): Subject[] {
  const { reach } = viewerOf(principal, 'read');
  return reach === undefined || reach.teamId !== null ? [subject] : [];
}
