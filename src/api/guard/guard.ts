import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { network } from '#platform/network.ts';
import type { Config } from '../../process/config.ts';
import { NotAllowed, NotAuthorized, ScopeMissing, TooManyRequests } from '../errors.ts';
import type { LimitName } from '../reasons.ts';
import { demandPassword } from './password-shown.ts';
import type { Access, ApplicationPrincipal, UserPrincipal } from './principal.ts';
import { type Allowance, type Policy, type RateLimits, rateLimitHeaders } from './rate-limit.ts';
import './context.ts';

const USER_HEADER = 'parley-user';
/** A body that takes longer to arrive finds the door checked once more. */
const ADMITTED_FOR_MS = 50;
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Admits or refuses a caller before the body is read: rate limits first, then authentication. A body may arrive much later,
 * after the session, account or credentials have ended: then the caller is looked up again.
 * @throws an error at start for a route that does not declare its access
 */
export function guardRoutes(app: FastifyInstance, config: Config, limiter: RateLimits): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => void routes.push(route));
  app.addHook('onReady', async () => {
    const open = routes.find((route) => route.config?.access === undefined);
    if (open) throw new Error(`${open.method} ${open.url} does not declare who may call it.`);
    const silent = routes.find(isSilent);
    if (silent)
      throw new Error(`${silent.method} ${silent.url} does not declare whether it asks for the password.`);
  });
  const limits = config.RATE_LIMIT === 'on' ? policies(config) : undefined;
  app.addHook('onRequest', async (request, reply) => {
    const { access, strict, recent } = request.routeOptions.config;
    const policy = strict === 'sign_in' ? limits?.signIn : strict ? limits?.strict : undefined;
    if (policy) check(reply, policy, await limiter.takeExact(policy, network(request.ip)));
    else if (limits) count(reply, limits.address, network(request.ip));
    if (access === undefined || access === 'anyone') return;
    const admit = async (of: 'body' | 'download') => {
      const principal = await authenticate(app, request, access, config);
      // Check the link first: the page that asks for the password would lead back to it.
      if (request.routeOptions.config.effects) refuseForeignLink(request);
      if (recent === true && of === 'body') demandPassword(principal);
      request.principal = principal;
      return principal;
    };
    const principal = await admit('body');
    const admittedAt = performance.now();
    request.admitAgain = async (of) => {
      if (performance.now() - admittedAt > ADMITTED_FOR_MS) await admit(of);
    };
    if (limits) countPrincipal(reply, limits, principal);
  });
  // The body has arrived by now, but for an upload, which its handler reads.
  app.addHook('preValidation', async (request) => request.admitAgain?.('body'));

  function count(reply: FastifyReply, policy: Limit, caller: string): void {
    check(reply, policy, limiter.take(policy, caller));
  }

  function check(reply: FastifyReply, { name }: Limit, allowance: Allowance): void {
    reply.headers(rateLimitHeaders(allowance));
    if (allowance.exceeded) throw new TooManyRequests(name, allowance.reset);
  }

  function countPrincipal(
    reply: FastifyReply,
    limits: ReturnType<typeof policies>,
    principal: UserPrincipal | ApplicationPrincipal,
  ): void {
    const application = applicationItself(principal);
    if (application !== undefined) count(reply, limits.application, application);
    else count(reply, limits.token, tokenKey(principal as UserPrincipal));
  }
}

/** The application that calls for nobody: with its credentials, or with a token of its own, whatever that may do. */
function applicationItself(principal: UserPrincipal | ApplicationPrincipal): string | undefined {
  if (!('userId' in principal)) return principal.applicationId;
  return principal.itself && principal.grant?.applicationId;
}

/** Not the grant: each code that is exchanged makes one, and so would make a limit. */
const tokenKey = ({ userId, grant }: UserPrincipal): string =>
  grant ? `${userId} ${grant.applicationId}` : userId;

/** Writes for an administrator, and does not say whether it asks for the password. */
const isSilent = ({ method, config }: RouteOptions) =>
  config?.access === 'superuser' &&
  config.recent === undefined &&
  [method].flat().some((one) => !SAFE_METHODS.has(one));

/** A policy whose name is shown to callers. */
type Limit = Policy & { readonly name: LimitName };

function policies(config: Config) {
  return {
    address: { name: 'address', quota: config.RATE_LIMIT_ADDRESS },
    strict: { name: 'strict', quota: config.RATE_LIMIT_STRICT },
    signIn: { name: 'sign_in', quota: config.RATE_LIMIT_SIGN_IN },
    token: { name: 'token', quota: config.RATE_LIMIT_TOKEN },
    application: { name: 'application', quota: config.RATE_LIMIT_APPLICATION },
  } satisfies Record<string, Limit>;
}

