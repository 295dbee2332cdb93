import type { Tx } from '#platform/db/index.ts';
import { query, statement } from '../schema/index.ts';

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

export const pageOfMembers = statement<PageOfTeam>()((q, p) =>
  q
    .selectFrom('memberships')
    .select('user_id')
    .where('team_id', '=', p.teamId)
    .where('user_id', '>', p.after)
    .orderBy('user_id')
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

export const deleteMarks = (tx: Tx, teamId: string, userIds: string[]) =>
  query(tx, (q) => q.deleteFrom('read_marks').where('user_id', 'in', userIds).where('team_id', '=', teamId));

/** From a table with a row for each user and message. */
const deleteAboutMessages =
  (table: 'message_states' | 'mail_notifications') => (tx: Tx, teamId: string, userIds: string[]) =>
    query(tx, (q) =>
      q
        .deleteFrom(table)
        .where('user_id', 'in', userIds)
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('messages')
              .select('messages.id')
              .whereRef('messages.id', '=', `${table}.message_id`)
              .where('messages.team_id', '=', teamId),
          ),
        ),
    );

export const deleteStates = deleteAboutMessages('message_states');
export const deleteNotifications = deleteAboutMessages('mail_notifications');

export const deleteMemberships = (tx: Tx, teamId: string, userIds: string[]) =>
  query(tx, (q) => q.deleteFrom('memberships').where('team_id', '=', teamId).where('user_id', 'in', userIds));

export const emptyObjects = (tx: Tx, ids: string[], now: number) =>
  query(tx, (q) =>
    q
      .updateTable('objects')
      .set((eb) => ({ type: '', name: '', url: '', deleted_at: eb.fn.coalesce('deleted_at', eb.val(now)) }))
      .where('id', 'in', ids),
  );

export const emptyDeliveries = (tx: Tx, ids: string[]) =>
  query(tx, (q) => q.updateTable('deliveries').set({ body_json: '{}' }).where('id', 'in', ids));

export const forgetResponsesOf = (tx: Tx, ids: string[]) =>
  query(tx, (q) =>
    q
      .updateTable('delivery_attempts')
      .set({ response_headers_json: null, response_body: null })
      .where('delivery_id', 'in', ids),
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
