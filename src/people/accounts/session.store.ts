import { inIdList, inTextList } from '#platform/db/index.ts';
import { deletion, type SessionRow, statement } from '#schema';

export const insertSession = statement<SessionRow>()((q, p) =>
  q.insertInto('sessions').values({
    id: p.id,
    user_id: p.user_id,
    token_hash: p.token_hash,
    user_agent: p.user_agent,
    address: p.address,
    created_at: p.created_at,
    seen_at: p.seen_at,
    expires_at: p.expires_at,
    confirmed_at: p.confirmed_at,
  }),
);

/** Sessions of active accounts. */
export const findSessions = statement<{ tokenHashes: readonly string[]; now: number }>()((q, p, dialect) =>
  q
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.id',
      'sessions.token_hash',
      'sessions.user_id',
      'sessions.created_at',
      'sessions.seen_at',
      'sessions.confirmed_at',
      'users.superuser',
    ])
    .where(inTextList(dialect, 'sessions.token_hash', p.tokenHashes))
    .where('sessions.expires_at', '>', p.now)
    .where('users.active', '=', 1),
);

export const listSessions = statement<{ userId: string; now: number }>()((q, p) =>
  q
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', p.userId)
    .where('expires_at', '>', p.now)
    .orderBy('id', 'desc')
    .limit(200),
);

/** The valid sessions among these, and when they end. */
export const listGood = statement<{ ids: readonly string[]; now: number }>()((q, p, dialect) =>
  q
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'sessions.expires_at'])
    .where(inIdList(dialect, 'sessions.id', p.ids))
    .where('sessions.expires_at', '>', p.now)
    .where('users.active', '=', 1),
);

export const extendSession = statement<{ id: string; now: number; expiresAt: number }>()((q, p) =>
  q.updateTable('sessions').set({ seen_at: p.now, expires_at: p.expiresAt }).where('id', '=', p.id),
);

/** Returns no row when another request has replaced the token, or the session has ended. */
export const confirmSession = statement<{ id: string; now: number; tokenHash: string; newHash: string }>()(
  (q, p) =>
    q
      .updateTable('sessions')
      .set({ confirmed_at: p.now, token_hash: p.newHash })
      .where('id', '=', p.id)
      .where('token_hash', '=', p.tokenHash)
      .returning('id'),
);

export const deleteSessionOf = statement<{ tokenHash: string }>()((q, p) =>
  q.deleteFrom('sessions').where('token_hash', '=', p.tokenHash),
);

export const deleteSession = statement<{ id: string; userId: string }>()((q, p) =>
  q.deleteFrom('sessions').where('id', '=', p.id).where('user_id', '=', p.userId).returning('id'),
);

/** Ends a user's other sessions; all of them when `keep` names none. */
export const deleteOtherSessions = statement<{ userId: string; keep: string }>()((q, p) =>
  q.deleteFrom('sessions').where('user_id', '=', p.userId).where('id', '!=', p.keep),
);

export const purgeSessions = deletion('sessions')<{ now: number }>((rows, p) =>
  rows.where('expires_at', '<=', p.now),
);
