import type { FastifyInstance, FastifyRequest } from 'fastify';
import { answerClientError } from './error-handler.ts';

/**
 * A body must have arrived within the limit. Uploads of signed-in callers have the server's longer one. Add it after
 * the guard, which tells who is signed in.
 */
export function refuseSlowBodies(app: FastifyInstance, limitMs: number): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    if (!raw.complete && hasBody(request) && !isUpload(request)) {
      const error = Object.assign(new Error('the body came too slowly'), {
        code: 'ERR_HTTP_REQUEST_TIMEOUT',
      });
      const timer = setTimeout(() => {
        if (raw.complete) return;
        // What has been answered already needs no second answer.
        if (!reply.raw.headersSent) answerClientError(error, raw.socket);
        raw.socket.destroySoon();
      }, limitMs);
      raw.once('close', () => clearTimeout(timer));
      raw.once('end', () => clearTimeout(timer));
    }
    done();
  });
}

const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const isUpload = ({ principal, headers }: FastifyRequest) =>
  principal !== undefined && /^multipart\/form-data\b/i.test(headers['content-type'] ?? '');
