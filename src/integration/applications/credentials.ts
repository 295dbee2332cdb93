import type { FastifyRequest } from 'fastify';
import { type ApplicationPrincipal, NotAuthorized } from '#api';
import { equalInConstantTime } from '#platform/crypto/index.ts';
import type { Database } from '#platform/db/index.ts';
import { parseId } from '#platform/ids.ts';
import type { ApplicationService } from './application.service.ts';
import { refuseSuspended } from './suspension.ts';

export interface Credentials {
  readonly id: string;
  readonly secret: string;
}

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

  /** HTTP Basic, or else the query. @throws NotAuthorized */
  async function authenticate(request: FastifyRequest): Promise<ApplicationPrincipal> {
    return check(basicCredentials(request.headers.authorization) ?? fields(request.query));
  }

  return { check, authenticate };
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

/** `client_id` and `client_secret` of a query or a form, when each is there exactly once. */
export function fields(from: unknown): Credentials | undefined {
  const { client_id: id, client_secret: secret } = (from ?? {}) as Record<string, unknown>;
  return typeof id === 'string' && typeof secret === 'string' ? { id, secret } : undefined;
}
