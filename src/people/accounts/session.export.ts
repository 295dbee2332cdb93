import { timestamp } from '#api';
import type { Database } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { SessionRow } from '#schema';
import { type ExportPart, jsonFile } from '../../stewardship/exports/index.ts';
import { listSessions } from './session.store.ts';

export function sessionsPart(db: Database, clock: Clock): ExportPart {
  return async function* sessions({ id: userId }) {
    const rows = await listSessions.all(db, { userId, now: clock() });
    yield* jsonFile('sessions.json', rows.map(presentSession));
  };
}

function presentSession({ id, user_agent, address, created_at, seen_at, expires_at }: SessionRow) {
  return {
    id,
    user_agent,
    address,
    created_at: timestamp(created_at),
    seen_at: timestamp(seen_at),
    expires_at: timestamp(expires_at),
  };
}
