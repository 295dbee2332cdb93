import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseClosed, DatabaseUnavailable, UnstorableText } from '#platform/db/index.ts';
import { isUnavailable, reportUnavailable } from './availability.ts';
import {
  ApiError,
  DiskFull,
  type FieldProblem,
  HeadersTooLarge,
  InternalError,
  InvalidFields,
  MethodNotAllowed,
  NotAuthorized,
  NotFound,
  type SizeLimit,
  Stopping,
  TooLarge,
  TooManyRequests,
  TooSlow,
  Unavailable,
  UnreadableBody,
  UnsupportedMediaType,
} from './errors.ts';
import { type AjvProblem, expectation } from './route/expectation.ts';

/** Answers every failure in the error format of part 7 and reveals nothing internal. */
export function handleErrors(app: FastifyInstance, mostOfBody: SizeLimit): void {
  const methods = collectMethods(app);
  app.setErrorHandler((error: FastifyError, request, reply) =>
    sendError(toApiError(error, request.routeOptions.config?.mostOfBody ?? mostOfBody), request, reply),
  );
  app.setNotFoundHandler((request, reply) => {
    if (KNOWN_METHODS.has(request.method)) return sendError(new NotFound(), request, reply);
    return sendError(new MethodNotAllowed(), request, reply.header('Allow', [...KNOWN_METHODS].join(', ')));
  });
  app.decorate('refuseOtherMethods', () => refuseOtherMethods(app, methods));
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Call once, after the last route: makes a wrong method on a known path a 4050 with `Allow`. */
    refuseOtherMethods(): void;
  }
}

const ALL_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
/** No route accepts any other method, such as TRACE or PROPFIND. */
const KNOWN_METHODS = new Set<string>([...ALL_METHODS, 'HEAD']);

function collectMethods(app: FastifyInstance): Map<string, Set<string>> {
  const methods = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = methods.get(url) ?? new Set();
    for (const one of [method].flat()) known.add(one);
    methods.set(url, known);
  });
  return methods;
}

function refuseOtherMethods(app: FastifyInstance, methods: Map<string, Set<string>>): void {
  for (const [url, known] of [...methods]) {
    if (url.includes('*')) continue;
    const allow = [...known].join(', ');
    app.route({
      url,
      method: ALL_METHODS.filter((method) => !known.has(method)),
      config: { access: 'anyone' },
      schema: { hide: true } as object,
      // Runs before the body is read: the answer does not depend on it.
      onRequest: async (_, reply) => {
        reply.header('Allow', allow);
        throw new MethodNotAllowed();
      },
      handler: async () => undefined,
    });
  }
}

export function sendError(error: ApiError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  noteError(error, request);
  const retryAfter = retryAfterOf(error);
  if (retryAfter !== undefined) reply.header('Retry-After', retryAfter);
  if (error.status === 401) reply.header('WWW-Authenticate', challenge(error));
  return reply
    .code(error.status)
    .header('Cache-Control', 'no-store')
    .type('application/json; charset=utf-8')
    .serializer((body: unknown) => JSON.stringify(body))
    .send({ errors: error.items });
}

/** Seconds to wait before a retry, for errors where a retry can help. */
export function retryAfterOf(error: ApiError): number | undefined {
  return error instanceof TooManyRequests || error instanceof Unavailable ? error.retryAfter : undefined;
}

export const REFUSED_BY_STOP = 'refused: the server is stopping';

/**
 * Records the exceeded limit, and logs failures on our side. An outage gets an occasional single line, since every
 * request then fails for the same reason.
 */
export function noteError(error: ApiError, request: FastifyRequest): void {
  const { log } = request;
  if (error instanceof TooManyRequests) request.limit = error.reason;
  if (error.status < 500) return;
  if (!(error instanceof Unavailable)) log.error({ err: error.cause ?? error }, 'request failed');
  else if (error instanceof Stopping) log.info(REFUSED_BY_STOP);
  else if (error.cause) reportUnavailable(log, error.cause);
  else log.warn({ reason: error.reason }, 'refused: overloaded');
}

