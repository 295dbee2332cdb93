import type { FastifyReply, FastifyRequest } from 'fastify';
import { lookUp, NotAuthorized, type UserPrincipal } from '#api';
import { hashToken, randomToken } from '#platform/crypto/index.ts';
import { type Database, loadTogether, type Tx } from '#platform/db/index.ts';
import { type Clock, newId } from '#platform/ids.ts';
import type { SessionRow } from '#schema';
import { lockActiveUser } from '../users/index.ts';
import { type CookieJar, cookieName, cookieOptions } from './cookies.ts';
import {
  confirmSession,
  deleteSession,
  deleteSessionOf,
  extendSession,
  findSessions,
  insertSession,
  listGood,
  listSessions,
} from './session.store.ts';
import { sessionEnding, type TellSessionsEnded } from './session-ending.ts';

/** How stale `seen_at` may be: each session writes it at most once per interval. */
const SEEN_EVERY_MS = 60_000;

export type SessionService = ReturnType<typeof sessionService>;

/**
 * @param deps.lifetimeMs how long an idle session lasts
 * @param deps.longestMs the longest lifetime of a session, even in use
 * @param deps.confirmationMs how long an entered password counts for sensitive operations
 * @param deps.secure whether the public address uses HTTPS
 */
export function sessionService(deps: {
  db: Database;
  clock: Clock;
  lifetimeMs: number;
  longestMs: number;
  confirmationMs: number;
  secure: () => boolean;
  onEnd: TellSessionsEnded;
}) {
  const { db, clock, lifetimeMs, longestMs, confirmationMs, secure, onEnd } = deps;
  // A session in use must not expire because `seen_at` is stale.
  const seenEveryMs = Math.min(SEEN_EVERY_MS, lifetimeMs / 4);
  const endOf = (createdAt: number, now: number) => Math.min(now + lifetimeMs, createdAt + longestMs);
  const jar: CookieJar = { base: 'parley_session', secure };

  /**
   * Ends the session whose cookie came with the request: its browser forgets it.
   * @returns the token for the cookie @throws NotAuthorized when the account is closed
   */
  async function begin(tx: Tx, userId: string, request: FastifyRequest): Promise<string> {
    const token = randomToken();
    const now = clock();
    const session: SessionRow = {
      id: newId(),
      user_id: userId,
      token_hash: hashToken(token),
      user_agent: (request.headers['user-agent'] ?? '').slice(0, 300),
      address: request.ip,
      created_at: now,
      seen_at: now,
      expires_at: endOf(now, now),
      confirmed_at: now,
    };
    // First, because it locks the account: an account that is being closed gets no session.
    if (!(await lockActiveUser.first(tx, { id: userId }))) throw new NotAuthorized();
    const former = tokenIn(request);
    if (former) await deleteSessionOf.run(tx, { tokenHash: hashToken(former) });
    await insertSession.run(tx, session);
    return token;
  }

  function setCookie(reply: FastifyReply, token: string): void {
    reply.setCookie(cookieName(jar), token, { ...cookieOptions(jar), maxAge: Math.ceil(longestMs / 1000) });
  }

  const clearCookie = (reply: FastifyReply) => reply.clearCookie(cookieName(jar), cookieOptions(jar));

  const findSession = loadTogether(
    (tokenHashes) => findSessions.all(db, { tokenHashes, now: clock() }),
    ({ token_hash }) => token_hash,
  );

  /** A cookie with a wrong signature costs no look-up. */
  function tokenIn(request: FastifyRequest): string | undefined {
    const cookie = request.cookies[cookieName(jar)];
    const unsigned = cookie === undefined ? undefined : request.unsignCookie(cookie);
    return unsigned?.valid ? unsigned.value : undefined;
  }

  async function authenticate(request: FastifyRequest): Promise<UserPrincipal | undefined> {
    const token = tokenIn(request);
    if (token === undefined) return undefined;
    const now = clock();
    const session = await findSession(hashToken(token));
    if (!session) return undefined;
    if (now - session.seen_at > seenEveryMs) await touch(session.id, now, endOf(session.created_at, now));
    return {
      userId: session.user_id,
      sessionId: session.id,
      superuser: session.superuser === 1,
      confirmed: isConfirmed(session),
    };
  }

  const touch = (id: string, now: number, expiresAt: number) =>
    db.write((tx) => extendSession.run(tx, { id, now, expiresAt }));

  const list = (userId: string) => listSessions.all(db, { userId, now: clock() });

  /** @returns when those among these sessions end that are good, as far as is known now */
  async function ends(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await listGood.all(db, { ids, now: clock() });
    return new Map(rows.map(({ id, expires_at }) => [id, expires_at]));
  }

  /** @throws NotFound when it is not a session of this user */
  async function end(tx: Tx, userId: string, id: string): Promise<void> {
    await lookUp(id, (known) => deleteSession.first(tx, { id: known, userId }));
    await onEnd(tx, userId);
  }

  const isConfirmed = (session: Pick<SessionRow, 'confirmed_at'>) =>
    clock() - session.confirmed_at <= confirmationMs;

  /**
   * Records that the password was entered in this session, and replaces its token: a copy of the old cookie gains nothing.
   * @returns the token for the cookie; undefined when a concurrent request has replaced it
   */
  async function confirm(tx: Tx, id: string, request: FastifyRequest): Promise<string | undefined> {
    const token = randomToken();
    const tokenHash = hashToken(tokenIn(request) ?? '');
    const row = await confirmSession.first(tx, { id, now: clock(), tokenHash, newHash: hashToken(token) });
    return row && token;
  }

  const endAll = sessionEnding(onEnd);

  return { begin, confirm, isConfirmed, setCookie, clearCookie, authenticate, list, ends, end, endAll };
}
