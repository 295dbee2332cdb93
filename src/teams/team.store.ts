import { type Kysely, sql } from 'kysely';
import {
  columnsOf,
  type Dialect,
  inIdList,
  locked,
  packing,
  type Reader,
  type Tx,
} from '#platform/db/index.ts';
import type { Tables } from '#schema';
import { type MembershipRow, query, statement, type TeamRow } from '#schema';
import {
  isInTeam,
  type PersonRow,
  type SummaryRow,
  summaryColumns,
  summaryFields,
  whereaboutsColumns,
} from '../people/users/index.ts';
import type { PageOfUser } from '../stewardship/exports/index.ts';

/**
 * The number of unread messages: the distance from the cursor to the newest message, less what was read in subjects alone,
 * corrected for exceptions to the cursors and for deleted messages.
 */
const unreadCount = sql<number>`teams.message_seq - memberships.read_seq - memberships.subjects_read + coalesce((
  SELECT sum(CASE WHEN read_marks.is_read = 1 THEN -1 ELSE 1 END) FROM read_marks
  WHERE read_marks.user_id = memberships.user_id AND read_marks.team_id = memberships.team_id), 0)
  - CASE WHEN teams.message_seq = memberships.read_seq THEN 0 ELSE (
    SELECT count(*) FROM messages WHERE messages.team_id = memberships.team_id
    AND messages.seq > memberships.read_seq AND messages.seq IS NOT NULL AND messages.deleted_at IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM read_marks AS mark WHERE mark.user_id = memberships.user_id
      AND mark.team_id = messages.team_id AND mark.seq = messages.seq)
    AND (messages.subject_id IS NULL OR NOT EXISTS (SELECT 1 FROM subject_cursors
      WHERE subject_cursors.user_id = memberships.user_id AND subject_cursors.team_id = messages.team_id
      AND subject_cursors.subject_id = messages.subject_id AND subject_cursors.read_seq >= messages.seq))) END`;

export interface TeamView extends TeamRow {
  membership_type: number;
  unread_count: number;
}

/** A team as one of its members sees it; no row for anybody else, and none for a deleted team. */
export const findTeamOf = statement<{ teamId: string; userId: string }>()((q, p) =>
  q
    .selectFrom('memberships')
    .innerJoin('teams', 'teams.id', 'memberships.team_id')
    .selectAll('teams')
    .select('memberships.membership_type')
    .select(unreadCount.as('unread_count'))
    .where('memberships.team_id', '=', p.teamId)
    .where('memberships.user_id', '=', p.userId)
    .where('teams.active', '=', 1),
);

/** A team as an application sees it that it has installed: nothing is unread to it. */
export const findTeamItself = statement<{ teamId: string }>()((q, p) =>
  q
    .selectFrom('teams')
    .selectAll()
    .select(sql<number>`0`.as('unread_count'))
    .where('id', '=', p.teamId)
    .where('active', '=', 1),
);

export const insertTeam = statement<Omit<TeamRow, 'deleted_at' | 'erasing' | 'erased_at'>>()((q, p) =>
  q.insertInto('teams').values({
    id: p.id,
    name: p.name,
    color: p.color,
    icon: p.icon,
    description: p.description,
    is_open: p.is_open,
    programs_notify: p.programs_notify,
    link_previews: p.link_previews,
    num_members: p.num_members,
    active: p.active,
    message_seq: p.message_seq,
    created_at: p.created_at,
    updated_at: p.updated_at,
    erasing: 0,
  }),
);

/** Also what makes two changes of one team's members wait for each other. */
export const updateTeam = statement<
  Pick<
    TeamRow,
    | 'id'
    | 'name'
    | 'color'
    | 'icon'
    | 'description'
    | 'is_open'
    | 'programs_notify'
    | 'link_previews'
    | 'updated_at'
  >
>()((q, p) =>
  q
    .updateTable('teams')
    .set({
      name: p.name,
      color: p.color,
      icon: p.icon,
      description: p.description,
      is_open: p.is_open,
      programs_notify: p.programs_notify,
      link_previews: p.link_previews,
      updated_at: p.updated_at,
    })
    .where('id', '=', p.id),
);

