import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Answer, Conflict, defineRoute, NotFound, nextCursor, pageQuery, readPage, Shared } from '#api';
import { Mail } from './mail.schema.ts';
import type { MailService } from './mail.service.ts';

const Params = Type.Object({ mail: Type.String() });
const tag = 'Administration';

export function mailRoutes(app: FastifyInstance, mails: MailService): void {
  defineRoute(app, {
    method: 'GET',
    path: '/v1/admin/mails',
    access: 'superuser',
    recent: true,
    tag,
    summary: 'The mails of the server, the newest first',
    query: Type.Object(pageQuery),
    item: Shared(Mail),
    meta: Type.Object(nextCursor),
    handle: async ({ query, origin }) => {
      const { mails: found, next } = await mails.list(readPage(query, 'id'), origin);
      return new Answer(found, { next_cursor: next });
    },
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/admin/mails/:mail',
    access: 'superuser',
    recent: true,
    tag,
    summary: 'One mail',
    params: Params,
    item: Shared(Mail),
    errors: [NotFound],
    handle: async ({ params, origin }) => [await mails.get(params.mail, origin)],
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/admin/mails/:mail/resend',
    access: 'superuser',
    tag,
    summary: 'Send a mail again',
    params: Params,
    item: Shared(Mail),
    errors: [NotFound, Conflict],
    handle: ({ params, once, origin }) => once(async () => [await mails.resend(params.mail, origin)]),
  });
}
