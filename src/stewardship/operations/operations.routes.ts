import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { bearerToken, isUnavailable, NotAllowed, NotAuthorized, reportUnavailable } from '#api';
import { equalInConstantTime, sign } from '#platform/crypto/index.ts';
import type { Database } from '#platform/db/index.ts';
import type { CopyStatus } from '../../../ops/copy/copier.ts';
import type { Metrics } from './metrics.ts';
import type { ServerStatus } from './status.service.ts';

/** Ids may run ahead of the clock for a moment, when very many are made. */
const CLOCK_TOLERANCE_MS = 5000;

/** The other processes that share the port of this one. */
export interface Siblings {
  /** The metrics of each of them. */
  gather(): Promise<string[]>;
  /** How many they are. */
  readonly others: number;
  answerWith(tell: () => Promise<string>): void;
}

export interface OperationsDeps {
  readonly db: Database;
  readonly metrics: Metrics;
  /** The key by which the server proves its identity to `doctor`. */
  readonly key: Buffer;
  readonly metricsToken: string | undefined;
  readonly status: ServerStatus;
  /** False from the moment the server is asked to stop. */
  readonly isServing: () => boolean;
  /** How far the clock is behind the newest message; negative when all is well. */
  readonly behindMs: () => Promise<number>;
  /** @throws when the schema is not the one this program needs */
  readonly checkSchema: (db: Database) => Promise<void>;
  /** How far the machine's clock is ahead of the time that the server uses, in milliseconds. */
  readonly clockDeviation: () => number;
  /** Says what to do where another server on the database has another cookie key. */
  readonly tellOtherKey: () => Promise<string | undefined>;
  /** Undefined where the database is not copied by this server. */
  readonly copyStatus: (() => CopyStatus) | undefined;
  /** Undefined in a process that serves alone. */
  readonly siblings: Siblings | undefined;
}

/** A server's answer to a challenge, by which the command line recognises it. Other keys give other answers. */
export const proofOf = (key: Buffer, challenge: string) => sign(key, `healthz ${challenge}`);

const Challenge = Type.Object({ challenge: Type.Optional(Type.String()) });
const CHALLENGE = /^[0-9a-f]{32}$/;

/** Beyond this, a server says that the clock of its machine is wrong. */
export const MOST_DEVIATION_MS = 2000;

/** Faults that need the operator but do not stop the server. */
async function warningsOf(deps: OperationsDeps): Promise<string[]> {
  const { db, clockDeviation, behindMs, copyStatus, tellOtherKey } = deps;
  const warnings: string[] = [];
  if (copyStatus?.().fault !== undefined)
    warnings.push('The copy of the database does not go on: see the log');
  if (db.isFull) warnings.push('The disk of the database is full: nothing can be stored');
  const { leftOut } = db.replica ?? {};
  if (leftOut !== undefined) warnings.push(`The replica is left out: ${leftOut}`);
  const deviation = clockDeviation();
  if (Math.abs(deviation) > MOST_DEVIATION_MS) {
    const where = deviation > 0 ? 'ahead of' : 'behind';
    warnings.push(`The clock of this machine is ${Math.abs(deviation)} ms ${where} that of PostgreSQL`);
  }
  const otherKey = await tellOtherKey();
  if (otherKey !== undefined) warnings.push(otherKey);
  const behind = await behindMs();
  if (behind >= CLOCK_TOLERANCE_MS)
    warnings.push(`The clock is ${Math.round(behind / 1000)} seconds behind the newest message`);
  return warnings;
}

/** Routes for load balancers and monitors. */
export function operationsRoutes(app: FastifyInstance, deps: OperationsDeps): void {
  const { db, metrics, metricsToken, status, isServing, checkSchema } = deps;
  // Monitors and load balancers ask the address of the process.
  const config = { access: 'anyone', enveloped: false, anyHost: true } as const;
  const hidden = (summary: string): object => ({ hide: true, summary });

  const alive = { ...hidden('Whether the process runs'), querystring: Challenge };
  app.get('/healthz', { config, schema: alive }, async (request) => {
    const { challenge } = request.query as { challenge?: string };
    if (challenge === undefined || !CHALLENGE.test(challenge)) return { status: 'alive' };
    const forwarded = request.headers['x-forwarded-for'] !== undefined;
    return { status: 'alive', proof: proofOf(deps.key, challenge), forwarded };
  });

  app.get('/readyz', { config, schema: hidden('Whether it can serve') }, async (request, reply) => {
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

  const showProcess = () => {
    metrics.showProcess({
      ...db.load(),
      isFull: db.isFull,
      streams: status.countStreams(),
      clockDeviation: deps.clockDeviation(),
    });
    if (db.replica) metrics.showReplica(db.replica);
    if (deps.copyStatus) metrics.showCopy(deps.copyStatus());
  };
  deps.siblings?.answerWith(() => {
    showProcess();
    return metrics.textOfProcess();
  });
  app.get('/metrics', { config, schema: hidden('Metrics for Prometheus') }, async (request, reply) => {
    if (metricsToken === undefined)
      throw new NotAllowed('metrics', 'Set METRICS_TOKEN, and send it as a Bearer token');
    const given = bearerToken(request.headers.authorization);
    if (given === undefined || !equalInConstantTime(given, metricsToken)) throw new NotAuthorized();
    const state = await status.readLoad().catch((error: unknown) => {
      if (isUnavailable(error)) reportUnavailable(request.log, error);
      else request.log.error({ err: error }, 'metrics without the state of the database');
      return undefined;
    });
    metrics.show(state);
    showProcess();
    const others = (await deps.siblings?.gather()) ?? [];
    if (deps.siblings) metrics.showSilent(deps.siblings.others - others.length);
    return reply.type(metrics.contentType).send(await metrics.text(others));
  });
}
