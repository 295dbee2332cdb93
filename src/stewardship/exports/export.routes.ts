import type { FastifyInstance } from 'fastify';
import { NotAllowed, requestOrigin, type UserPrincipal, whileAdmitted } from '#api';
import type { ExportService } from './export.service.ts';

export function exportRoutes(app: FastifyInstance, exports: ExportService): void {
  app.get(
    '/v1/users/me/export',
    {
      config: {
        access: 'session',
        strict: true,
        recent: true,
        enveloped: true,
        effects: true,
        errors: [NotAllowed],
      },
      schema: {
        tags: ['Accounts'],
        summary: 'What the caller has here, as a ZIP archive',
        description:
          'In it: profile, picture and preferences; memberships; messages that the caller wrote, with their earlier ' +
          'texts; muted and unread conversations; high fives; uploads; applications, installations and what ' +
          'applications may do for the caller; sessions; the caller’s entries of the audit log. Not in it: what others ' +
          'wrote, mails, invitations, up to where the caller read, objects and calls of applications, passwords, ' +
          'secrets and tokens. One at a time: while one is being sent, the next is refused (4290).',
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
        .send(whileAdmitted(request, archive));
    },
  );
}
