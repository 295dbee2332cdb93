import type { FastifyInstance } from 'fastify';
import { NotAllowed, requestOrigin, type UserPrincipal } from '../api/index.ts';
import type { ExportService } from './export.service.ts';

export function exportRoutes(app: FastifyInstance, exports: ExportService): void {
  app.get(
    '/v1/users/me/export',
    {
      config: { access: 'session', strict: true, enveloped: true, effects: true, errors: [NotAllowed] },
      schema: {
        tags: ['Accounts'],
        summary: 'Everything that the server holds of the caller, as a ZIP archive',
        description: 'One at a time: while one is being sent, the next is refused (4290).',
        response: {
          200: {
            description: 'Success',
            content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } },
          },
        },
      },
    },
    async (request, reply) => {
      const { userId } = request.principal as UserPrincipal;
      const archive = await exports.open(userId, requestOrigin(request));
      return reply
        .type('application/zip')
        .headers({
          'Cache-Control': 'no-store',
          'Content-Disposition': 'attachment; filename="parley-export.zip"',
        })
        .send(archive);
    },
  );
}
