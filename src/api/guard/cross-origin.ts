import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bearerToken } from './guard.ts';
import type { Access } from './principal.ts';

const PREFLIGHT_S = 600;
const ALLOWED_HEADERS = 'Authorization, Content-Type, Idempotency-Key';
const EXPOSED_HEADERS = 'RateLimit, RateLimit-Policy, Retry-After, Content-Disposition, Idempotency-Key';

/** Routes that accept an access token, by method and pattern. */
type OpenRoutes = ReadonlySet<string>;

/**
 * CORS for pages on other sites, which send an access token themselves. Cookies are not allowed: a browser withholds
 * every answer to a request with credentials. Only routes that accept a token are open. The token route is meant for
 * servers, and an open sign-up would let another site create the first account.
 */
export function allowOtherOrigins(app: FastifyInstance): OpenRoutes {
  const open = new Set<string>();
  app.addHook('onRoute', ({ method, url, config }) => {
    if (!takesTokens(config?.access)) return;
    for (const one of [method].flat()) open.add(`${one} ${url}`);
  });
  app.addHook('onRequest', (request, reply, done) => {
    const { method, routeOptions } = request;
    if (!open.has(`${method} ${routeOptions.url}`)) return done();
    if (bearerToken(request.headers.authorization) !== undefined) {
      reply.headers({
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Expose-Headers': EXPOSED_HEADERS,
      });
    }
    done();
  });
  return open;
}

/** Answers a preflight that asks for a token. Add it after the guard, which counts it. */
export function answerPreflights(app: FastifyInstance, open: OpenRoutes): void {
  app.addHook('onRequest', (request, reply, done) => {
    const wanted = request.headers['access-control-request-method'];
    if (wanted === undefined || !open.has(`${wanted} ${request.routeOptions.url}`) || !isPreflight(request))
      return done();
    answerPreflight(reply);
  });
}

const takesTokens = (access: Access | undefined) => access === 'user' || typeof access === 'object';

function isPreflight({ method, headers }: FastifyRequest): boolean {
  if (method !== 'OPTIONS' || headers.origin === undefined) return false;
  const asked = headers['access-control-request-headers'] ?? '';
  return String(asked)
    .toLowerCase()
    .split(',')
    .some((name) => name.trim() === 'authorization');
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
