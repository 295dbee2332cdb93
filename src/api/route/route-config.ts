import type { ErrorClass, SizeLimit } from '../errors.ts';
import type { Access } from '../guard/principal.ts';

/**
 * Whether a session must have shown the password recently (ASVS 7.5): each time, or where the handler finds that what
 * `when` tells of is so, by `demandPassword`.
 */
export type Recent = boolean | { readonly when: string };

/** The config that `defineRoute` leaves on a Fastify route, for the hooks and the documentation. */
export interface RouteConfig {
  readonly access: Access;
  readonly errors: readonly ErrorClass[];
  readonly strict: boolean | 'sign_in';
  readonly recent: Recent;
  readonly repeatable: boolean;
  /** False for routes with an answer format of their own: the token route and its relatives. */
  readonly enveloped: boolean;
  /** Long answers are compressed for clients that take that. Never where a secret is shown: see compression.ts. */
  readonly compressed?: boolean;
  /** A GET with side effects, which a link on another site must not trigger. */
  readonly effects?: boolean;
  /** Answers whatever `Host` says: see hosts.ts. */
  readonly anyHost?: boolean;
  /** When it answers 303, for the documentation. */
  readonly redirects?: string;
  /** Takes one `file` as multipart/form-data. */
  readonly uploads?: boolean;
  /** The limit of its body in bytes, where MAX_BODY_BYTES does not apply. */
  readonly mostOfBody?: SizeLimit;
}