/** Open teams, each with the time of the newest message of its stream. */
export const pageOfOpenTeams = statement<{ userId: string; before: string; limit: number }>()((q, p) =>
  q
    .selectFrom('teams')
    .leftJoin('memberships', (join) =>
      join.onRef('memberships.team_id', '=', 'teams.id').on('memberships.user_id', '=', p.userId),
    )
    .leftJoin('messages', (join) =>
      join.onRef('messages.team_id', '=', 'teams.id').onRef('messages.seq', '=', 'teams.message_seq'),
    )
    .select(['teams.id', 'teams.name', 'teams.description', 'teams.color', 'teams.icon', 'teams.num_members'])
    .select('messages.created_at as last_message_at')
    .select(sql<number>`CASE WHEN memberships.user_id IS NULL THEN 0 ELSE 1 END`.as('is_member'))
    .where('teams.is_open', '=', sql.lit(1))
    .where('teams.active', '=', 1)
    .where('teams.id', '<', p.before)
    .orderBy('teams.id', 'desc')
    .limit(p.limit),
);

/** Deactivates an active team. Of concurrent callers, only one gets a row. */
export const closeTeam = statement<{ id: string; now: number }>()((q, p) =>
  q
    .updateTable('teams')
    .set({ active: 0, deleted_at: p.now, updated_at: p.now })
    .where('id', '=', p.id)
    .where('active', '=', 1)
    .returning('id'),
);

/** Gives no row for a team that was not deleted, or whose erasing has begun. */
export const reopenTeam = statement<{ id: string; now: number }>()((q, p) =>
  q
    .updateTable('teams')
    .set({ active: 1, deleted_at: null, updated_at: p.now })
    .where('id', '=', p.id)
    .where('active', '=', 0)
    .where('erasing', '=', 0)
    .returning('id'),
);

/** The team as it is now; two changes of its members wait for each other. */
export const lockTeam = statement<{ id: string }>()((q, p, dialect) => {
  const found = q.selectFrom('teams').selectAll().where('id', '=', p.id);
  return locked(dialect, found, 'no key update');
});

/** As `lockTeam`, some teams, and those that let somebody in once their address is proved. */
export const lockTeamsToJoin = statement<{
  ids: readonly string[];
  userId: string;
  emailKey: string;
  domain: string;
}>()((q, p, dialect) => {
  const letIn = q
    .selectFrom('waiting_joins')
    .select('team_id')
    .where('user_id', '=', p.userId)
    .unionAll(q.selectFrom('domain_rules').select('team_id').where('domain', '=', p.domain))
    .unionAll(q.selectFrom('invitations').select('team_id').where('email_key', '=', p.emailKey))
    // Beside them: a condition of its own, joined by OR, would go through all teams.
    .unionAll(
      q
        .selectFrom('teams')
        .select('id as team_id')
        .where(inIdList(dialect, 'id', p.ids)),
    );
  const found = q.selectFrom('teams').select('id').where('id', 'in', letIn).orderBy('id');
  return locked(dialect, found, 'no key update');
});

/** A page of the teams of one user, also deleted ones. */
const pageOfTeamsOf = statement<{ userId: string; after: string; limit: number }>()((q, p) =>
  q
    .selectFrom('memberships')
    .select('team_id')
    .where('user_id', '=', p.userId)
    .where('team_id', '>', p.after)
    .orderBy('team_id')
    .limit(p.limit),
);

/** The teams of a person, for work in steps. */
export const ofPerson = {
  page: (tx: Tx, userId: string, after: string, limit: number) =>
    pageOfTeamsOf.all(tx, { userId, after, limit }),
  idOf: ({ team_id }: { team_id: string }) => team_id,
};

/** As `lockTeam`, all of one user's: one statement, since a loop would keep others out of the first ones until its end. */
export const lockTeamsOf = statement<{ userId: string }>()((q, p, dialect) => {
  const own = q.selectFrom('memberships').select('team_id').where('user_id', '=', p.userId);
  const found = q.selectFrom('teams').select('id').where('id', 'in', own).orderBy('id');
  return locked(dialect, found, 'no key update');
});

