import type { FastifyRequest } from 'fastify';
import type { Idempotency } from './idempotency.ts';
import type { ApplicationPrincipal, UserPrincipal } from './principal.ts';
import type { LimitName } from './reasons.ts';
import type { RouteConfig } from './route-config.ts';

/** The three ways to prove who asks. Each gives undefined where its kind of proof is not in the request. */
export interface Authenticators {
  /** The session cookie. */
  session(request: FastifyRequest): Promise<UserPrincipal | undefined>;
  /** `Authorization: Bearer`. @throws InvalidToken */
  token(accessToken: string): Promise<UserPrincipal>;
  /** `client_id` and `client_secret` in the query, or HTTP Basic. @throws NotAuthorized */
  application(request: FastifyRequest): Promise<ApplicationPrincipal>;
}

declare module 'fastify' {
  interface FastifyInstance {
    idempotency: Idempotency;
    authenticators: Authenticators;
  }
  interface FastifyRequest {
    principal: UserPrincipal | ApplicationPrincipal | undefined;
    /** The JSON body as it came, or what stands for an upload: by it a repeated request is told from another. */
    rawBody: string | undefined;
    /** The limit that refused the request. */
    limit: LimitName | undefined;
  }
  interface FastifyContextConfig extends Partial<RouteConfig> {}
}
