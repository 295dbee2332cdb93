/** A signed-in user, by the web app's session or by an access token that an application holds for the user. */
export interface UserPrincipal {
  readonly userId: string;
  /** Set when a session cookie authenticated the request. */
  readonly sessionId?: string;
  /** Whether the user administers the server; only ever set with a session. */
  readonly superuser?: boolean;
  /** Whether the password was entered in this session recently. */
  readonly confirmed?: boolean;
  /** Set when an access token authenticated the request. */
  readonly grant?: TokenGrant;
  /** Set for an application that acts as itself: `userId` is the author of its messages, and no person. */
  readonly itself?: { readonly teamId: string };
}

/** The grant behind an access token. */
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

/** An application that presented its credentials. */
export interface ApplicationPrincipal {
  readonly applicationId: string;
}

/**
 * The callers that a route admits. `developer`: an application's credentials, or a session. `user`: a session or any access token. `scope`: a session, or a token with one of the scopes.
 * `webhook`: everybody with the address of an incoming webhook, whose last part is its secret. `response`: everybody with the address at which an application answers a click, who is that application there. `itself`: also an application as itself, by a token with this scope or one of these; without `scope`, any access token of a person.
 * `superuser`: the session of a server administrator. Access to a particular row is decided by the domain's access
 * functions.
 */
export type Access =
  | 'anyone'
  | 'session'
  | 'superuser'
  | 'user'
  | 'application'
  | 'developer'
  | 'webhook'
  | 'response'
  | {
      readonly scope?: readonly string[];
      readonly itself?: string | readonly string[];
      /** The message for an application as itself without the scope, where the scope alone would mislead. */
      readonly advice?: string;
    };

export type PrincipalOf<A extends Access> = A extends 'anyone'
  ? undefined
  : A extends 'application' | 'response'
    ? ApplicationPrincipal
    : A extends 'developer'
      ? ApplicationPrincipal | UserPrincipal
      : UserPrincipal;

/** Whether it is a person in a session, and no token. */
export const isSession = (
  principal: UserPrincipal | ApplicationPrincipal | undefined,
): principal is UserPrincipal & { readonly sessionId: string } =>
  principal !== undefined && 'userId' in principal && principal.sessionId !== undefined;

/** The caller's name for idempotency keys. Includes the team of a token, since it decides what the token reaches. */
export function principalKey(principal: UserPrincipal | ApplicationPrincipal): string {
  if (!('userId' in principal)) return `application:${principal.applicationId}`;
  const { userId, grant } = principal;
  return grant ? `${userId}:${grant.applicationId}:${grant.teamId}` : userId;
}
