import type { RouteConfig } from '../route/route-config.ts';

type Security = readonly Readonly<Record<string, readonly string[]>>[];

export function securityOf({ access, enveloped, strict }: RouteConfig): Security {
  // RFC 6749 §2.3.1: the client's credentials are in the header, or among the fields of the form.
  if (!enveloped && strict) return [{}, { basic: [] }];
  if (access === 'anyone' || access === 'webhook' || access === 'response') return [];
  if (access === 'application') return [{ clientId: [], clientSecret: [] }, { basic: [] }];
  if (access === 'developer') return [{ clientId: [], clientSecret: [] }, { basic: [] }, { session: [] }];
  if (access === 'session' || access === 'superuser') return [{ session: [] }];
  return [{ token: [] }, { session: [] }];
}

/** Says which callers a route admits, and what else it demands of them. */
export function describeAccess(config: RouteConfig): string {
  return [
    `Access: ${accessOf(config)}.`,
    ...(config.recent
      ? [`In a session${whenOf(config)}, the password must have been shown a short while ago.`]
      : []),
    ...(config.strict ? ['It has a stricter rate limit.'] : []),
  ].join(' ');
}

const whenOf = ({ recent }: RouteConfig) => (typeof recent === 'object' ? `, ${recent.when}` : '');

function accessOf({ access, enveloped, strict }: RouteConfig): string {
  if (!enveloped && strict)
    return 'an application, by HTTP Basic or by `client_id` and `client_secret` in the form';
  if (typeof access === 'object') {
    const scopes = access.scope?.map((scope) => `\`${scope}\``) ?? [];
    const token =
      scopes.length === 0
        ? 'any access token'
        : `an access token with ${scopes.length > 1 ? 'one of the scopes' : 'the scope'} ${scopes.join(', ')}`;
    const own = [access.itself ?? []].flat().map((scope) => `\`${scope}\``);
    const itself = own.length > 0 ? `; an application as itself with ${own.join(' or ')}` : '';
    return `a session, or ${token}${itself}`;
  }
  return {
    anyone: 'everybody, without authentication',
    application: 'an application, by its client id and secret',
    developer: 'an application, by its client id and secret, or a session; no access token',
    session: 'a session; no access token',
    superuser: 'the session of an administrator of the server',
    user: 'a session, or any access token',
    response: 'without authentication, by the address of a click, which its application alone is told',
    webhook: 'everybody with the address of an incoming webhook, without authentication',
  }[access];
}
