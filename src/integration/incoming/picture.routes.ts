import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  defineRoute,
  InvalidFields,
  NotAllowed,
  NotFound,
  Shared,
  TooLarge,
  takeUploads,
  UnsupportedMediaType,
} from '#api';
import type { ReadPicture } from '../../people/users/index.ts';
import { IncomingWebhook } from './webhook.schema.ts';
import type { WebhookService } from './webhook.service.ts';

const path = '/v1/teams/:team/webhooks/:webhook/image';
const params = Type.Object({ team: Type.String(), webhook: Type.String() });
const tag = 'Incoming webhooks';

export async function pictureRoutes(
  app: FastifyInstance,
  { webhooks, readPicture }: { webhooks: WebhookService; readPicture: ReadPicture },
): Promise<void> {
  await takeUploads(app);

  defineRoute(app, {
    method: 'PUT',
    path,
    access: 'session',
    tag,
    summary: 'Give an incoming webhook a picture, also at what it wrote: multipart, one `file`',
    params,
    uploads: true,
    item: Shared(IncomingWebhook),
    errors: [NotFound, NotAllowed, InvalidFields, TooLarge, UnsupportedMediaType],
    handle: async ({ params: of, request, principal: { userId }, write }) => {
      await webhooks.refuseOthers(userId, of);
      const variants = await readPicture(request, { source: userId, known: false });
      return write(async (tx) => [await webhooks.setPicture(tx, userId, of, variants)]);
    },
  });

  defineRoute(app, {
    method: 'DELETE',
    path,
    access: 'session',
    tag,
    summary: 'Go back to the picture with the initials of its name',
    params,
    item: Shared(IncomingWebhook),
    errors: [NotFound, NotAllowed],
    handle: ({ params: of, principal, write }) =>
      write(async (tx) => [await webhooks.setPicture(tx, principal.userId, of)]),
  });
}
