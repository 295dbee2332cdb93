import { type SidebarRow, statement } from '#schema';

export const insertSidebar = statement<SidebarRow>()((q, p) =>
  q.insertInto('sidebars').values({
    id: p.id,
    message_id: p.message_id,
    team_id: p.team_id,
    created_by: p.created_by,
    message_seq: p.message_seq,
    created_at: p.created_at,
  }),
);

export const countBegun = statement<{ messageId: string; userId: string }>()((q, p) =>
  q
    .selectFrom('sidebars')
    .select((eb) => eb.fn.countAll<number>().as('sidebars'))
    .where('message_id', '=', p.messageId)
    .where('created_by', '=', p.userId),
);

export const insertSidebarUser = statement<{ sidebarId: string; userId: string }>()((q, p) =>
  q.insertInto('sidebar_users').values({ sidebar_id: p.sidebarId, user_id: p.userId, read_seq: 0 }),
);

/** Gives the next sequence in the sidebar, and holds its row until the commit. */
export const takeSidebarSequence = statement<{ id: string }>()((q, p) =>
  q
    .updateTable('sidebars')
    .set((eb) => ({ message_seq: eb('message_seq', '+', 1) }))
    .where('id', '=', p.id)
    .returning('message_seq'),
);
