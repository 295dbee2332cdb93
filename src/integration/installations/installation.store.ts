import { sql } from 'kysely';
import { locked, type Reader, type Tx } from '#platform/db/index.ts';
import { type InstallationRow, query, renewal, statement } from '#schema';
import type { PageOfUser } from '../../stewardship/exports/index.ts';

/** Returns no row if the team has the application installed, or an installation is in progress. */
export const insertPending = statement<
  Pick<
    InstallationRow,
    | 'id'
    | 'application_id'
    | 'team_id'
    | 'scopes_json'
    | 'installed_by'
    | 'created_at'
    | 'pending_until'
    | 'scope_history_json'
    | 'link_prefixes_json'
  >
>()((q, p) =>
  q
    .insertInto('installations')
    .values({
      id: p.id,
      application_id: p.application_id,
      team_id: p.team_id,
      status: 'pending',
      reason: null,
      scopes_json: p.scopes_json,
      installed_by: p.installed_by,
      created_at: p.created_at,
      updated_at: p.created_at,
      pending_until: p.pending_until,
      num_calls: 0,
      declined_json: '[]',
      scope_history_json: p.scope_history_json,
      asleep_since: null,
      woken_at: 0,
      link_prefixes_json: p.link_prefixes_json,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id'),
);

/** Settles a pending installation, once. Returns no row if it was meanwhile failed as interrupted. */
export const settlePending = statement<Pick<InstallationRow, 'id' | 'status' | 'reason' | 'updated_at'>>()(
  (q, p) =>
    q
      .updateTable('installations')
      .set({ status: p.status, reason: p.reason, updated_at: p.updated_at })
      .where('id', '=', p.id)
      .where('status', '=', 'pending')
      .returning(['application_id', 'team_id']),
);

export const renewPending = renewal('installations', { key: 'id', lease: 'pending_until' });

export const failInterrupted = statement<{ now: number; before: number }>()((q, p) =>
  q
    .updateTable('installations')
    .set({ status: 'failed', reason: 'interrupted', updated_at: p.now })
    .where('status', '=', 'pending')
    .where('pending_until', '<=', p.before)
    .returning(['id', 'application_id', 'team_id']),
);

export const findInstallation = statement<{ id: string }>()((q, p) =>
  q.selectFrom('installations').selectAll().where('id', '=', p.id),
);

/** The pending or active installation of an application on a team. */
export const findLive = statement<{ applicationId: string; teamId: string }>()((q, p) =>
  q
    .selectFrom('installations')
    .selectAll()
    .where('team_id', '=', p.teamId)
    .where('application_id', '=', p.applicationId)
    .where('status', 'in', ['pending', 'active']),
);

/** An application that is installed and exists, on a team that exists. */
export const findActive = statement<{ applicationId: string; teamId: string }>()((q, p) =>
  q
    .selectFrom('installations')
    .innerJoin('applications', 'applications.id', 'installations.application_id')
    .innerJoin('teams', 'teams.id', 'installations.team_id')
    .selectAll('installations')
    .where('team_id', '=', p.teamId)
    .where('application_id', '=', p.applicationId)
    .where('installations.status', '=', 'active')
    .where('applications.active', '=', 1)
    .where('teams.active', '=', 1),
);

/** Two admins who decide at once do so one after the other. */
export const lockToDecide = statement<{ id: string }>()((q, p, dialect) =>
  locked(dialect, q.selectFrom('installations').selectAll().where('id', '=', p.id), 'no key update'),
);

/**
 * Locks the active installation: a concurrent uninstallation waits, and then sees the writes of this transaction.
 * SQLite runs one write transaction at a time anyway.
 */
export const lockActive = statement<{ applicationId: string; teamId: string }>()((q, p, dialect) => {
  const found = q
    .selectFrom('installations')
    .select(['id', 'scopes_json', 'asleep_since', 'link_prefixes_json'])
    .where('team_id', '=', p.teamId)
    .where('application_id', '=', p.applicationId)
    .where('status', '=', 'active');
  return locked(dialect, found, 'share');
});

/**
 * A team's active, pending and failed installations, newest first. Leaves out removed ones and the failures before
 * them.
 */
export const listOfTeam = statement<{ teamId: string }>()((q, p) =>
  q
    .selectFrom('installations')
    .selectAll()
    .where('team_id', '=', p.teamId)
    .where('status', '!=', 'removed')
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('installations as later')
            .select('later.id')
            .where('later.team_id', '=', p.teamId)
            .whereRef('later.application_id', '=', 'installations.application_id')
            .whereRef('later.id', '>', 'installations.id')
            .where('later.status', '=', 'removed'),
        ),
      ),
    )
    .orderBy('id', 'desc')
    .limit(200),
);

