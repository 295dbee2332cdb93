import fastifyCookie from '@fastify/cookie';
import { hashToken, randomToken } from '#platform/crypto/index.ts';
import type { Database } from '#platform/db/index.ts';
import { newId } from '#platform/ids.ts';
import { insert } from './seed.ts';

const DAY_MS = 86_400_000;

/** @returns a cookie for each user, as a `Cookie` header has it */
export async function seedSessions(db: Database, userIds: readonly string[], key: Buffer): Promise<string[]> {
  const now = Date.now();
  const cookies: string[] = [];
  await db.write(async (tx) => {
    for (const user_id of userIds) {
      const token = randomToken();
      const who = { user_id, token_hash: hashToken(token), user_agent: '', address: '' };
      const times = { created_at: now, seen_at: now, expires_at: now + DAY_MS };
      await insert(tx, 'sessions', { id: newId(), ...who, ...times });
      cookies.push(`parley_session=${encodeURIComponent(fastifyCookie.sign(token, key.toString('base64')))}`);
    }
  });
  return cookies;
}
