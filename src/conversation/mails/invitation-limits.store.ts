import { sql } from 'kysely';
import { deletion, type InvitationMailRow, statement } from '#schema';

export const insertInvitationMail = statement<InvitationMailRow>()((q, p) =>
  q.insertInto('invitation_mails').values({
    id: p.id,
    team_id: p.team_id,
    inviter_id: p.inviter_id,
    email_key: p.email_key,
    created_at: p.created_at,
  }),
);

interface Counted {
  readonly inviterId: string;
  readonly teamId: string;
  readonly emailKey: string;
  readonly since: number;
  readonly hourAgo: number;
}

/** `lately`: to this address for this team, in the last hour. */
export const countInvitationMails = statement<Counted>()((q, p) =>
  q
    .selectFrom('invitation_mails')
    .select([
      sql<number>`sum(CASE WHEN inviter_id = ${p.inviterId} THEN 1 ELSE 0 END)`.as('of_person'),
      sql<number>`sum(CASE WHEN team_id = ${p.teamId} THEN 1 ELSE 0 END)`.as('of_team'),
      sql<number>`sum(CASE WHEN email_key = ${p.emailKey} THEN 1 ELSE 0 END)`.as('to_address'),
      sql<number>`sum(CASE WHEN email_key = ${p.emailKey} AND team_id = ${p.teamId}
        AND created_at > ${p.hourAgo} THEN 1 ELSE 0 END)`.as('lately'),
    ])
    .where('created_at', '>', p.since),
);

export const purgeInvitationMails = deletion('invitation_mails')<{ before: number }>((rows, p) =>
  rows.where('created_at', '<=', p.before),
);

export const deleteInvitationMailsTo = statement<{ emailKey: string }>()((q, p) =>
  q.deleteFrom('invitation_mails').where('email_key', '=', p.emailKey),
);