export const listLiveOfTeam = statement<{ teamId: string }>()((q, p) =>
  q
    .selectFrom('installations')
    .selectAll()
    .where('team_id', '=', p.teamId)
    .where('status', 'in', ['pending', 'active']),
);

const pageOfLive = statement<{ applicationId: string; after: string; limit: number }>()((q, p) =>
  q
    .selectFrom('installations')
    .selectAll()
    .where('application_id', '=', p.applicationId)
    .where('status', 'in', ['pending', 'active'])
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

/** The installations of an application, for work in steps. */
export const ofApplication = {
  page: (tx: Tx, applicationId: string, after: string, limit: number) =>
    pageOfLive.all(tx, { applicationId, after, limit }),
  idOf: ({ id }: InstallationRow) => id,
};

/** Installations that are under way. */
export const listPending = statement<{ applicationId: string }>()((q, p) =>
  q
    .selectFrom('installations')
    .selectAll()
    .where('application_id', '=', p.applicationId)
    .where('status', '=', sql.lit('pending')),
);

/** Every installation of an application, the newest first. */
export function pageOfApplication(
  db: Reader,
  applicationId: string,
  page: { limit: number; before: string | undefined },
): Promise<(InstallationRow & { team_name: string })[]> {
  return query(db, (q) => {
    let found = q
      .selectFrom('installations')
      .innerJoin('teams', 'teams.id', 'installations.team_id')
      .selectAll('installations')
      .select('teams.name as team_name')
      .where('application_id', '=', applicationId);
    if (page.before !== undefined) found = found.where('installations.id', '<', page.before);
    return found.orderBy('installations.id', 'desc').limit(page.limit);
  });
}

/** What the team granted sleeps: the application is in other hands than it was granted to. */
/** All that an application was granted. @returns the teams that have it */
export const putToSleep = statement<{ applicationId: string; now: number }>()((q, p) =>
  q
    .updateTable('installations')
    .set({
      asleep_since: sql<number>`CASE WHEN scopes_json = '[]' THEN asleep_since ELSE CAST(${p.now} AS bigint) END`,
      updated_at: sql<number>`CASE WHEN scopes_json = '[]' THEN updated_at ELSE CAST(${p.now} AS bigint) END`,
    })
    .where('application_id', '=', p.applicationId)
    .where('status', '=', sql.lit('active'))
    .returning('team_id'),
);

/** The decision of an admin, which also wakes what sleeps. Returns no row unless it is installed. */
export const setScopes = statement<
  Pick<
    InstallationRow,
    | 'id'
    | 'scopes_json'
    | 'declined_json'
    | 'scope_history_json'
    | 'link_prefixes_json'
    | 'updated_at'
    | 'woken_at'
  >
>()((q, p) =>
  q
    .updateTable('installations')
    .set({
      scopes_json: p.scopes_json,
      declined_json: p.declined_json,
      scope_history_json: p.scope_history_json,
      link_prefixes_json: p.link_prefixes_json,
      asleep_since: null,
      woken_at: p.woken_at,
      updated_at: p.updated_at,
    })
    .where('id', '=', p.id)
    .where('status', '=', 'active')
    .returning('id'),
);

/** Of concurrent callers, only one gets a row. */
export const markRemoved = statement<{ id: string; now: number }>()((q, p) =>
  q
    .updateTable('installations')
    .set({ status: 'removed', updated_at: p.now })
    .where('id', '=', p.id)
    .where('status', '=', 'active')
    .returning('id'),
);

/** Numbers the calls about an installation. */
export const countCall = statement<{ id: string }>()((q, p) =>
  q
    .updateTable('installations')
    .set((eb) => ({ num_calls: eb('num_calls', '+', 1) }))
    .where('id', '=', p.id)
    .returning('num_calls'),
);

export const pageOfInstaller = statement<PageOfUser>()((q, p) =>
  q
    .selectFrom('installations')
    .selectAll()
    .where('installed_by', '=', p.userId)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);
