import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  defineRoute,
  InvalidFields,
  MAY_READ_FILES,
  MAY_UPLOAD,
  NotFound,
  RangeNotSatisfiable,
  Shared,
  TooLarge,
  takeUploads,
  UnsupportedMediaType,
  type UserPrincipal,
  viewerOf,
  withUpload,
} from '#api';
import type { FileStore, Spool } from '#platform/files/index.ts';
import { Attachment } from './attachment.schema.ts';
import type { AttachmentService } from './attachment.service.ts';
import { sendFile } from './send-file.ts';

const tag = 'Attachments';

const Bytes = (description: string) => ({
  description,
  content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
});

export async function attachmentRoutes(
  app: FastifyInstance,
  deps: { attachments: AttachmentService; files: FileStore; spool: Spool; maxBytes: number },
): Promise<void> {
  const { attachments, files, spool, maxBytes } = deps;
  const limit = { bytes: maxBytes, setting: 'MAX_UPLOAD_BYTES' } as const;
  await takeUploads(app);

  defineRoute(app, {
    method: 'POST',
    path: '/v1/attachments',
    access: MAY_UPLOAD,
    tag,
    summary: 'Upload a file: multipart, one `file`; a message then names its `id` in `attachments.files`',
    uploads: true,
    description: 'What no message takes up is removed after `ORPHAN_LIFETIME`.',
    item: Shared(Attachment),
    errors: [InvalidFields, TooLarge, UnsupportedMediaType],
    handle: ({ request, principal, write }) =>
      withUpload(request, { spool, limit }, (upload) =>
        attachments.keep(principal, upload, (fingerprint, work, again) => {
          request.rawBody = fingerprint;
          return write(work, { again });
        }),
      ),
  });

  for (const path of ['/v1/attachments/:attachment', '/v1/attachments/:attachment/thumbnail']) {
    const small = path.endsWith('thumbnail');
    app.get(
      path,
      {
        config: {
          access: MAY_READ_FILES,
          enveloped: true,
          errors: [NotFound, ...(small ? [] : [RangeNotSatisfiable])],
        },
        schema: {
          tags: [tag],
          summary: small ? 'A small picture of a picture, as WebP' : 'A file’s bytes',
          description: 'For its uploader, and for everybody who sees a message that holds it.',
          params: Type.Object({ attachment: Type.String() }),
          response: {
            200: Bytes('The whole'),
            ...(!small && { 206: Bytes('What the header `Range` asked for') }),
            304: { description: 'It is the one that `If-None-Match` names', type: 'null' },
          },
        },
      },
      async (request, reply) => {
        const viewer = viewerOf(request.principal as UserPrincipal, 'read', 'files:read');
        const { attachment } = request.params as { attachment: string };
        const row = await attachments.access(viewer, attachment);
        return sendFile(request, reply, files, small ? 'thumbnail' : 'file', row);
      },
    );
  }
}
