import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  Answer,
  Conflict,
  defineRoute,
  NotAllowed,
  NotFound,
  nextCursor,
  pageQuery,
  readPage,
  Shared,
} from '../api/index.ts';
import { Mail } from './mail.schema.ts';
import type { MailService } from './mail.service.ts';

const Params = Type.Object({ mail: Type.String() });
const tag = 'Administration';

export function mailRoutes(app: FastifyInstance, mails: MailService): void {
  defineRoute(app, {
    method: 'GET',
    path: '/v1/admin/mails',
    access: 'session',
    tag,
    summary: 'The mails of the server, the newest first',
    query: Type.Object(pageQuery),
    item: Shared(Mail),
    meta: Type.Object(nextCursor),
    errors: [NotAllowed],
    handle: async ({ query, principal }) => {
      const { mails: found, next } = await mails.list(principal.userId, readPage(query, 1));
      return new Answer(found, { next_cursor: next });
    },
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/admin/mails/:mail',
    access: 'session',
    tag,
    summary: 'One mail',
    params: Params,
    item: Shared(Mail),
    errors: [NotAllowed, NotFound],
    handle: async ({ params, principal }) => [await mails.get(principal.userId, params.mail)],
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/admin/mails/:mail/resend',
    access: 'session',
    tag,
    summary: 'Send a mail again',
    params: Params,
    item: Shared(Mail),
    errors: [NotAllowed, NotFound, Conflict],
    handle: ({ params, principal, once }) =>
      once(async () => [await mails.resend(principal.userId, params.mail)]),
  });
}
