import type { Kysely } from 'kysely';
import { type Dialect, inIdList, inTextList } from '#platform/db/index.ts';
import { insertion, type PeopleGroupRow, statement, type Tables } from '#schema';

/** Gives no row where the team has a group of this name. */
export const insertGroup = statement<PeopleGroupRow>()((q, p) =>
  q
    .insertInto('people_groups')
    .values({
      id: p.id,
      team_id: p.team_id,
      name: p.name,
      name_key: p.name_key,
      created_at: p.created_at,
      updated_at: p.updated_at,
    })
    .onConflict((conflict) => conflict.columns(['team_id', 'name_key']).doNothing())
    .returning('id'),
);

export const updateGroup = statement<Pick<PeopleGroupRow, 'id' | 'name' | 'name_key' | 'updated_at'>>()(
  (q, p) =>
    q
      .updateTable('people_groups')
      .set({ name: p.name, name_key: p.name_key, updated_at: p.updated_at })
      .where('id', '=', p.id),
);

/** Its people go with it. Gives no row when the team has no such group. */
export const deleteGroup = statement<{ id: string; teamId: string }>()((q, p) =>
  q.deleteFrom('people_groups').where('id', '=', p.id).where('team_id', '=', p.teamId).returning('id'),
);

export const findGroup = statement<{ id: string; teamId: string }>()((q, p) =>
  q.selectFrom('people_groups').selectAll().where('id', '=', p.id).where('team_id', '=', p.teamId),
);

export const findGroupByName = statement<{ teamId: string; key: string }>()((q, p) =>
  q.selectFrom('people_groups').select('id').where('team_id', '=', p.teamId).where('name_key', '=', p.key),
);

export const countGroups = statement<{ teamId: string }>()((q, p) =>
  q
    .selectFrom('people_groups')
    .select((eb) => eb.fn.countAll<number>().as('groups'))
    .where('team_id', '=', p.teamId),
);

/** By name. */
export const pageOfGroups = statement<{ teamId: string; after: string; limit: number }>()((q, p) =>
  q
    .selectFrom('people_groups')
    .selectAll()
    .where('team_id', '=', p.teamId)
    .where('name_key', '>', p.after)
    .orderBy('name_key')
    .limit(p.limit),
);

export const listGroupUsers = statement<{ ids: readonly string[] }>()((q, p, dialect) =>
  q
    .selectFrom('people_group_users')
    .select(['group_id', 'user_id'])
    .where(inIdList(dialect, 'group_id', p.ids))
    .orderBy('group_id')
    .orderBy('user_id'),
);

export const insertGroupUsers = insertion('people_group_users')(['group_id', 'user_id', 'team_id']);

export const deleteGroupUsers = statement<{ groupId: string }>()((q, p) =>
  q.deleteFrom('people_group_users').where('group_id', '=', p.groupId),
);

/** Takes people who leave a team out of its groups. */
export const leaveGroups = statement<{ teamId: string; userIds: readonly string[] }>()((q, p, dialect) =>
  q
    .deleteFrom('people_group_users')
    .where('team_id', '=', p.teamId)
    .where(inIdList(dialect, 'user_id', p.userIds)),
);

export const listMembersAmong = statement<{ teamId: string; ids: readonly string[] }>()((q, p, dialect) =>
  q
    .selectFrom('memberships')
    .select('user_id as id')
    .where('team_id', '=', p.teamId)
    .where(inIdList(dialect, 'user_id', p.ids)),
);

interface Named {
  readonly teamId: string;
  /** In lower case. */
  readonly names: readonly string[];
}

/** The people in groups of a team with some names, each once. */
export const inGroups = (q: Kysely<Tables>, p: Named, dialect: Dialect) =>
  q
    .selectFrom('people_groups')
    .innerJoin('people_group_users', 'people_group_users.group_id', 'people_groups.id')
    .select('people_group_users.user_id as id')
    .distinct()
    .where('people_groups.team_id', '=', p.teamId)
    .where(inTextList(dialect, 'people_groups.name_key', p.names));

/** A page of them, by id. */
export const listInGroups = statement<Named & { after: string; limit: number }>()((q, p, dialect) =>
  inGroups(q, p, dialect)
    .where('people_group_users.user_id', '>', p.after)
    .orderBy('people_group_users.user_id')
    .limit(p.limit),
);

/** Finds which of these people are in such a group. */
export const findInGroups = statement<Named & { ids: readonly string[] }>()((q, p, dialect) =>
  inGroups(q, p, dialect).where(inIdList(dialect, 'people_group_users.user_id', p.ids)),
);
