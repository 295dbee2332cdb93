import type { FastifyRequest } from 'fastify';
import { type ApplicationPrincipal, NotAuthorized } from '#api';
import { equalInConstantTime } from '#platform/crypto/index.ts';
import type { Database } from '#platform/db/index.ts';
import { parseId } from '#platform/ids.ts';
import type { ApplicationService } from './application.service.ts';
import { findApplication } from './application.store.ts';
import { isPublic } from './client-type.ts';
import { refuseSuspended } from './suspension.ts';

export interface Credentials {
  readonly id: string;
  readonly secret: string;
}

/** As a request names it; a secret without characters is none (RFC 6749 §2.3.1). */
export interface GivenClient {
  readonly id?: string | undefined;
  readonly secret?: string | undefined;
}

export interface Client {
  readonly applicationId: string;
  readonly isPublic: boolean;
}

export type ClientRefusal = 'no_secret' | 'wrong_secret' | 'secret_of_public';

/**
 * Checks a client id and secret. Absent, malformed and wrong ones are answered alike, and an unknown application
 * takes as long as a wrong secret.
 * @throws NotAuthorized @throws NotAllowed for an application that sleeps
 */
export function credentialChecker(deps: { db: Database; applications: ApplicationService }) {
  const { db, applications } = deps;

  async function check(given: Credentials | undefined): Promise<ApplicationPrincipal> {
    const applicationId = parseId(given?.id);
    if (!given || !applicationId) throw new NotAuthorized();
    const { secrets, standing } = await applications.credentials(db, applicationId);
    const matches = secrets.map((secret) => equalInConstantTime(secret, given.secret));
    if (!matches.includes(true)) throw new NotAuthorized();
    if (standing) refuseSuspended(standing);
    return { applicationId };
  }

  /**
   * The client at the token route: one with a secret proves who it is, a public one names itself (RFC 6749 §3.2.1).
   * @returns why it is refused, for its owner @throws NotAllowed for an application that sleeps
   */
  async function identify({ id, secret }: GivenClient): Promise<Client | ClientRefusal> {
    const known = parseId(id);
    const application = known && (await findApplication.first(db, { id: known }));
    if (application && isPublic(application)) {
      if (secret) return 'secret_of_public';
      refuseSuspended(application);
      return { applicationId: application.id, isPublic: true };
    }
    if (!id || !secret) return 'no_secret';
    try {
      return { ...(await check({ id, secret })), isPublic: false };
    } catch (error) {
      if (error instanceof NotAuthorized) return 'wrong_secret';
      throw error;
    }
  }

  /** HTTP Basic, or else the query. @throws NotAuthorized */
  async function authenticate(request: FastifyRequest): Promise<ApplicationPrincipal> {
    return check(basicCredentials(request.headers.authorization) ?? fields(request.query));
  }

  return { identify, authenticate };
}

/** RFC 7617; both halves are form-encoded first, as RFC 6749 §2.3.1 asks. */
export function basicCredentials(authorization: string | undefined): Credentials | undefined {
  const encoded = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const [id, ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  try {
    return { id: decodeURIComponent(id ?? ''), secret: decodeURIComponent(rest.join(':')) };
  } catch {
    return { id: '', secret: '' };
  }
}

/** `client_id` and `client_secret` of a query, when each is there exactly once. */
function fields(from: unknown): Credentials | undefined {
  const { client_id: id, client_secret: secret } = (from ?? {}) as Record<string, unknown>;
  return typeof id === 'string' && typeof secret === 'string' ? { id, secret } : undefined;
}
