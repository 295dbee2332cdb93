import { inIdList } from '#platform/db/index.ts';
import { statement } from '#schema';

/** Deletes what some members were to be mailed about a team's messages. */
export const deleteTeamNotifications = statement<{ teamId: string; userIds: readonly string[] }>()(
  (q, p, dialect) =>
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
);

export const deleteInvitationMails = statement<{ teamId: string }>()((q, p) =>
  q.deleteFrom('invitation_mails').where('team_id', '=', p.teamId),
);
