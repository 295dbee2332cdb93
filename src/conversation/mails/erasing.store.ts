import { inIdList, type Tx } from '#platform/db/index.ts';
import { deletion, statement } from '#schema';
import { deleteCursorsIn } from './stream.store.ts';

const deleteNotifications = statement<{ teamId: string; userIds: readonly string[] }>()((q, p, dialect) =>
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

/** Deletes what some members were to be mailed about a team's messages. */
export async function deleteTeamNotifications(
  tx: Tx,
  members: { teamId: string; userIds: readonly string[] },
): Promise<void> {
  await deleteNotifications.run(tx, members);
  await deleteCursorsIn.run(tx, members);
}

export const deleteInvitationMails = deletion('invitation_mails')<{ teamId: string }>((rows, p) =>
  rows.where('team_id', '=', p.teamId),
);
