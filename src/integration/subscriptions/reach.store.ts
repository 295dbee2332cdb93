import { sql } from 'kysely';
import { inIdList } from '#platform/db/index.ts';
import { statement } from '#schema';
import { isAwake } from '../applications/index.ts';

/** The installations that an application has now, and those that ended since a time. */
export const listReach = statement<{ applicationId: string; since: number }>()((q, p) =>
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
      sql<number>`CASE WHEN installations.asleep_since IS NULL AND ${isAwake()} THEN 1 ELSE 0 END`.as(
        'is_awake',
      ),
      sql<number>`CASE WHEN installations.status = 'active' AND teams.active = 1 THEN 1 ELSE 0 END`.as(
        'is_active',
      ),
    ])
    .where('installations.application_id', '=', p.applicationId)
    .where('applications.active', '=', 1)
    .where((eb) =>
      eb.or([
        eb('installations.status', '=', 'active'),
        eb.and([eb('installations.status', '=', 'removed'), eb('installations.updated_at', '>=', p.since)]),
      ]),
    ),
);

export const listTypes = statement<{ ids: readonly string[]; applicationId: string }>()((q, p, dialect) =>
  q
    .selectFrom('objects')
    .select(['id', 'type'])
    .where(inIdList(dialect, 'id', p.ids))
    .where('application_id', '=', p.applicationId),
);
