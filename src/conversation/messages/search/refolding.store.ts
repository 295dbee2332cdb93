import { type MessageIndexPassRow, statement } from '#schema';

export const findPass = statement<{ id: number }>()((q, p) =>
  q.selectFrom('message_index_passes').selectAll().where('id', '=', p.id),
);

export const savePass = statement<MessageIndexPassRow>()((q, p) => {
  const progress = { top_id: p.top_id, before_id: p.before_id, after_id: p.after_id, due_at: p.due_at };
  return q
    .insertInto('message_index_passes')
    .values({ id: p.id, ...progress })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(progress));
});

/** The newest messages between two ids, which are outside. */
export const listBetween = statement<{ before: string; after: string; limit: number }>()((q, p) =>
  q
    .selectFrom('messages')
    .select(['id', 'text', 'attachments_json', 'mentions_json'])
    .where('id', '<', p.before)
    .where('id', '>', p.after)
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(p.limit),
);
