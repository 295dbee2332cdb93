import type { ErrorClass } from './errors.ts';
import type { Access } from './principal.ts';

/** The config that `defineRoute` leaves on a Fastify route, for the hooks and the documentation. */
export interface RouteConfig {
  readonly access: Access;
  readonly errors: readonly ErrorClass[];
  readonly strict: boolean | 'sign_in';
  /** Requires of a session that the password was entered recently. */
  readonly recent: boolean;
  readonly repeatable: boolean;
  /** False for routes with an answer format of their own: the token route and its relatives. */
  readonly enveloped: boolean;
  /** A GET with side effects, which a link on another site must not trigger. */
  readonly effects?: boolean;
  /** Answers whatever `Host` says: see hosts.ts. */
  readonly anyHost?: boolean;
  /** When it answers 303, for the documentation. */
  readonly redirects?: string;
  /** Takes one `file` as multipart/form-data. */
  readonly uploads?: boolean;
}
