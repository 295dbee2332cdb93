import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type ApplicationPrincipal, NotAuthorized } from '#api';
import { type Cipher, digestOf, sameDigest } from '#platform/crypto/index.ts';
import { type Database, loadTogether } from '#platform/db/index.ts';
import { type Clock, parseId } from '#platform/ids.ts';
import { findClients } from './application.store.ts';
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

/** A digest takes less than 200 bytes. */
const MOST_DIGESTS = 10_000;

export type ClientRefusal = 'no_secret' | 'wrong_secret' | 'secret_of_public';

/**
 * Checks a client id and secret. Absent, malformed and wrong ones are answered alike, and an unknown application
 * takes as long as a wrong secret.
 * @throws NotAuthorized @throws NotAllowed for an application that sleeps
 */
export function credentialChecker({ db, clock, cipher }: { db: Database; clock: Clock; cipher: Cipher }) {
  /**
   * The digests of secrets, by their ciphertexts. A secret that is replaced has another one, and which of them are good
   * is looked up for each request: nothing that is remembered here can be too old.
   */
  const digests = new LRUCache<string, Buffer>({
    max: MOST_DIGESTS,
    memoMethod: (ciphertext) => digestOf(cipher.decrypt(ciphertext)),
  });

  const findClient = loadTogether(
    async (ids) => {
      const rows = await findClients.all(db, { ids, now: clock() });
      return [...Map.groupBy(rows, ({ id }) => id).values()].map((own) => ({
        ...(own[0] as (typeof own)[number]),
        ciphertexts: own.flatMap(({ ciphertext }) => ciphertext ?? []),
      }));
    },
    ({ id }) => id,
  );
  type KnownClient = Awaited<ReturnType<typeof findClient>>;

  function check(client: KnownClient, secret: string): ApplicationPrincipal {
    const offered = digestOf(secret);
    const matches = client?.ciphertexts.map((ciphertext) => sameDigest(digests.memo(ciphertext), offered));
    if (!client || !matches?.includes(true)) throw new NotAuthorized(WRONG_CREDENTIALS);
    refuseSuspended(client);
    return { applicationId: client.id };
  }

  /**
   * The client at the token route: one with a secret proves who it is, a public one names itself (RFC 6749 §3.2.1).
   * @returns why it is refused, for its owner @throws NotAllowed for an application that sleeps
   */
  async function identify({ id, secret }: GivenClient): Promise<Client | ClientRefusal> {
    const known = parseId(id);
    const client = known === undefined ? undefined : await findClient(known);
    if (client && isPublic(client)) {
      if (secret) return 'secret_of_public';
      refuseSuspended(client);
      return { applicationId: client.id, isPublic: true };
    }
    if (!id || !secret) return 'no_secret';
    try {
      return { ...check(client, secret), isPublic: false };
    } catch (error) {
      if (error instanceof NotAuthorized) return 'wrong_secret';
      throw error;
    }
  }

  /** HTTP Basic, or else the query. @throws NotAuthorized */
  async function authenticate(request: FastifyRequest): Promise<ApplicationPrincipal> {
    const given = basicCredentials(request.headers.authorization) ?? fields(request.query);
    const known = parseId(given?.id);
    if (!given) throw new NotAuthorized(NO_CREDENTIALS);
    if (known === undefined) throw new NotAuthorized(WRONG_CREDENTIALS);
    return check(await findClient(known), given.secret);
  }

  return { identify, authenticate };
}

const WRONG_CREDENTIALS = 'client_id or client_secret is wrong';
const NO_CREDENTIALS =
  'This route takes the credentials of an application, as HTTP Basic (client_id:client_secret)';

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
