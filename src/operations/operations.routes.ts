import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { equalInConstantTime } from '#platform/crypto/index.ts';
import type { Database } from '#platform/db/index.ts';
import { isLoopbackHost } from '#platform/outbound/index.ts';
import { bearerToken, isUnavailable, NotAllowed, NotAuthorized, reportUnavailable } from '../api/index.ts';
import type { ServerStatus } from './status.service.ts';

const SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Ids may run ahead of the clock for a moment, when very many are made. */
const CLOCK_TOLERANCE_MS = 5000;

export type Metrics = ReturnType<typeof metrics>;

/** Counts for Prometheus, in a registry of this server's own. */
export function metrics() {
  const registry = new Registry();
  const requests = new Histogram({
    name: 'parley_http_request_seconds',
    help: 'Answered requests by route and status, and how long they took',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: SECONDS_BUCKETS,
    registers: [registry],
  });
  const gauge = (name: string, help: string, labelNames: 'queue'[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const waiting = gauge('parley_queue_waiting', 'Work that is still to be done, counted to 10,000', [
    'queue',
  ]);
  const oldest = gauge('parley_queue_oldest_seconds', 'How long the first work of a queue has been due', [
    'queue',
  ]);
  const streams = gauge('parley_streams', 'Streams of live events that are open at this process');
  const diskFree = gauge(
    'parley_disk_free_bytes',
    'Free space where uploads are kept, unless they are in S3',
  );
  // Finding the series by its labels costs more than counting: each is found once.
  const known = new Map<string, ReturnType<typeof requests.labels>>();
  let collecting = false;
  return {
    observe: (method: string, route: string, status: number, milliseconds: number) => {
      const key = `${status} ${method} ${route}`;
      let series = known.get(key);
      if (!series) {
        series = requests.labels({ method, route, status });
        known.set(key, series);
      }
      series.observe(milliseconds / 1000);
    },
    /** Takes over how the server is. */
    show: (status: Awaited<ReturnType<ServerStatus['read']>>) => {
      for (const [queue, state] of Object.entries(status.queues)) {
        waiting.set({ queue }, state.waiting);
        oldest.set({ queue }, state.oldest_seconds ?? 0);
      }
      streams.set(status.streams);
      if (status.storage.disk_free_bytes !== null) diskFree.set(status.storage.disk_free_bytes);
    },
    text: () => {
      // Only once somebody asks: the process metrics watch the event loop and the collector from then on.
      if (!collecting) collectDefaultMetrics({ register: registry });
      collecting = true;
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}

export interface OperationsDeps {
  readonly db: Database;
  readonly metrics: Metrics;
  readonly metricsToken: string | undefined;
  readonly status: ServerStatus;
  /** Whether forwarded addresses are those of the client. */
  readonly trustsProxies: boolean;
  /** False from the moment the server is asked to stop. */
  readonly isServing: () => boolean;
  /** How far the clock is behind the newest message; negative when all is well. */
  readonly behindMs: () => Promise<number>;
  /** @throws when the schema is not the one this program needs */
  readonly checkSchema: (db: Database) => Promise<void>;
  /** How far the machine's clock is ahead of the time that the server uses, in milliseconds. */
  readonly clockDeviation: () => number;
}

/** Beyond this, a server says that the clock of its machine is wrong. */
export const MOST_DEVIATION_MS = 2000;

/** What an operator must look after while the server goes on. */
async function warningsOf({ db, clockDeviation, behindMs }: OperationsDeps): Promise<string[]> {
  const warnings: string[] = [];
  if (db.isFull) warnings.push('The disk of the database is full: nothing can be stored');
  const deviation = clockDeviation();
  if (Math.abs(deviation) > MOST_DEVIATION_MS) {
    const where = deviation > 0 ? 'ahead of' : 'behind';
    warnings.push(`The clock of this machine is ${Math.abs(deviation)} ms ${where} that of PostgreSQL`);
  }
  const behind = await behindMs();
  if (behind >= CLOCK_TOLERANCE_MS)
    warnings.push(`The clock is ${Math.round(behind / 1000)} seconds behind the newest message`);
  return warnings;
}

/** What a load balancer and a monitor ask. */
export function operationsRoutes(app: FastifyInstance, deps: OperationsDeps): void {
  const { db, metrics, metricsToken, status, trustsProxies, isServing, checkSchema } = deps;
  const config = { access: 'anyone', enveloped: false } as const;
  const schema = { hide: true } as object;

  app.get('/healthz', { config, schema }, async () => ({ status: 'alive' }));

  app.get('/readyz', { config, schema }, async (request, reply) => {
    if (!isServing()) return reply.code(503).send({ status: 'stopping' });
    try {
      await checkSchema(db);
      const warnings = await warningsOf(deps);
      if (warnings.length === 0) return { status: 'ready' };
      request.log.warn({ warnings }, 'ready, with warnings');
      return { status: 'ready', warnings };
    } catch (error) {
      if (isUnavailable(error)) reportUnavailable(request.log, error);
      else request.log.warn({ err: error }, 'not ready');
      return reply.code(503).send({ status: 'database unavailable' });
    }
  });

  app.get('/metrics', { config, schema }, async (request, reply) => {
    if (metricsToken === undefined) refuseFromElsewhere(request, trustsProxies);
    else {
      const given = bearerToken(request.headers.authorization);
      if (given === undefined || !equalInConstantTime(given, metricsToken)) throw new NotAuthorized();
    }
    metrics.show(await status.read());
    return reply.type(metrics.contentType).send(await metrics.text());
  });
}

const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

/** A proxy on this machine that the settings do not mention has the machine's address, and says that it forwards. */
function refuseFromElsewhere({ ip, headers }: FastifyRequest, trustsProxies: boolean): void {
  const isHidden = !trustsProxies && FORWARDED.some((name) => headers[name] !== undefined);
  if (!isHidden && isLoopbackHost(ip.replace(/^::ffff:/i, ''))) return;
  throw new NotAllowed('metrics', 'Set METRICS_TOKEN to read this from another machine');
}