/**
 * Answers input that never becomes a request: malformed or oversized HTTP. Closes the connection.
 * @param headers of every answer
 */
export function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  headers: Readonly<Record<string, string>>,
): void {
  const answering = (socket as Socket & { _httpMessage?: ServerResponse })._httpMessage?.headersSent;
  if (error.code === 'ECONNRESET' || !socket.writable || answering) return void socket.destroy(error);
  const refusal = unreadRequest(error.code);
  const { status, items } = refusal;
  const retryAfter = retryAfterOf(refusal);
  const body = JSON.stringify({ errors: items });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
    ...(retryAfter === undefined ? [] : [`Retry-After: ${retryAfter}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // The socket is half open after that: a caller that never ends its side would keep the connection.
  socket.destroySoon();
}

/** The code of a request that is not read any further because the server stops. */
export const STOPPING = 'ERR_STOPPING';

function unreadRequest(code: string | undefined): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') return new HeadersTooLarge();
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new TooSlow();
  if (code === STOPPING) return new Stopping();
  return new UnreadableBody(undefined, 'The request is not valid HTTP');
}

/** RFC 6750 §3. */
function challenge(error: ApiError): string {
  if (error.code === 4012) return 'Bearer error="invalid_token"';
  const advice = error instanceof NotAuthorized ? error.advice : undefined;
  return advice === undefined ? 'Bearer' : `Bearer error_description="${advice}"`;
}

/** Maps any thrown value to an error class. Anything unforeseen is a server error. */
export function toApiError(error: FastifyError | Error, mostOfBody?: SizeLimit): ApiError {
  if (error instanceof ApiError) return error;
  if (isDiskFull(error)) return new DiskFull(error);
  if (error instanceof DatabaseClosed) return new Stopping(error);
  if (isUnavailable(error)) return new Unavailable(undefined, undefined, error);
  if (error instanceof UnstorableText)
    return new InvalidFields({ field: '', message: 'must not contain U+0000' });
  const { validation, validationContext, code, statusCode } = error as FastifyError;
  if (validation) return fieldProblems(validation as unknown as AjvProblem[], validationContext);
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new UnsupportedMediaType();
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new TooLarge(mostOfBody);
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH') return new NotFound();
  if (statusCode !== undefined && statusCode < 500) return new UnreadableBody(undefined, undefined, error);
  if (statusCode === 503) return new Unavailable(undefined, undefined, error);
  return new InternalError(undefined, undefined, error);
}

const NO_ROOM = new Set(['ENOSPC', 'EDQUOT']);

/** The disk of the database or of the uploads. */
function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseUnavailable) return error.isFull;
  return NO_ROOM.has((error as NodeJS.ErrnoException).code ?? '') || isDiskFull(error.cause);
}

/** The bounds of bodies that are read by hand: see bounds.ts. */
const OF_WHOLE_BODIES = new Set(['depth', 'maxItems']);

/** One entry per field: its first problem. */
function fieldProblems(problems: AjvProblem[], context: string | undefined): ApiError {
  const whole = context === 'body' ? problems.find(({ instancePath }) => instancePath === '') : undefined;
  if (whole?.keyword === 'type') return new UnreadableBody(undefined, 'The body must be a JSON object');
  if (whole && OF_WHOLE_BODIES.has(whole.keyword))
    return new UnreadableBody(undefined, `The body ${expectation(whole)}`);
  const found = new Map<string, FieldProblem>();
  for (const problem of problems) {
    const field = fieldOf(problem);
    if (!found.has(field)) found.set(field, { field, message: expectation(problem) });
  }
  return new InvalidFields([...found.values()]);
}

function fieldOf({ instancePath, params }: AjvProblem): string {
  const path = instancePath.split('/').slice(1).map(unescapePointer);
  return [...path, ...(params.missingProperty === undefined ? [] : [params.missingProperty])].join('.');
}

/** RFC 6901 §4. */
function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