/** Teams with other members, of which a user is the last admin whose account works. */
export const listLedAlone = statement<{ userId: string; limit: number }>()((q, p) =>
  q
    .selectFrom('memberships as own')
    .innerJoin('teams', 'teams.id', 'own.team_id')
    .select(['teams.id', 'teams.name'])
    .where('own.user_id', '=', p.userId)
    .where('own.membership_type', '=', 1)
    .where('teams.active', '=', 1)
    .where('teams.num_members', '>', 1)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('memberships as others')
            .innerJoin('users', 'users.id', 'others.user_id')
            .select('others.user_id')
            .whereRef('others.team_id', '=', 'own.team_id')
            .where('others.user_id', '!=', p.userId)
            .where('others.membership_type', '=', 1)
            .where('users.active', '=', 1),
        ),
      ),
    )
    .orderBy('teams.id')
    .limit(p.limit),
);

/** Makes a user whose account is deleted lead no team any more. */
export const endLeading = statement<{ userId: string; now: number }>()((q, p) =>
  q
    .updateTable('memberships')
    .set({ membership_type: 2, updated_at: p.now })
    .where('user_id', '=', p.userId)
    .where('membership_type', '=', 1),
);

/** The admin with the oldest account that works. */
export const findWorkingAdmin = statement<{ teamId: string }>()((q, p) =>
  q
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select('memberships.user_id')
    .where('team_id', '=', p.teamId)
    .where('membership_type', '=', 1)
    .where('users.active', '=', 1)
    .orderBy('memberships.user_id')
    .limit(1),
);

/** Somebody in a team whose account is not deleted. Without anybody, the team is closed in a moment. */
export const findHolder = statement<{ teamId: string }>()((q, p) =>
  q
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select('memberships.user_id')
    .where('team_id', '=', p.teamId)
    .where('users.deleted_at', 'is', null)
    .limit(1),
);

/** Every team of the server, the newest first. */
export function listTeams(
  db: Reader,
  filter: { active: boolean | undefined; before: string | undefined; limit: number },
): Promise<(TeamRow & { has_admin: number })[]> {
  return query(db, (q) => {
    let found = q
      .selectFrom('teams')
      .selectAll()
      .select(
        // No EXISTS, of which PostgreSQL may make a list of all teams that have one.
        sql<number>`coalesce((SELECT 1 FROM memberships JOIN users ON users.id = memberships.user_id
          WHERE memberships.team_id = teams.id AND membership_type = 1 AND users.active = 1 LIMIT 1), 0)`.as(
          'has_admin',
        ),
      );
    if (filter.active !== undefined) found = found.where('active', '=', Number(filter.active));
    if (filter.before !== undefined) found = found.where('id', '<', filter.before);
    return found.orderBy('id', 'desc').limit(filter.limit);
  });
}

export const changeNumMembers = statement<{ id: string; by: number; now: number }>()((q, p) =>
  q
    .updateTable('teams')
    .set((eb) => ({ num_members: eb('num_members', '+', p.by), updated_at: p.now }))
    .where('id', '=', p.id),
);

/** A new member starts with all earlier messages read. Returns no row for an existing member. */
export const insertMembership = statement<
  Omit<MembershipRow, 'is_muted' | 'is_favorite' | 'read_seq' | 'all_read_up_to' | 'subjects_read'>
>()((q, p) =>
  q
    .insertInto('memberships')
    .values((eb) => ({
      team_id: p.team_id,
      user_id: p.user_id,
      membership_type: p.membership_type,
      is_muted: 0,
      is_favorite: 0,
      inviter_id: p.inviter_id,
      read_seq: eb.selectFrom('teams').select('message_seq').where('id', '=', p.team_id),
      subjects_read: 0,
      all_read_up_to: eb.selectFrom('messages').select('id').orderBy('id', 'desc').limit(1),
      created_at: p.created_at,
      updated_at: p.updated_at,
    }))
    .onConflict((conflict) => conflict.columns(['team_id', 'user_id']).doNothing())
    .returning('user_id'),
);

export const updateRole = statement<
  Pick<MembershipRow, 'team_id' | 'user_id' | 'membership_type' | 'updated_at'>
>()((q, p) =>
  q
    .updateTable('memberships')
    .set({ membership_type: p.membership_type, updated_at: p.updated_at })
    .where('team_id', '=', p.team_id)
    .where('user_id', '=', p.user_id),
);

