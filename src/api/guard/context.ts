import type { FastifyRequest } from 'fastify';
import type { Idempotency } from '../idempotency/idempotency.ts';
import type { LimitName } from '../reasons.ts';
import type { RouteConfig } from '../route/route-config.ts';
import type { ApplicationPrincipal, UserPrincipal } from './principal.ts';

/** The ways to authenticate a caller. Each returns undefined when the request carries no such credentials. */
export interface Authenticators {
  /** The session cookie. */
  session(request: FastifyRequest): Promise<UserPrincipal | undefined>;
  /** `Authorization: Bearer`. @throws InvalidToken */
  token(accessToken: string): Promise<UserPrincipal>;
  /** `client_id` and `client_secret` in the query, or HTTP Basic. @throws NotAuthorized */
  application(request: FastifyRequest): Promise<ApplicationPrincipal>;
  /** The last part of the address of an incoming webhook. @throws NotFound */
  webhook(request: FastifyRequest): Promise<UserPrincipal>;
  /** The last parts of the address at which a click is answered. @throws NotFound */
  response(request: FastifyRequest): Promise<ApplicationPrincipal>;
}

declare module 'fastify' {
  interface FastifyInstance {
    idempotency: Idempotency;
    authenticators: Authenticators;
  }
  interface FastifyRequest {
    principal: UserPrincipal | ApplicationPrincipal | undefined;
    /**
     * Asks again whether the caller may do this, a while after the headers came: what let them in may have ended. For a
     * `body`, the recent password counts, too; a download may take longer than that. @throws as the guard does
     */
    admitAgain: ((of: 'body' | 'download') => Promise<void>) | undefined;
    /** The raw JSON body, or a stand-in for an upload. Distinguishes a repeated request from a different one. */
    rawBody: string | undefined;
    /** The limit that refused the request. */
    limit: LimitName | undefined;
  }
  interface FastifyContextConfig extends Partial<RouteConfig> {}
}
