import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import { type Dialect, inIdList, locked } from '#platform/db/index.ts';
import { deletion, statement, type Tables } from '#schema';
import { teamsOf } from '../../teams/index.ts';

export const findSettings = statement<{ userId: string }>()((q, p) =>
  q.selectFrom('push_settings').select('settings_json').where('user_id', '=', p.userId),
);

/** The same, locked until the end of the transaction. */
export const lockSettings = statement<{ userId: string }>()((q, p, dialect) =>
  locked(dialect, q.selectFrom('push_settings').select('settings_json').where('user_id', '=', p.userId)),
);

/** The settings of some people that name a team, locked in the order of their ids. */
export const lockNaming = statement<{ userIds: readonly string[]; teamId: string }>()((q, p, dialect) =>
  locked(
    dialect,
    q
      .selectFrom('push_settings')
      .select(['user_id', 'settings_json'])
      .where(inIdList(dialect, 'user_id', p.userIds))
      .where(sql<boolean>`settings_json LIKE '%' || CAST(${p.teamId} AS text) || '%'`)
      .orderBy('user_id'),
  ),
);

export const listOwnTeams = statement<{ userId: string }>()((q, p) => teamsOf(q, p.userId));

interface Saved {
  userId: string;
  json: string;
  wantsTeam: number;
}

export const saveSettings = statement<Saved>()((q, p) =>
  q
    .insertInto('push_settings')
    .values({ user_id: p.userId, settings_json: p.json, wants_team: p.wantsTeam })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ settings_json: p.json, wants_team: p.wantsTeam }),
    ),
);

export const deleteSettings = deletion('push_settings')<{ userId: string }>((rows, p) =>
  rows.where('user_id', '=', p.userId),
);

/** Looked up by person: from a list of all devices, SQLite would make a table for each message. */
const deviceOf = (eb: ExpressionBuilder<Tables, 'push_settings'>) =>
  eb
    .selectFrom('push_subscriptions')
    .select('push_subscriptions.id')
    .whereRef('push_subscriptions.user_id', '=', 'push_settings.user_id');

/** A person with a device who wants every message of a team. */
export const findTeamReader = statement<object>()((q) =>
  q
    .selectFrom('push_settings')
    .select('push_settings.user_id')
    .where('push_settings.wants_team', '=', 1)
    .where((eb) => eb.exists(deviceOf(eb)))
    .limit(1),
);

/** The level that the settings of a member have for the team of the membership. */
const LEVEL: Record<Dialect, ReturnType<typeof sql<string>>> = {
  sqlite: sql<string>`coalesce(
    (SELECT json_extract(value, '$.level') FROM json_each(push_settings.settings_json, '$.teams')
      WHERE json_extract(value, '$.team') = memberships.team_id),
    json_extract(push_settings.settings_json, '$.team_default'))`,
  postgres: sql<string>`coalesce(
    (SELECT one ->> 'level' FROM json_array_elements(CAST(push_settings.settings_json AS json) -> 'teams') AS one
      WHERE one ->> 'team' = CAST(memberships.team_id AS text)),
    CAST(push_settings.settings_json AS json) ->> 'team_default')`,
};

/** Members with a device who want every message of their team. */
const readersOf = (q: Kysely<Tables>, dialect: Dialect) =>
  q
    .selectFrom('memberships')
    .innerJoin('push_settings', 'push_settings.user_id', 'memberships.user_id')
    .where('memberships.is_muted', '=', 0)
    .where('push_settings.wants_team', '=', 1)
    .where(LEVEL[dialect], '=', 'all')
    .where((eb) => eb.exists(deviceOf(eb)));

/** Filters teams: the ones that have such a member. */
export const listTeamsWithReader = statement<{ teamIds: readonly string[] }>()((q, p, dialect) =>
  readersOf(q, dialect)
    .select('memberships.team_id')
    .distinct()
    .where(inIdList(dialect, 'memberships.team_id', p.teamIds)),
);

export const listTeamReaders = statement<{ teamId: string; after: string; limit: number }>()(
  (q, p, dialect) =>
    readersOf(q, dialect)
      .select('memberships.user_id as id')
      .where('memberships.team_id', '=', p.teamId)
      .where('memberships.user_id', '>', p.after)
      .orderBy('memberships.user_id')
      .limit(p.limit),
);
