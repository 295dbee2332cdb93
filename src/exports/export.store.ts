import type { Reader } from '#platform/db/index.ts';
import { type MembershipRow, query, statement } from '../schema/index.ts';

interface PageOfUser {
  userId: string;
  after: string;
  limit: number;
}

export type MembershipView = MembershipRow & { team_name: string; team_active: number };

export const pageOfMemberships = statement<PageOfUser>()((q, p) =>
  q
    .selectFrom('memberships')
    .innerJoin('teams', 'teams.id', 'memberships.team_id')
    .selectAll('memberships')
    .select(['teams.name as team_name', 'teams.active as team_active'])
    .where('memberships.user_id', '=', p.userId)
    .where('memberships.team_id', '>', p.after)
    .orderBy('memberships.team_id')
    .limit(p.limit),
);

export const pageOfMessages = statement<PageOfUser>()((q, p) =>
  q
    .selectFrom('messages')
    .selectAll()
    .where('author_id', '=', p.userId)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

export function usersOfSidebars(
  db: Reader,
  ids: readonly string[],
): Promise<{ sidebar_id: string; user_id: string }[]> {
  return query(db, (q) =>
    q
      .selectFrom('sidebar_users')
      .select(['sidebar_id', 'user_id'])
      .where('sidebar_id', 'in', [...ids])
      .orderBy('user_id'),
  );
}

export const pageOfHighFives = statement<PageOfUser>()((q, p) =>
  q
    .selectFrom('high_fives')
    .select(['message_id', 'created_at'])
    .where('user_id', '=', p.userId)
    .where('message_id', '>', p.after)
    .orderBy('message_id')
    .limit(p.limit),
);

export const pageOfInstallations = statement<PageOfUser>()((q, p) =>
  q
    .selectFrom('installations')
    .selectAll()
    .where('installed_by', '=', p.userId)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

/** Gives a row to one caller at a time. */
export const claimExport = statement<{ userId: string; token: string; expiresAt: number; now: number }>()(
  (q, p) =>
    q
      .insertInto('export_leases')
      .values({ user_id: p.userId, token: p.token, expires_at: p.expiresAt })
      .onConflict((conflict) =>
        conflict
          .column('user_id')
          .doUpdateSet({ token: p.token, expires_at: p.expiresAt })
          .where('export_leases.expires_at', '<=', p.now),
      )
      .returning('user_id'),
);

export const renewExport = statement<{ token: string; userId: string; expiresAt: number }>()((q, p) =>
  q
    .updateTable('export_leases')
    .set({ expires_at: p.expiresAt })
    .where('user_id', '=', p.userId)
    .where('token', '=', p.token),
);

export const releaseExport = statement<{ token: string; userId: string }>()((q, p) =>
  q.deleteFrom('export_leases').where('user_id', '=', p.userId).where('token', '=', p.token),
);

export const purgeExports = statement<{ now: number }>()((q, p) =>
  q.deleteFrom('export_leases').where('expires_at', '<=', p.now),
);
