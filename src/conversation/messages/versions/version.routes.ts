import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  Answer,
  defineRoute,
  listPage,
  MAY_READ,
  NotFound,
  nextCursor,
  pageQuery,
  readPage,
  timestamp,
  viewerOf,
} from '#api';
import type { Database } from '#platform/db/index.ts';
import { accessMessage } from '../view/message.access.ts';
import { MessageVersion } from '../view/message.schema.ts';
import type { PagePace } from '../view/page-pace.ts';
import { listVersions } from './version.store.ts';

/** Each may be as long as a message: few fill an answer. */
const DEFAULT_PAGE = 10;

export function versionRoutes(app: FastifyInstance, db: Database, pace: PagePace): void {
  defineRoute(app, {
    method: 'GET',
    path: '/v1/messages/:message/versions',
    access: MAY_READ,
    tag: 'Messages',
    summary: 'The texts of a message before its edits, the newest version first',
    description: 'For everybody who sees the message. A deleted message has none.',
    params: Type.Object({ message: Type.String() }),
    query: Type.Object({
      ...pageQuery,
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 50, description: `Default: ${DEFAULT_PAGE}` }),
      ),
    }),
    item: MessageVersion,
    meta: Type.Object(nextCursor),
    errors: [NotFound],
    handle: async ({ params, query, principal }) => {
      const viewer = viewerOf(principal, 'read');
      const message = await accessMessage(db, viewer, params.message);
      const page = readPage({ limit: DEFAULT_PAGE, ...query }, 'number');
      const before = Number(page.after?.[0] ?? Number.MAX_SAFE_INTEGER);
      await pace.reading(viewer, page.limit);
      const { rows, next } = await listPage(
        page,
        (limit) => listVersions.all(db, { messageId: message.id, before, limit }),
        (row) => [String(row.place)],
      );
      await pace.writing(viewer, rows);
      const versions = rows.map(({ text, format, blocks_json, replaced_at }) => ({
        text,
        ...(format !== null && { format }),
        ...(blocks_json !== null && { blocks: JSON.parse(blocks_json) as unknown[] }),
        user: message.author_id,
        replaced_at: timestamp(replaced_at),
      }));
      return new Answer(versions, { next_cursor: next });
    },
  });
}
