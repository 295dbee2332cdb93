import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { MAY_READ, NotFound, type UserPrincipal, viewerOf } from '#api';
import type { FileStore } from '#platform/files/index.ts';
import { sendPicture } from '../attachments/index.ts';
import type { PictureService } from './picture.service.ts';

export function pictureRoutes(
  app: FastifyInstance,
  { pictures, files }: { pictures: PictureService; files: FileStore },
): void {
  app.get(
    '/v1/pictures/:reference',
    {
      config: { access: MAY_READ, enveloped: true, errors: [NotFound] },
      schema: {
        tags: ['Messages'],
        summary: 'A picture of foreign origin, as WebP, under the address that what shows it names',
        description:
          'For everybody who sees what shows it, such as a message with the preview of a page. It is asked for each time.',
        params: Type.Object({ reference: Type.String() }),
        response: {
          200: {
            description: 'The picture',
            content: { 'image/webp': { schema: { type: 'string', format: 'binary' } } },
          },
          304: { description: 'It is the one that `If-None-Match` names', type: 'null' },
        },
      },
    },
    async (request, reply) => {
      const viewer = viewerOf(request.principal as UserPrincipal, 'read');
      const { reference } = request.params as { reference: string };
      const { id, file } = await pictures.access(viewer, reference);
      return sendPicture(request, reply, files, { etag: `"${id}"`, file });
    },
  );
}
