import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  defineRoute,
  InvalidFields,
  MAY_CHANGE_PROFILE,
  NotFound,
  Shared,
  TooLarge,
  takeUploads,
  turnOf,
  UnsupportedMediaType,
} from '#api';
import type { ImageService } from './image.service.ts';
import type { ReadPicture } from './picture-upload.ts';
import { UserProfile } from './user.schema.ts';

const PictureBytes = {
  description: 'The picture',
  content: {
    'image/webp': { schema: { type: 'string', format: 'binary' } },
    'image/svg+xml': { schema: { type: 'string' } },
  },
};

const YEAR_S = 31_536_000;

export async function imageRoutes(
  app: FastifyInstance,
  { images, readPicture }: { images: ImageService; readPicture: ReadPicture },
): Promise<void> {
  await takeUploads(app);

  defineRoute(app, {
    method: 'PUT',
    path: '/v1/users/me/image',
    access: MAY_CHANGE_PROFILE,
    tag: 'Users',
    summary: 'Upload one’s picture: multipart, one `file`',
    uploads: true,
    item: Shared(UserProfile),
    errors: [InvalidFields, TooLarge, UnsupportedMediaType],
    handle: async ({ request, principal }) => {
      const variants = await readPicture(request, turnOf(principal));
      return [await images.replace(principal.userId, variants)];
    },
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/users/me/image',
    access: MAY_CHANGE_PROFILE,
    tag: 'Users',
    summary: 'Go back to the picture with the initials',
    item: Shared(UserProfile),
    handle: async ({ principal }) => [await images.replace(principal.userId)],
  });

  app.get(
    '/v1/users/:user/image/:variant/:signature',
    {
      config: { access: 'anyone', enveloped: true, errors: [NotFound] },
      schema: {
        tags: ['Users'],
        summary: 'A picture, under an address that a user’s `image` holds',
        description: 'WebP for an uploaded picture, else SVG.',
        params: Type.Object({ user: Type.String(), variant: Type.String(), signature: Type.String() }),
        response: { 200: PictureBytes },
      },
    },
    async (request, reply) => {
      const { user, variant, signature } = request.params as Record<'user' | 'variant' | 'signature', string>;
      const picture = await images.show(user, variant, signature);
      // An SVG that is opened on its own must not run anything.
      return reply
        .type(picture.contentType)
        .headers({
          'Cache-Control': `public, max-age=${YEAR_S}, immutable`,
          'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
          'X-Content-Type-Options': 'nosniff',
        })
        .send(picture.bytes);
    },
  );
}
