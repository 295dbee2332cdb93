import { timestamp } from '#api';
import type { Database } from '#platform/db/index.ts';
import { findSummariesIn, type UserPresenter } from '../people/users/index.ts';
import { countJoined, listJoined } from './joined.store.ts';
import { accessTeam } from './team.access.ts';

/** The most people that an answer names. */
export const MOST_JOINED = 100;

export type JoinedService = ReturnType<typeof joinedService>;

/** Who became a member of a team, for the lines between its messages. */
export function joinedService({ db, present }: { db: Database; present: UserPresenter }) {
  /** @param of the time, in Unix seconds @throws NotFound */
  async function list(userId: string, teamId: string, of: { after?: number; before?: number }) {
    const reader = await db.forLists();
    const team = await accessTeam(reader, userId, teamId);
    const time = {
      teamId: team.id,
      after: Math.round((of.after ?? 0) * 1000),
      before: of.before === undefined ? Number.MAX_SAFE_INTEGER : Math.round(of.before * 1000),
    };
    const [rows, count] = await Promise.all([
      listJoined.all(reader, { ...time, most: MOST_JOINED }),
      countJoined.first(reader, time),
    ]);
    const ids = rows.map(({ user_id }) => user_id);
    const users = new Map(
      (await findSummariesIn(reader, team.id, ids)).map((row) => [row.id, present.summary(row)]),
    );
    const people = rows.flatMap(({ user_id, created_at }) => {
      const user = users.get(user_id);
      return user ? [{ user, joined_at: timestamp(created_at) }] : [];
    });
    return { people, total: Number(count?.people ?? 0) };
  }

  return { list };
}