async function authenticate(
  app: FastifyInstance,
  request: FastifyRequest,
  access: Access,
  config: Config,
): Promise<UserPrincipal | ApplicationPrincipal> {
  if (access === 'application' || (access === 'developer' && hasCredentials(request)))
    return app.authenticators.application(request);
  if (access === 'webhook' || access === 'response') return app.authenticators[access](request);
  const token = bearerToken(request.headers.authorization);
  if (token !== undefined) {
    const principal = await app.authenticators.token(token);
    refuseWithoutScope(principal, access);
    return keepToTeam(principal, config);
  }
  const principal = await app.authenticators.session(request);
  if (!principal) throw new NotAuthorized(wantedBy(access, hasCredentials(request)));
  refuseAnotherUser(principal, request);
  if (!SAFE_METHODS.has(request.method)) refuseCrossSite(request, config);
  if (access === 'superuser' && !principal.superuser)
    throw new NotAllowed('not_superuser', 'Only an administrator of the server may do this');
  return principal;
}

/** A page names its user where it writes: another window of the browser may have replaced the session meanwhile. */
function refuseAnotherUser({ userId }: UserPrincipal, { headers }: FastifyRequest): void {
  const meant = headers[USER_HEADER];
  if (meant === undefined || meant === userId) return;
  throw new NotAuthorized(undefined, 'The session is of another user than Parley-User names: sign in again');
}

/** The credentials that a route takes, for a caller who shows none that it knows. */
function wantedBy(access: Access, hasShownCredentials: boolean): string {
  const takesToken = access === 'user' || typeof access === 'object';
  const wanted = takesToken ? 'an access token or a session' : 'a session';
  const way = takesToken ? ': get a token at POST /v1/oauth2/token' : '';
  return `This route takes ${wanted}${hasShownCredentials ? `, and not the credentials of an application${way}` : ''}`;
}

/** Whether a request tries to show the credentials of an application. */
const hasCredentials = ({ headers, query }: FastifyRequest): boolean =>
  /^basic\b/i.test(headers.authorization ?? '') || Object.hasOwn((query as object) ?? {}, 'client_id');

/** RFC 6750 §2.1; the scheme is matched without regard to case (RFC 9110 §11.1). */
export function bearerToken(authorization: string | undefined): string | undefined {
  return (
    /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ??
    (/^bearer\b/i.test(authorization ?? '') ? '' : undefined)
  );
}

/** Confines a principal to the team of its grant, where the operator wants that (`APPLICATION_POSTING`). */
export const keepToTeam = (
  { grant, ...principal }: UserPrincipal,
  { APPLICATION_POSTING }: Pick<Config, 'APPLICATION_POSTING'>,
): UserPrincipal => ({
  ...principal,
  ...(grant && { grant: APPLICATION_POSTING === 'team' ? { ...grant, confined: true } : grant }),
});

function refuseWithoutScope({ grant, itself }: UserPrincipal, access: Access): void {
  if (access === 'session' || access === 'superuser' || access === 'developer')
    throw new ScopeMissing('session');
  const needed = itself ? ofItself(access) : ((access as { scope?: readonly string[] }).scope ?? []);
  const [first] = needed;
  if (first !== undefined && !needed.some((one) => grant?.scopes.includes(one)))
    throw new ScopeMissing(first, itself && (access as { advice?: string }).advice);
}

/** A route that serves a person's token refuses an application's own, unless it says otherwise. */
function ofItself(access: Access): readonly string[] {
  if (typeof access === 'object' && access.itself !== undefined) return [access.itself].flat();
  throw new ScopeMissing('person');
}

/** Fetch Metadata: `none` means a typed or bookmarked address. Programs send no such header. */
function refuseForeignLink({ headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return;
  throw new NotAllowed('cross_site', 'A link on another site led here: open it from this server’s own pages');
}

/** A browser attaches our cookie to requests that other sites cause, so only our own pages may write with it. */
function refuseCrossSite(request: FastifyRequest, config: Config): void {
  const { origin, host } = request.headers;
  const site = request.headers['sec-fetch-site'];
  const same = site === undefined ? isOwnOrigin(origin, host, config) : site === 'same-origin';
  if (same) return;
  const message = 'With a session cookie, send the header Origin with this server’s own address';
  throw new NotAllowed('cross_site', message);
}

function isOwnOrigin(origin: string | undefined, host: string | undefined, config: Config): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false;
  const { host: from } = new URL(origin);
  return from === host || (config.BASE_URL !== undefined && new URL(config.BASE_URL).origin === origin);
}