/**
 * Null leaves a flag unchanged, so that concurrent changes do not undo each other. The role has its own statement for
 * the same reason.
 */
export const updateFlags = statement<
  Pick<MembershipRow, 'team_id' | 'user_id' | 'updated_at'> & {
    is_muted: number | null;
    is_favorite: number | null;
  }
>()((q, p) =>
  q
    .updateTable('memberships')
    .set({
      is_muted: sql<number>`coalesce(${p.is_muted}, is_muted)`,
      is_favorite: sql<number>`coalesce(${p.is_favorite}, is_favorite)`,
      updated_at: p.updated_at,
    })
    .where('team_id', '=', p.team_id)
    .where('user_id', '=', p.user_id),
);

/** Ends the mute of a team. */
export const unmuteTeam = statement<{ teamId: string; userId: string; now: number }>()((q, p) =>
  q
    .updateTable('memberships')
    .set({ is_muted: 0, updated_at: p.now })
    .where('team_id', '=', p.teamId)
    .where('user_id', '=', p.userId),
);

export const deleteMembership = statement<{ teamId: string; userId: string }>()((q, p) =>
  q
    .deleteFrom('memberships')
    .where('team_id', '=', p.teamId)
    .where('user_id', '=', p.userId)
    .returning('membership_type'),
);

/** Returns a row if another active account leads the team. */
export const findOtherAdmin = statement<{ teamId: string; userId: string }>()((q, p) =>
  q
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select('memberships.user_id')
    .where('team_id', '=', p.teamId)
    .where('user_id', '!=', p.userId)
    .where('membership_type', '=', 1)
    .where('users.active', '=', 1)
    .limit(1),
);

/** A membership with its user and its inviter, flat. The prefix names the owner of a column. */
export type MemberRow = MembershipRow &
  SummaryRow &
  PersonRow & {
    inviter_first_name: string | null;
    inviter_last_name: string | null;
    inviter_username: string | null;
    inviter_title: string | null;
    inviter_active: number | null;
    inviter_email: string | null;
    inviter_image_version: string | null;
    inviter_online_until: number | null;
  };

function membersQuery(q: Kysely<Tables>) {
  return q
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .leftJoin('users as inviter', 'inviter.id', 'memberships.inviter_id')
    .selectAll('memberships')
    .select([
      'users.id',
      'users.first_name',
      'users.last_name',
      'users.username',
      'users.title',
      'users.active',
      'users.email',
      'users.image_version',
      'users.online_until',
      'users.status_json',
      'users.do_not_disturb_until',
      'inviter.first_name as inviter_first_name',
      'inviter.last_name as inviter_last_name',
      'inviter.username as inviter_username',
      'inviter.title as inviter_title',
      'inviter.active as inviter_active',
      'inviter.email as inviter_email',
      'inviter.image_version as inviter_image_version',
    ])
    .select(
      whereaboutsColumns(
        'inviter',
        isInTeam(sql.ref('memberships.team_id'), sql.ref('inviter.id')),
      ).online_until.as('inviter_online_until'),
    );
}

/** All members of a team, in the order of their ids. */
export const listMembers = statement<{ teamId: string }>()((q, p) =>
  membersQuery(q).where('memberships.team_id', '=', p.teamId).orderBy('memberships.user_id'),
);

const membershipFields = [
  'membership_type',
  'is_muted',
  'is_favorite',
  'created_at',
  'updated_at',
] as const satisfies (keyof MembershipRow)[];

/** A membership and its user, as everybody in the team sees them. */
export type MemberContent = Pick<MembershipRow, (typeof membershipFields)[number]> & PersonRow;

const content = packing<MemberContent>(...membershipFields, ...summaryFields);

export const unpackMember = content.unpack;

interface InTeam {
  readonly teamId: string;
  /** For who is online. */
  readonly now: number;
}

const packedMembers = (q: Kysely<Tables>, { teamId, now }: InTeam, dialect: Dialect) =>
  q
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['memberships.user_id', 'memberships.inviter_id'])
    .select(
      content
        .pack(dialect, {
          ...summaryColumns('users', now),
          ...columnsOf('memberships', membershipFields),
        })
        .as('packed'),
    )
    .where('memberships.team_id', '=', teamId)
    .orderBy('memberships.user_id');

