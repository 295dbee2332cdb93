import { statement } from '#schema';

/** Who has written in a thread lately: its author, and those of its newest replies. */
export const listWriters = statement<{ rootId: string; newest: number }>()((q, p) =>
  q
    .selectFrom('messages')
    .select('author_id')
    .where('id', '=', p.rootId)
    .union(
      q
        .selectFrom(
          q
            .selectFrom('messages')
            .select('author_id')
            .where('root_id', '=', p.rootId)
            .orderBy('id', 'desc')
            .limit(p.newest)
            .as('replies'),
        )
        .select('replies.author_id'),
    ),
);
