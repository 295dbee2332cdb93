import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bearerToken } from './guard.ts';

const PREFLIGHT_S = 600;
const ALLOWED_HEADERS = 'Authorization, Content-Type, Idempotency-Key';
const EXPOSED_HEADERS = 'RateLimit, RateLimit-Policy, Retry-After, Content-Disposition';

/**
 * CORS for pages of other sites that call the interface with an access token, which they send themselves. Cookies are
 * never allowed: a browser hands no answer over that came with one. The token route is for servers.
 */
export function allowOtherOrigins(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!isOpen(request)) return done();
    if (bearerToken(request.headers.authorization) !== undefined) {
      reply.headers({
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Expose-Headers': EXPOSED_HEADERS,
      });
    }
    done();
  });
}

/** Answers a preflight that asks for a token. Add it after the guard, which counts it. */
export function answerPreflights(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (isOpen(request) && isPreflight(request)) return answerPreflight(reply);
  });
}

const isOpen = ({ url }: FastifyRequest) => {
  const path = url.split('?', 1)[0]?.replaceAll(/\/{2,}/g, '/') ?? '';
  return path.startsWith('/v1/') && !/^\/v1\/oauth2\/(token|revoke|introspect)\/?$/i.test(path);
};

function isPreflight({ method, headers }: FastifyRequest): boolean {
  if (method !== 'OPTIONS' || headers.origin === undefined) return false;
  const asked = headers['access-control-request-headers'] ?? '';
  return (
    headers['access-control-request-method'] !== undefined &&
    String(asked)
      .toLowerCase()
      .split(',')
      .some((name) => name.trim() === 'authorization')
  );
}

function answerPreflight(reply: FastifyReply): FastifyReply {
  return reply
    .code(204)
    .headers({
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
      'Access-Control-Allow-Headers': ALLOWED_HEADERS,
      'Access-Control-Max-Age': PREFLIGHT_S,
    })
    .send();
}
