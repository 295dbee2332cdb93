import type { FastifyRequest } from 'fastify';
import type { Tx } from '#platform/db/index.ts';
import './context.ts';

/** The cause of a transaction's writes, for the audit log. */
export interface Origin {
  readonly kind: 'user' | 'operator' | 'system' | 'application';
  readonly id: string | null;
  /** The network address that the request came from. */
  readonly address: string | null;
  /** The application that acted for the user. */
  readonly through?: string;
}

const SYSTEM: Origin = { kind: 'system', id: null, address: null };
const origins = new WeakMap<Tx, Origin>();

/** Attributes the writes of this transaction. */
export function attribute(tx: Tx, origin: Origin): void {
  origins.set(tx, origin);
}

/** Defaults to the server itself. */
export function originOf(tx: Tx): Origin {
  return origins.get(tx) ?? SYSTEM;
}

export function requestOrigin({ principal, ip }: FastifyRequest): Origin {
  if (!principal) return { kind: 'user', id: null, address: ip };
  if ('userId' in principal) {
    const { userId, grant } = principal;
    return { kind: 'user', id: userId, address: ip, ...(grant && { through: grant.applicationId }) };
  }
  return { kind: 'application', id: principal.applicationId, address: ip };
}
