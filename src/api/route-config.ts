import type { ErrorClass } from './errors.ts';
import type { Access } from './principal.ts';

/** What `defineRoute` leaves on a Fastify route for the hooks and the documentation. */
export interface RouteConfig {
  readonly access: Access;
  readonly errors: readonly ErrorClass[];
  readonly strict: boolean | 'sign_in';
  /** Needs a session in which the password was shown a short while ago. */
  readonly recent: boolean;
  readonly repeatable: boolean;
  /** Routes that answer in a form of their own: the token route and its relatives. */
  readonly enveloped: boolean;
  /** A GET that does more than read: another site's link must not cause it. */
  readonly effects?: boolean;
}
