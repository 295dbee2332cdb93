import type { FastifyInstance } from 'fastify';
import { NotAllowed, requestOrigin, whileAdmitted } from '#api';
import type { BackupService } from './backup.service.ts';

export function backupRoutes(app: FastifyInstance, backups: BackupService): void {
  app.get(
    '/v1/admin/backup',
    {
      config: {
        access: 'superuser',
        strict: true,
        recent: true,
        enveloped: true,
        effects: true,
        errors: [NotAllowed],
      },
      schema: {
        tags: ['Administration'],
        summary: 'The database and the uploads, as a ZIP archive',
        description:
          'A consistent copy, checked before the first byte is sent, while the server goes on serving. One at a time: while ' +
          'one is being made or sent, the next is refused (4290). The server’s keys are not in it; the header ' +
          '`Parley-Backup-Lacks` names what is not. It is the same archive with PostgreSQL, and can be restored to either database.',
        response: {
          200: {
            description: 'Success',
            headers: {
              'Parley-Backup-Lacks': {
                type: 'string',
                description:
                  '`encryption.key, cookie.key`, and `uploads` where these are in an S3-compatible store',
              },
            },
            content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } },
          },
        },
      },
    },
    async (request, reply) => {
      const archive = await backups.make(requestOrigin(request));
      return reply
        .type('application/zip')
        .headers({
          'Cache-Control': 'no-store',
          'Content-Disposition': `attachment; filename="parley-backup-${new Date().toISOString().slice(0, 10)}.zip"`,
          'Parley-Backup-Lacks': backups.lacks.join(', '),
        })
        .send(whileAdmitted(request, archive));
    },
  );
}
