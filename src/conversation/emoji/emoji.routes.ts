import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  Answer,
  Conflict,
  defineRoute,
  InvalidFields,
  MAY_SEE_REACTIONS,
  NotAllowed,
  NotFound,
  nextCursor,
  pageQuery,
  readPage,
  Shared,
  TooLarge,
  takeUploads,
  UnsupportedMediaType,
  withUpload,
} from '#api';
import type { Spool } from '#platform/files/index.ts';
import type { Pictures } from '#platform/pictures/index.ts';
import { CustomEmoji } from './emoji.schema.ts';
import type { EmojiService } from './emoji.service.ts';
import { readName } from './emoji-name.ts';
import { MOST_EMOJI_BYTES, makeEmoji } from './emoji-picture.ts';

const tag = 'Emoji';
const OfName = Type.Object({ name: Type.String({ description: 'Percent-encoded' }) });
const YEAR_S = 31_536_000;
const LIMIT = { bytes: MOST_EMOJI_BYTES };

export async function emojiRoutes(
  app: FastifyInstance,
  deps: { emoji: EmojiService; pictures: Pictures; spool: Spool },
): Promise<void> {
  const { emoji, pictures, spool } = deps;
  await takeUploads(app);

  defineRoute(app, {
    method: 'GET',
    path: '/v1/emoji',
    access: MAY_SEE_REACTIONS,
    tag,
    summary: 'The server’s own emoji, by their names',
    query: Type.Object(pageQuery),
    item: Shared(CustomEmoji),
    meta: Type.Object(nextCursor),
    errors: [InvalidFields],
    handle: async ({ query }) => {
      const { emoji: shown, next } = await emoji.list(readPage(query, 'text'));
      return new Answer(shown, { next_cursor: next });
    },
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/emoji',
    access: 'session',
    tag,
    summary: 'Add an emoji: multipart, a picture as `file` and its `name`',
    description: '`CUSTOM_EMOJI` says who may.',
    uploads: true,
    item: Shared(CustomEmoji),
    errors: [InvalidFields, NotAllowed, Conflict, TooLarge, UnsupportedMediaType],
    handle: async ({ request, principal, write }) => {
      emoji.refuseAdding(principal);
      return withUpload(request, { spool, limit: LIMIT }, async ({ file, fields }) => {
        const name = readName(fields.get('name') ?? '');
        const picture = await makeEmoji(pictures, { source: principal.userId, known: false }, file.path);
        request.rawBody = `${name} ${file.sha256}`;
        return write(async (tx) => [await emoji.add(tx, principal, { name, ...picture })]);
      });
    },
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/emoji/:name',
    access: 'session',
    tag,
    summary: 'Delete an emoji that you added; any, as an administrator of the server',
    description: 'Messages and reactions keep its name.',
    params: OfName,
    errors: [NotFound, NotAllowed],
    handle: ({ params, principal, write }) =>
      write(async (tx) => {
        await emoji.remove(tx, principal, params.name);
        return [];
      }),
  });

  app.get(
    '/v1/emoji/:name/:variant/:version',
    {
      config: { access: 'anyone', enveloped: true, errors: [NotFound] },
      schema: {
        tags: [tag],
        summary: 'The picture of an emoji, under an address that its `url` or `still_url` holds',
        params: Type.Object({ name: Type.String(), variant: Type.String(), version: Type.String() }),
        response: {
          200: {
            description: 'The picture',
            content: { 'image/webp': { schema: { type: 'string', format: 'binary' } } },
          },
        },
      },
    },
    async (request: FastifyRequest, reply) => {
      const { name, variant, version } = request.params as Record<'name' | 'variant' | 'version', string>;
      const bytes = await emoji.picture(name, version, variant);
      return reply
        .type('image/webp')
        .headers({
          'Cache-Control': `public, max-age=${YEAR_S}, immutable`,
          'Content-Security-Policy': "default-src 'none'; sandbox",
          'X-Content-Type-Options': 'nosniff',
        })
        .send(bytes);
    },
  );
}
