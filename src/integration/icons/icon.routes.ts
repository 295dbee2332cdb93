import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { NotFound } from '#api';
import type { IconService } from './icon.service.ts';

const PictureBytes = {
  description: 'The picture',
  content: {
    'image/webp': { schema: { type: 'string', format: 'binary' } },
    'image/svg+xml': { schema: { type: 'string' } },
  },
};

const DAY_S = 86_400;
/** A generated picture makes way for the fetched one soon. */
const GENERATED_S = 60;

export function iconRoutes(app: FastifyInstance, icons: IconService): void {
  app.get(
    '/v1/applications/:application/icon/:version',
    {
      config: { access: 'anyone', enveloped: true, errors: [NotFound] },
      schema: {
        tags: ['Applications'],
        summary: 'An application’s picture, under the address that its `icon` holds',
        description: 'WebP for a picture that was fetched from the application, else SVG.',
        params: Type.Object({ application: Type.String(), version: Type.String() }),
        response: { 200: PictureBytes },
      },
    },
    async (request, reply) => {
      const { application, version } = request.params as Record<'application' | 'version', string>;
      const { contentType, bytes, isFetched } = await icons.show(application, version);
      // An SVG that is opened on its own must not run anything.
      return reply
        .type(contentType)
        .headers({
          'Cache-Control': `public, max-age=${isFetched ? DAY_S : GENERATED_S}`,
          'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
          'X-Content-Type-Options': 'nosniff',
        })
        .send(bytes);
    },
  );
}
