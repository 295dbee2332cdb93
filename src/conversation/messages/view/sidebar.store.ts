import { sql } from 'kysely';
import type { Viewer } from '#api';
import { inIdList, type Reader } from '#platform/db/index.ts';
import { type SidebarRow, statement } from '#schema';

/** A sidebar as one of its users sees it. */
export interface SidebarView extends SidebarRow {
  read_seq: number;
  /** JSON: the ids of its users. */
  user_ids_json: string;
  /** Messages of others that the viewer has not read. */
  num_unread: number;
  /** Whether the viewer has answered in it, rather than only opened it. */
  has_replied: number | boolean;
}

export const listSidebarUsers = statement<{ sidebarId: string }>()((q, p) =>
  q.selectFrom('sidebar_users').select('user_id').where('sidebar_id', '=', p.sidebarId).orderBy('user_id'),
);

/** Those of them who still see the message beside it. */
export const listSidebarViewers = statement<{ sidebarId: string }>()((q, p) =>
  q
    .selectFrom('sidebar_users')
    .innerJoin('sidebars', 'sidebars.id', 'sidebar_users.sidebar_id')
    .leftJoin('memberships', (join) =>
      join
        .onRef('memberships.team_id', '=', 'sidebars.team_id')
        .onRef('memberships.user_id', '=', 'sidebar_users.user_id'),
    )
    .select('sidebar_users.user_id')
    .where('sidebar_users.sidebar_id', '=', p.sidebarId)
    .where((eb) => eb.or([eb('sidebars.team_id', 'is', null), eb('memberships.user_id', 'is not', null)]))
    .orderBy('sidebar_users.user_id'),
);

const sidebarOf = statement<{ id: string; viewerId: string }>()((q, p) =>
  q
    .selectFrom('sidebars')
    .innerJoin('sidebar_users', 'sidebar_users.sidebar_id', 'sidebars.id')
    .selectAll('sidebars')
    .where('sidebars.id', '=', p.id)
    .where('sidebar_users.user_id', '=', p.viewerId),
);

/** A sidebar that the viewer is in; whether they see the message beside it is another question. */
export async function findSidebarOf(
  db: Reader,
  { userId, reach }: Viewer,
  id: string,
): Promise<SidebarRow | undefined> {
  return reach?.direct === false ? undefined : sidebarOf.first(db, { id, viewerId: userId });
}

/** The users who see a message, among those who are asked about; for a direct one, who takes part in it. */
export const findViewers = statement<{
  messageId: string;
  teamId: string | null;
  authorId: string;
  userIds: readonly string[];
}>()((q, p, dialect) =>
  q
    .selectFrom('users')
    .select('users.id')
    .where('users.active', '=', 1)
    .where(inIdList(dialect, 'users.id', p.userIds))
    .where((eb) =>
      eb.or([
        eb('users.id', 'in', q.selectFrom('memberships').select('user_id').where('team_id', '=', p.teamId)),
        eb(
          'users.id',
          'in',
          q.selectFrom('message_recipients').select('user_id').where('message_id', '=', p.messageId),
        ),
        eb.and([sql<boolean>`CAST(${p.teamId} AS text) IS NULL`, eb('users.id', '=', p.authorId)]),
      ]),
    ),
);

const sidebarsOf = statement<{ messageIds: readonly string[]; viewerId: string }>()((q, p, dialect) =>
  q
    .selectFrom('sidebar_users')
    .innerJoin('sidebars', 'sidebars.id', 'sidebar_users.sidebar_id')
    .selectAll('sidebars')
    .select('sidebar_users.read_seq')
    .select(
      dialect === 'sqlite'
        ? sql<string>`(SELECT json_group_array(user_id) FROM (SELECT all_users.user_id FROM sidebar_users AS all_users
            WHERE all_users.sidebar_id = sidebars.id ORDER BY all_users.user_id))`.as('user_ids_json')
        : sql<string>`(SELECT CAST(json_agg(all_users.user_id ORDER BY all_users.user_id) AS text)
            FROM sidebar_users AS all_users WHERE all_users.sidebar_id = sidebars.id)`.as('user_ids_json'),
    )
    .select(
      sql<number>`(SELECT count(*) FROM messages WHERE messages.sidebar_id = sidebars.id
        AND messages.sidebar_seq > sidebar_users.read_seq AND messages.author_id <> ${p.viewerId}
        AND messages.deleted_at IS NULL)`.as('num_unread'),
    )
    .select(
      // In this order PostgreSQL walks along the sidebar, and not through all messages until it finds one.
      sql<number | boolean>`coalesce((SELECT 1 FROM messages WHERE messages.sidebar_id = sidebars.id
        AND messages.sidebar_seq > 1 AND messages.author_id = ${p.viewerId}
        ORDER BY messages.sidebar_seq LIMIT 1), 0) = 1`.as('has_replied'),
    )
    .where('sidebar_users.user_id', '=', p.viewerId)
    .where(inIdList(dialect, 'sidebars.message_id', p.messageIds))
    .orderBy('sidebars.id'),
);

/** The sidebars in which the viewer is, beside some messages that they see; the oldest first. */
export async function listSidebars(
  db: Reader,
  { userId, reach }: Viewer,
  messageIds: readonly string[],
): Promise<SidebarView[]> {
  if (reach?.direct === false) return [];
  return sidebarsOf.all(db, { viewerId: userId, messageIds });
}

/** One row for each of their users; one without a user for a sidebar that all have left. */
export const findWithUsers = statement<{ ids: readonly string[] }>()((q, p, dialect) =>
  q
    .selectFrom('sidebars')
    .leftJoin('sidebar_users', 'sidebar_users.sidebar_id', 'sidebars.id')
    .select(['sidebars.id', 'sidebars.message_id', 'sidebar_users.user_id'])
    .where(inIdList(dialect, 'sidebars.id', p.ids))
    .orderBy('sidebar_users.user_id'),
);
