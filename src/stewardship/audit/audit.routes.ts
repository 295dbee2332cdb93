import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  Answer,
  attribute,
  defineRoute,
  InvalidFields,
  NotAllowed,
  nextCursor,
  readPage,
  requestOrigin,
  Shared,
  whileAdmitted,
} from '#api';
import type { Database } from '#platform/db/index.ts';
import { parseId } from '#platform/ids.ts';
import { AuditEntry, AuditFilterQuery, AuditQuery } from './audit.schema.ts';
import type { AuditService, Recorder } from './audit.service.ts';
import type { AuditFilter } from './audit.store.ts';

const tag = 'Administration';

export interface AuditDeps {
  readonly db: Database;
  readonly audit: AuditService;
  readonly record: Recorder;
}

export function auditRoutes(app: FastifyInstance, { db, audit, record }: AuditDeps): void {
  defineRoute(app, {
    method: 'GET',
    path: '/v1/admin/audit',
    access: 'superuser',
    tag,
    summary: 'The audit log, the newest first',
    query: AuditQuery,
    item: Shared(AuditEntry),
    meta: Type.Object(nextCursor),
    handle: async ({ query }) => {
      const { entries, next } = await audit.list(readFilter(query), readPage(query, 'number', 'id'));
      return new Answer(entries, { next_cursor: next });
    },
  });

  app.get(
    '/v1/admin/audit/export',
    {
      config: { access: 'superuser', enveloped: true, effects: true, errors: [InvalidFields, NotAllowed] },
      schema: {
        tags: [tag],
        summary: 'The whole audit log, the oldest first, one JSON object a line',
        querystring: AuditFilterQuery,
        response: {
          200: {
            description: 'Success',
            content: { 'application/x-ndjson': { schema: { type: 'string' } } },
          },
        },
      },
    },
    async (request, reply) => {
      const filter = readFilter(request.query as AuditFilterQuery);
      await recordExport(request);
      return reply
        .type('application/x-ndjson')
        .header('Content-Disposition', 'attachment; filename="audit.ndjson"')
        .send(whileAdmitted(request, Readable.from(jsonLines(audit.stream(filter)))));
    },
  );

  /** Before the first line is sent: who took the log along is told in any case. */
  const recordExport = (request: FastifyRequest) =>
    db.write(async (tx) => {
      attribute(tx, requestOrigin(request));
      await record(tx, { action: 'audit.exported' });
    });
}

async function* jsonLines(items: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const item of items) yield `${JSON.stringify(item)}\n`;
}

/** @throws InvalidFields for ids that are none */
function readFilter(query: AuditFilterQuery): AuditFilter {
  const id = (field: 'actor' | 'team' | 'target') => {
    const given = query[field];
    const known = parseId(given);
    if (given !== undefined && !known) throw new InvalidFields({ field, message: 'must be an id' });
    return known;
  };
  const milliseconds = (seconds: number | undefined) => seconds && Math.round(seconds * 1000);
  return {
    actorId: id('actor'),
    action: query.action,
    teamId: id('team'),
    targetId: id('target'),
    since: milliseconds(query.since),
    until: milliseconds(query.until),
  };
}
