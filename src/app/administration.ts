import type { FastifyInstance } from 'fastify';
import { assertMigrated } from '#platform/db/index.ts';
import {
  AuditEntry,
  auditRecorder,
  auditRoutes,
  auditService,
  forgetAddresses,
  purgeAudit,
} from '../audit/index.ts';
import { erasureService } from '../erasure/index.ts';
import { metrics as createMetrics, docsRoutes, operationsRoutes } from '../operations/index.ts';
import { migrations } from '../schema/index.ts';
import { type AppParts, days } from './parts.ts';

/** What the server's own people need: who did what, what is forgotten when, and how the server is. */
export function joinAdministration(
  parts: Pick<AppParts, 'config' | 'db' | 'clock'>,
  deps: { isServing: () => boolean; onError: (error: unknown) => void },
) {
  const { config, db, clock } = parts;
  const { isServing, onError } = deps;
  const metrics = createMetrics();
  const record = auditRecorder(clock);
  const teamRetentionMs = days(config.TEAM_RETENTION);
  const erasure = erasureService({ db, clock, record, teamRetentionMs, onError });

  return {
    record,
    metrics,
    /** What is forgotten with a person who leaves the server; each in the transaction that deletes the account. */
    forget: [
      erasure.forgetPerson,
      (...[tx, userId]: Parameters<typeof erasure.forgetPerson>) => forgetAddresses.all(tx, { userId }),
    ],
    schemas: [AuditEntry],
    async routes(server: FastifyInstance) {
      auditRoutes(server, { db, audit: auditService({ db }), record });
      operationsRoutes(server, {
        db,
        metrics,
        metricsToken: config.METRICS_TOKEN,
        isServing,
        checkSchema: (reader) => assertMigrated(reader, migrations),
      });
      await server.register(docsRoutes);
    },
    housekeeping: [() => purgeAudit(db, clock(), config.AUDIT_RETENTION), erasure.run],
    stop: erasure.stop,
  };
}
