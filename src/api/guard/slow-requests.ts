import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerClientError } from '../error-handler.ts';

/**
 * A body must arrive within the limit. Uploads of authenticated callers have the server's longer one. Add it before
 * the guard: refused requests send a body, too.
 */
export function refuseSlowBodies(app: FastifyInstance, patience: Patience): void {
  app.addHook('onRequest', (request, reply, done) => {
    limitBody(request, reply, patience);
    done();
  });
}

interface Patience {
  readonly limitMs: number;
  /** The headers of the refusal. */
  readonly headers: Readonly<Record<string, string>>;
}

export function limitBody(
  request: FastifyRequest,
  reply: FastifyReply,
  { limitMs, headers }: Patience,
): void {
  const { raw } = request;
  if (raw.complete || !hasBody(request)) return;
  const timer = setTimeout(() => {
    const { headersSent } = reply.raw;
    if (raw.complete || (isUpload(request) && !headersSent)) return;
    const error = Object.assign(new Error('the body came too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    // A request that has been answered needs no second answer.
    if (!headersSent) answerClientError(error, raw.socket, headers);
    raw.socket.destroySoon();
  }, limitMs);
  raw.once('close', () => clearTimeout(timer));
  raw.once('end', () => clearTimeout(timer));
}

const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const isUpload = ({ principal, headers, routeOptions: { config } }: FastifyRequest) =>
  principal !== undefined &&
  config?.uploads === true &&
  /^multipart\/form-data\b/i.test(headers['content-type'] ?? '');
