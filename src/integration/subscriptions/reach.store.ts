import { type Expression, type Kysely, sql } from 'kysely';
import { inIdList } from '#platform/db/index.ts';
import { statement, type Tables } from '#schema';
import { isAwake } from '../applications/index.ts';

interface Asked {
  readonly applicationId: string;
  readonly since: number;
}

const reachOf = (q: Kysely<Tables>, p: Asked, application: Expression<string>) =>
  q
    .selectFrom('installations')
    .innerJoin('applications', 'applications.id', 'installations.application_id')
    .innerJoin('teams', 'teams.id', 'installations.team_id')
    .select([
      'installations.id',
      'installations.team_id',
      'installations.created_at',
      'installations.scopes_json as granted_json',
      'applications.scopes_json as asked_json',
      'installations.link_prefixes_json as decided_links_json',
      'applications.link_prefixes_json as asked_links_json',
      'applications.name',
      'applications.author_id',
      // One that ended while it slept keeps no later one from being heard of.
      sql<number>`CASE WHEN (installations.status <> 'active' OR installations.asleep_since IS NULL) AND ${isAwake()} THEN 1 ELSE 0 END`.as(
        'is_awake',
      ),
      sql<number>`CASE WHEN installations.status = 'active' AND teams.active = 1 THEN 1 ELSE 0 END`.as(
        'is_active',
      ),
    ])
    .where(application, '=', p.applicationId)
    .where('applications.active', '=', 1)
    .where((eb) =>
      eb.or([
        eb('installations.status', '=', 'active'),
        eb.and([eb('installations.status', '=', 'removed'), eb('installations.updated_at', '>=', p.since)]),
      ]),
    );

/** The installations that an application has now, and those that ended since a time. */
export const listReach = statement<Asked>()((q, p) => reachOf(q, p, sql.ref('installations.application_id')));

/**
 * The same in some teams. `+` keeps SQLite from the index of the application's installations, all of which it would read,
 * to that of a team's.
 */
export const listReachIn = statement<Asked & { teamIds: readonly string[] }>()((q, p, dialect) => {
  const application = dialect === 'sqlite' ? sql<string>`+installations.application_id` : undefined;
  const reach = reachOf(q, p, application ?? sql.ref('installations.application_id'));
  return reach.where(inIdList(dialect, 'installations.team_id', p.teamIds));
});

/** How the members of some teams are. Somebody who is in one no more is left out. */
export const listMembersNow = statement<{ teamIds: readonly string[]; userIds: readonly string[] }>()(
  (q, p, dialect) =>
    q
      .selectFrom('memberships')
      .innerJoin('users', 'users.id', 'memberships.user_id')
      .select([
        'memberships.team_id',
        'memberships.user_id',
        'users.status_json',
        'users.status_until',
        'users.do_not_disturb_until',
      ])
      .where(inIdList(dialect, 'memberships.team_id', p.teamIds))
      .where(inIdList(dialect, 'memberships.user_id', p.userIds))
      .where('users.active', '=', 1),
);

/** Those among some teams in which an application that is installed has subscribed to a kind. */
export const listTeamsHearing = statement<{ teamIds: readonly string[]; kind: string }>()((q, p, dialect) =>
  q
    .selectFrom('installations')
    .innerJoin('event_subscriptions', 'event_subscriptions.application_id', 'installations.application_id')
    .select('installations.team_id')
    .distinct()
    .where(inIdList(dialect, 'installations.team_id', p.teamIds))
    .where('installations.status', '=', 'active')
    .where(sql<boolean>`event_subscriptions.kinds_json LIKE '%"' || CAST(${p.kind} AS text) || '"%'`)
    .orderBy('installations.team_id'),
);

export const listTypes = statement<{ ids: readonly string[]; applicationId: string }>()((q, p, dialect) =>
  q
    .selectFrom('objects')
    .select(['id', 'type'])
    .where(inIdList(dialect, 'id', p.ids))
    .where('application_id', '=', p.applicationId),
);
