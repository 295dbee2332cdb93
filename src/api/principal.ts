/** A signed-in user: by the web app's session, or by an application's access token on the user's behalf. */
export interface UserPrincipal {
  readonly userId: string;
  /** Set when a session cookie authenticated the request. */
  readonly sessionId?: string;
  /** Whether the user administers the server; only ever set with a session. */
  readonly superuser?: boolean;
  /** Whether the password was shown in the session a short while ago. */
  readonly confirmed?: boolean;
  /** Set when an access token did. */
  readonly grant?: TokenGrant;
}

/** What an access token stands for. */
export interface TokenGrant {
  readonly id: string;
  readonly applicationId: string;
  /** The team from which the user opened the application. */
  readonly teamId: string;
  /** Whether the operator keeps applications to that team (`APPLICATION_POSTING`). */
  readonly confined?: boolean;
  readonly scopes: readonly string[];
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** An application that showed its credentials. */
export interface ApplicationPrincipal {
  readonly applicationId: string;
}

/**
 * Who may call a route. `user` is a session or any access token; `scope` a session, or a token that holds one of the scopes;
 * `superuser` the session of somebody who administers the server.
 * Whether *this* user may see *that* row is decided by the domain's access functions.
 */
export type Access =
  | 'anyone'
  | 'session'
  | 'superuser'
  | 'user'
  | 'application'
  | { readonly scope: readonly string[] };

export type PrincipalOf<A extends Access> = A extends 'anyone'
  ? undefined
  : A extends 'application'
    ? ApplicationPrincipal
    : UserPrincipal;

/** A name for the caller under which idempotency keys are kept; what a token reaches differs by its team. */
export function principalKey(principal: UserPrincipal | ApplicationPrincipal): string {
  if (!('userId' in principal)) return `application:${principal.applicationId}`;
  const { userId, grant } = principal;
  return grant ? `${userId}:${grant.applicationId}:${grant.teamId}` : userId;
}
