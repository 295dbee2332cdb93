import type { Reader } from '#platform/db/index.ts';
import {
  type AgreementRow,
  type MembershipRow,
  type MessageVersionRow,
  query,
  renewal,
  statement,
} from '#schema';

interface PageOfUser {
  userId: string;
  after: string;
  limit: number;
}

export type GrantView = AgreementRow & { application_name: string };
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

/** One row for each of their users; one without a user where nobody is left. */
export function findSidebars(
  db: Reader,
  ids: readonly string[],
): Promise<{ id: string; message_id: string; user_id: string | null }[]> {
  return query(db, (q) =>
    q
      .selectFrom('sidebars')
      .leftJoin('sidebar_users', 'sidebar_users.sidebar_id', 'sidebars.id')
      .select(['sidebars.id', 'sidebars.message_id', 'sidebar_users.user_id'])
      .where('sidebars.id', 'in', [...ids])
      .orderBy('sidebar_users.user_id'),
  );
}

/** What some messages said before, in the order of edits. */
export function findVersions(db: Reader, ids: readonly string[]): Promise<MessageVersionRow[]> {
  return query(db, (q) =>
    q
      .selectFrom('message_versions')
      .selectAll()
      .where('message_id', 'in', [...ids])
      .orderBy('message_id')
      .orderBy('place'),
  );
}

export const pageOfStates = statement<PageOfUser>()((q, p) =>
  q
    .selectFrom('message_states')
    .selectAll()
    .where('user_id', '=', p.userId)
    .where('message_id', '>', p.after)
    .orderBy('message_id')
    .limit(p.limit),
);

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

/** What applications may do for the user. */
export const pageOfGrants = statement<PageOfUser>()((q, p) =>
  q
    .selectFrom('agreements')
    .innerJoin('applications', 'applications.id', 'agreements.application_id')
    .selectAll('agreements')
    .select('applications.name as application_name')
    .where('agreements.user_id', '=', p.userId)
    .where('agreements.id', '>', p.after)
    .orderBy('agreements.id')
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

export const renewExport = renewal('export_leases', { key: 'user_id', lease: 'expires_at' });

export const releaseExport = statement<{ token: string; userId: string }>()((q, p) =>
  q.deleteFrom('export_leases').where('user_id', '=', p.userId).where('token', '=', p.token),
);

export const purgeExports = statement<{ now: number }>()((q, p) =>
  q.deleteFrom('export_leases').where('expires_at', '<=', p.now),
);
