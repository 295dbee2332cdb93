import { type IdList, idList, inIdList, type Tx } from '#platform/db/index.ts';
import { statement } from '#schema';

const mailJobsOf = statement<{ ids: IdList }>()((q, p, dialect) =>
  q.deleteFrom('mail_jobs').where(inIdList(dialect, 'message_id', p.ids)),
);

/** Deletes the jobs to tell of some messages. */
export const deleteJobsAbout = (tx: Tx, ids: readonly string[]) =>
  mailJobsOf.run(tx, { ids: idList(tx.dialect, ids) });

const notificationsOf = statement<{ teamId: string; userIds: IdList }>()((q, p, dialect) =>
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

/** Deletes what some members are to be told of a team's messages. */
export const deleteTeamNotifications = (tx: Tx, teamId: string, userIds: readonly string[]) =>
  notificationsOf.run(tx, { teamId, userIds: idList(tx.dialect, userIds) });

export const deleteInvitationMails = statement<{ teamId: string }>()((q, p) =>
  q.deleteFrom('invitation_mails').where('team_id', '=', p.teamId),
);
