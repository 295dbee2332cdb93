import { deletion, insertion, statement } from '#schema';
import type { PageOfUser } from '../../../stewardship/exports/index.ts';

export const insertBlock = insertion('blocked_applications')(
  ['user_id', 'application_id', 'created_at'],
  () => 'ON CONFLICT DO NOTHING',
);

export const deleteBlock = statement<{ userId: string; applicationId: string }>()((q, p) =>
  q
    .deleteFrom('blocked_applications')
    .where('user_id', '=', p.userId)
    .where('application_id', '=', p.applicationId),
);

export const findBlock = statement<{ userId: string; applicationId: string }>()((q, p) =>
  q
    .selectFrom('blocked_applications')
    .select('created_at')
    .where('user_id', '=', p.userId)
    .where('application_id', '=', p.applicationId),
);

export const listBlocks = statement<{ userId: string }>()((q, p) =>
  q
    .selectFrom('blocked_applications')
    .innerJoin('applications', 'applications.id', 'blocked_applications.application_id')
    .select(['applications.id', 'applications.name', 'applications.icon', 'blocked_applications.created_at'])
    .where('blocked_applications.user_id', '=', p.userId)
    .orderBy('applications.id'),
);

export const pageOfBlocks = statement<PageOfUser>()((q, p) =>
  q
    .selectFrom('blocked_applications')
    .selectAll()
    .where('user_id', '=', p.userId)
    .where('application_id', '>', p.after)
    .orderBy('application_id')
    .limit(p.limit),
);

export const forgetBlocks = deletion('blocked_applications')<{ userId: string }>((rows, p) =>
  rows.where('user_id', '=', p.userId),
);

/** No row for one who is not in the team, whose team is deleted, or whose account does not work. */
export const findMemberWithAccount = statement<{ userId: string; teamId: string }>()((q, p) =>
  q
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .innerJoin('teams', 'teams.id', 'memberships.team_id')
    .select('memberships.user_id')
    .where('memberships.user_id', '=', p.userId)
    .where('memberships.team_id', '=', p.teamId)
    .where('users.active', '=', 1)
    .where('teams.active', '=', 1),
);

/** An application that a team of the person has, or had: of all others, nobody learns that they exist. */
export const findBlockable = statement<{ id: string; userId: string }>()((q, p) =>
  q
    .selectFrom('installations')
    .innerJoin('memberships', 'memberships.team_id', 'installations.team_id')
    .select('installations.application_id')
    .where('installations.application_id', '=', p.id)
    .where('memberships.user_id', '=', p.userId)
    .limit(1),
);
