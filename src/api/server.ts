import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import cookie from '@fastify/cookie';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { TSchema } from 'typebox';
import type { Config } from '../process/config.ts';
import { answerHeaders, protectAnswers } from './answer-headers.ts';
import { compressAnswers } from './compression.ts';
import { cookieSigner } from './cookie-signer.ts';
import { encode } from './encode.ts';
import { answerClientError, handleErrors, sendError, toApiError } from './error-handler.ts';
import { UnreadableBody } from './errors.ts';
import { boundConnections } from './guard/connections.ts';
import type { Authenticators } from './guard/context.ts';
import { allowOtherOrigins, answerPreflights } from './guard/cross-origin.ts';
import { guardRoutes } from './guard/guard.ts';
import { refuseOtherHosts } from './guard/hosts.ts';
import { readForwardedAddresses, trustedProxies } from './guard/proxies.ts';
import type { RateLimits } from './guard/rate-limit.ts';
import { limitBody, refuseSlowBodies } from './guard/slow-requests.ts';
import { boundWaitingAnswers, endUnreadAnswers } from './guard/unread-answers.ts';
import type { Idempotency } from './idempotency/idempotency.ts';
import type { LimitName } from './reasons.ts';
import { acceptDeclared } from './route/declared.ts';
import { parseQuery, readJson } from './route/reading.ts';
import { serializerCompiler, validatorCompiler } from './route/validation.ts';
import { stopInOrder } from './stopping.ts';

export interface ServerParts {
  readonly config: Config;
  readonly logger: FastifyBaseLogger;
  readonly idempotency: Idempotency;
  readonly authenticators: Authenticators;
  readonly limiter: RateLimits;
  /** Signs cookies. */
  readonly cookieKey: Buffer;
  /** Called once per answered request. */
  readonly onAnswer: (answer: AnsweredRequest) => void;
  /** Schemas that others reference by `$id`. */
  readonly sharedSchemas: readonly TSchema[];
}

export interface AnsweredRequest {
  readonly method: string;
  /** The pattern, because the address itself may hold a token. */
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
  /** The limit that refused the request. */
  readonly limit?: LimitName;
}

/** How often to look for connections with late headers or bodies. */
const CHECK_MS = 5000;
/** Bytes a second, about half a megabit. Slower uploads are cut off; other bodies have REQUEST_TIMEOUT. */
const SLOWEST_UPLOAD = 65_536;

/** The HTTP layer shared by all routes: parsing, validation, guarding, answering, logging. */
export async function createServer(parts: ServerParts): Promise<FastifyInstance> {
  const { config, logger } = parts;
  const headers = answerHeaders(config);
  const patience = { limitMs: config.REQUEST_TIMEOUT * 1000, headers };
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'id' }),
    genReqId: requestId,
    bodyLimit: config.MAX_BODY_BYTES,
    trustProxy: trustedProxies(config.TRUST_PROXY),
    return503OnClosing: false,
    http: {
      // nameRequest refuses a request without Host, in our own envelope.
      requireHostHeader: false,
      headersTimeout: config.REQUEST_TIMEOUT * 1000,
      connectionsCheckingInterval: CHECK_MS,
    },
    requestTimeout:
      config.REQUEST_TIMEOUT * 1000 + Math.ceil((config.MAX_UPLOAD_BYTES / SLOWEST_UPLOAD) * 1000),
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: 16_384,
      querystringParser: parseQuery,
    },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, headers),
    // An address that cannot be decoded. No hook has seen the request.
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...headers, 'X-Request-Id': request.id });
      limitBody(request as FastifyRequest, reply as never, patience);
      void sendError(toApiError(error), request as FastifyRequest, reply as never);
    },
  });
  readForwardedAddresses(app);
  boundConnections(app, config);
  protectAnswers(app, headers);
  ignoreExpectations(app);
  const open = config.CORS === 'on' ? allowOtherOrigins(app) : undefined;
  app.decorate('listeners', []);
  app.decorateRequest('principal', undefined);
  app.decorateRequest('admitAgain', undefined);
  app.decorateRequest('rawBody', undefined);
  app.decorateRequest('limit', undefined);
  app.decorate('idempotency', parts.idempotency);
  app.decorate('authenticators', parts.authenticators);
  for (const schema of parts.sharedSchemas) app.addSchema(schema);
  app.setValidatorCompiler(validatorCompiler(parts.sharedSchemas));
  app.setSerializerCompiler(serializerCompiler(parts.sharedSchemas));
  app.addHook('onRequest', nameRequest);
  acceptDeclared(app);
  readJson(app);
  compressAnswers(app);
  answerTogether(app);
  endUnreadAnswers(app, config.ANSWER_TIMEOUT * 1000);
  boundWaitingAnswers(app);
  stopInOrder(app, headers);
  handleErrors(app, { bytes: config.MAX_BODY_BYTES, setting: 'MAX_BODY_BYTES' });
  // Before the guard, which reads the session cookie.
  await app.register(cookie, { secret: cookieSigner(parts.cookieKey.toString('base64')) });
  refuseSlowBodies(app, patience);
  refuseOtherHosts(app, config);
  guardRoutes(app, config, parts.limiter);
  if (open) answerPreflights(app, open);
  app.addHook('onResponse', (request, reply, done) => {
    const answer: AnsweredRequest = {
      method: request.method,
      route: request.routeOptions.url ?? '(none)',
      status: reply.statusCode,
      milliseconds: reply.elapsedTime,
      ...(request.limit !== undefined && { limit: request.limit }),
    };
    parts.onAnswer(answer);
    request.log.info({ ...answer, milliseconds: Math.round(answer.milliseconds * 100) / 100 }, 'answered');
    done();
  });
  return app;
}

/** RFC 9110 §10.1.1: other expectations than `100-continue` may be ignored. Node would answer them without our headers. */
function ignoreExpectations({ server }: FastifyInstance): void {
  server.on('checkExpectation', (request, response) => void server.emit('request', request, response));
}

/** Distinguishes the requests of this process from those of others. */
const startedAs = randomUUID().slice(0, 8);
let requests = 0;

/** Keeps a proxy's request id, so that one request can be followed through both logs. */
function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given)
    ? given
    : `${startedAs}-${(++requests).toString(36)}`;
}

/** Sends the request id, so that a failure report can name its log lines. RFC 9112 §3.2: Host is required. */
function nameRequest(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
  reply.header('X-Request-Id', request.id);
  const hostless = request.headers.host === undefined && request.raw.httpVersion === '1.1';
  done(hostless ? new UnreadableBody(undefined, 'The request has no Host header') : undefined);
}

/** Longer answers are sent at once: queued until the end of the turn, they would only fill memory. */
const SHORT_ANSWER = 16_384;

/**
 * Batches the requests of one turn of the event loop: all are read, then handled in order, then answered. The first
 * answer wakes the client, and the others find it awake, which makes them three times cheaper (see bench/: twice the
 * requests a second).
 */
function answerTogether(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, _reply, done) => void setImmediate(done));
  app.addHook('onSend', (_request, _reply, payload, done) => {
    if (typeof payload !== 'string') done();
    else if (payload.length <= SHORT_ANSWER) setImmediate(done);
    else done(null, encode(payload));
  });
}
