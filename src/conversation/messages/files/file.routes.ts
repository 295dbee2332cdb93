import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  Answer,
  defineRoute,
  InvalidFields,
  MAY_READ_TEAM_ITSELF,
  NotFound,
  nextCursor,
  readPage,
  Shared,
  viewerOf,
} from '#api';
import { FilesQuery, PostedFile } from './file.schema.ts';
import { type FileService, MOST_LOOKED_AT } from './file.service.ts';

const tag = 'Attachments';
const item = Shared(PostedFile);
const meta = Type.Object(nextCursor);
const description =
  'The newest first, each with the message that holds it. Files of sidebars are for the people in them, and those of ' +
  `deleted messages are gone. One page looks at ${MOST_LOOKED_AT} files at the most: it may hold few, or none, while ` +
  'there is a next one.';

export function fileRoutes(app: FastifyInstance, files: FileService): void {
  defineRoute(app, {
    method: 'GET',
    path: '/v1/teams/:team/files',
    access: MAY_READ_TEAM_ITSELF,
    tag,
    summary: 'The files of a team that the caller sees',
    description,
    params: Type.Object({ team: Type.String() }),
    query: FilesQuery,
    item,
    meta,
    errors: [NotFound, InvalidFields],
    handle: async ({ params, query, principal }) => {
      const viewer = viewerOf(principal, 'read');
      const { files: listed, next } = await files.ofTeam(
        viewer,
        params.team,
        query,
        readPage(query, 'id', 'id'),
      );
      return new Answer(listed, { next_cursor: next });
    },
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/users/me/conversations/:conversation/files',
    access: { scope: ['direct:read'] },
    tag,
    summary: 'The files of a direct conversation',
    description,
    params: Type.Object({ conversation: Type.String() }),
    query: FilesQuery,
    item,
    meta,
    errors: [NotFound, InvalidFields],
    handle: async ({ params, query, principal }) => {
      const viewer = viewerOf(principal, 'read');
      const page = readPage(query, 'id', 'id');
      const { files: listed, next } = await files.ofConversation(viewer, params.conversation, query, page);
      return new Answer(listed, { next_cursor: next });
    },
  });
}