/** All members of a team, packed, in the order of their ids. */
export const listPackedMembers = statement<InTeam>()(packedMembers);

export const pageOfPackedMembers = statement<InTeam & { after: string; limit: number }>()((q, p, dialect) =>
  packedMembers(q, p, dialect).where('memberships.user_id', '>', p.after).limit(p.limit),
);

/** Ids only, for work on teams of any size in batches. */
export const listMemberIds = statement<{ teamId: string; after: string; limit: number }>()((q, p) =>
  q
    .selectFrom('memberships')
    .select('user_id as id')
    .where('team_id', '=', p.teamId)
    .where('user_id', '>', p.after)
    .orderBy('user_id')
    .limit(p.limit),
);

export const findMember = statement<{ teamId: string; userId: string }>()((q, p) =>
  membersQuery(q).where('memberships.team_id', '=', p.teamId).where('memberships.user_id', '=', p.userId),
);

/** Locks a membership until the end of the transaction. */
export const lockMembership = statement<{ teamId: string; userId: string }>()((q, p, dialect) => {
  const found = q
    .selectFrom('memberships')
    .select('membership_type')
    .where('team_id', '=', p.teamId)
    .where('user_id', '=', p.userId);
  return locked(dialect, found, 'share');
});

/** How somebody is a member, in a list of their own teams. */
export type StandingContent = Pick<MembershipRow, (typeof membershipFields)[number]>;

const standingContent = packing<StandingContent>(...membershipFields);
export const unpackStanding = standingContent.unpack;

const teamFields = [
  'id',
  'name',
  'color',
  'icon',
  'description',
  'is_open',
  'programs_notify',
  'link_previews',
  'num_members',
  'active',
  'created_at',
  'updated_at',
] as const satisfies (keyof TeamRow)[];

/** A team, as a member sees it who has as many unread messages. */
export type TeamContent = Pick<TeamRow, (typeof teamFields)[number]> & { unread_count: number };

const teamContent = packing<TeamContent>(...teamFields, 'unread_count');
export const unpackTeam = teamContent.unpack;

/** All memberships of one user in teams that exist, packed. */
export const listOwnMemberships = statement<{ userId: string }>()((q, p, dialect) =>
  q
    .selectFrom('memberships')
    .innerJoin('teams', 'teams.id', 'memberships.team_id')
    .select(['memberships.team_id', 'memberships.inviter_id'])
    .select([
      standingContent.pack(dialect, columnsOf('memberships', membershipFields)).as('standing'),
      teamContent.pack(dialect, { ...columnsOf('teams', teamFields), unread_count: unreadCount }).as('team'),
    ])
    .where('memberships.user_id', '=', p.userId)
    .where('teams.active', '=', 1)
    .orderBy('memberships.team_id'),
);

/** The unread count of each team of some users, as a part of another query. */
export const unreadOfTeams = (q: Kysely<Tables>, userIds: readonly string[], dialect: Dialect) =>
  q
    .selectFrom('memberships')
    .innerJoin('teams', 'teams.id', 'memberships.team_id')
    .select(['memberships.user_id', sql<string>`'team'`.as('kind')])
    .select([sql<string>`CAST(teams.id AS text)`.as('team_id'), unreadCount.as('unread_count')])
    .where(inIdList(dialect, 'memberships.user_id', userIds))
    .where('teams.active', '=', 1);

/** A user's read cursor in each of their teams. */
export const listCursors = statement<{ userId: string }>()((q, p) =>
  q
    .selectFrom('memberships')
    .innerJoin('teams', 'teams.id', 'memberships.team_id')
    .select(['memberships.team_id', 'memberships.read_seq', 'teams.message_seq', 'teams.num_members'])
    .where('memberships.user_id', '=', p.userId)
    .where('teams.active', '=', 1),
);

/** The ids of a user's teams, as a part of another query. */
export const teamsOf = (q: Kysely<Tables>, userId: string) =>
  q
    .selectFrom('memberships')
    .innerJoin('teams', 'teams.id', 'memberships.team_id')
    .select('memberships.team_id')
    .where('memberships.user_id', '=', userId)
    .where('teams.active', '=', 1);

/** A membership with its team, also a deleted one. */
export type MembershipWithTeam = MembershipRow & { team_name: string; team_active: number };

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
