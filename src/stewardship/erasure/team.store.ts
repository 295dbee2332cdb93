import { sql } from 'kysely';
import { type Change, type IdList, idList, inIdList, type Tx } from '#platform/db/index.ts';
import { statement } from '#schema';

interface PageOfTeam {
  teamId: string;
  after: string;
  limit: number;
}

/** What opens a conversation. */
export const pageOfStream = statement<PageOfTeam>()((q, p) =>
  q
    .selectFrom('messages')
    .select('id')
    .where('team_id', '=', p.teamId)
    .where('seq', 'is not', null)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

/** Replies and sidebars, which have no place in the team's stream. */
export const pageBesideStream = statement<PageOfTeam>()((q, p) =>
  q
    .selectFrom('messages')
    .select('id')
    .where('team_id', '=', p.teamId)
    .where('seq', 'is', null)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

export const pageOfObjects = statement<PageOfTeam>()((q, p) =>
  q
    .selectFrom('objects')
    .select('id')
    .where('team_id', '=', p.teamId)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

export const pageOfTeamDeliveries = statement<PageOfTeam>()((q, p) =>
  q
    .selectFrom('deliveries')
    .select('id')
    .where('team_id', '=', p.teamId)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

interface OfMembers {
  teamId: string;
  userIds: IdList;
}

const ofMembers = (deletion: Change<OfMembers>) => (tx: Tx, teamId: string, userIds: readonly string[]) =>
  deletion.run(tx, { teamId, userIds: idList(tx.dialect, userIds) });

export const deleteMarks = ofMembers(
  statement<OfMembers>()((q, p, dialect) =>
    q
      .deleteFrom('read_marks')
      .where(inIdList(dialect, 'user_id', p.userIds))
      .where('team_id', '=', p.teamId),
  ),
);

/** What any user decided about some messages, or has read of them. */
export const deleteStatesAbout = statement<{ ids: IdList }>()((q, p, dialect) =>
  q.deleteFrom('message_states').where(inIdList(dialect, 'message_id', p.ids)),
);

export const deleteNotifications = ofMembers(
  statement<OfMembers>()((q, p, dialect) =>
    q
      .deleteFrom('mail_notifications')
      .where(inIdList(dialect, 'user_id', p.userIds))
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('messages')
            .select('messages.id')
            .whereRef('messages.id', '=', 'mail_notifications.message_id')
            .where('messages.team_id', '=', p.teamId),
        ),
      ),
  ),
);

export const deleteMemberships = ofMembers(
  statement<OfMembers>()((q, p, dialect) =>
    q
      .deleteFrom('memberships')
      .where('team_id', '=', p.teamId)
      .where(inIdList(dialect, 'user_id', p.userIds)),
  ),
);

export const emptyObjects = statement<{ ids: IdList; now: number }>()((q, p, dialect) =>
  q
    .updateTable('objects')
    .set({ type: '', name: '', url: '', deleted_at: sql<number>`coalesce(deleted_at, ${p.now})` })
    .where(inIdList(dialect, 'id', p.ids)),
);

export const emptyDeliveries = statement<{ ids: IdList }>()((q, p, dialect) =>
  q
    .updateTable('deliveries')
    .set({ body_json: '{}' })
    .where(inIdList(dialect, 'id', p.ids)),
);

export const forgetResponsesOf = statement<{ ids: IdList }>()((q, p, dialect) =>
  q
    .updateTable('delivery_attempts')
    .set({ response_headers_json: null, response_body: null })
    .where(inIdList(dialect, 'delivery_id', p.ids)),
);

export const deleteInvitationMails = statement<{ teamId: string }>()((q, p) =>
  q.deleteFrom('invitation_mails').where('team_id', '=', p.teamId),
);

export const deleteInvitations = statement<{ teamId: string }>()((q, p) =>
  q.deleteFrom('invitations').where('team_id', '=', p.teamId),
);

export const blankTeam = statement<{ teamId: string; now: number }>()((q, p) =>
  q
    .updateTable('teams')
    .set({ name: 'Deleted team', icon: '', num_members: 0, erased_at: p.now })
    .where('id', '=', p.teamId),
);
