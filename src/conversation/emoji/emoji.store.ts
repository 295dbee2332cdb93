import { locked } from '#platform/db/index.ts';
import { type CustomEmojiRow, statement } from '#schema';

const LISTED = ['name', 'version', 'created_by', 'created_at', 'animated'] as const;

/** Without the pictures. */
export type ListedEmoji = Pick<CustomEmojiRow, (typeof LISTED)[number]>;

export const pageOfEmoji = statement<{ after: string; limit: number }>()((q, p) =>
  q
    .selectFrom('custom_emoji')
    .select([...LISTED])
    .where('name', '>', p.after)
    .orderBy('name')
    .limit(p.limit),
);

export const findEmoji = statement<{ name: string }>()((q, p) =>
  q
    .selectFrom('custom_emoji')
    .select([...LISTED])
    .where('name', '=', p.name),
);

export const findPicture = statement<{ name: string; version: string }>()((q, p) =>
  q
    .selectFrom('custom_emoji')
    .select(['still', 'moving'])
    .where('name', '=', p.name)
    .where('version', '=', p.version),
);

/** Each addition locks the oldest emoji first, so that the emoji are counted one after the other. */
export const lockOldest = statement<Record<never, never>>()((q, _, dialect) =>
  locked(dialect, q.selectFrom('custom_emoji').select('name').orderBy('created_at').orderBy('name').limit(1)),
);

/** All, and those that a person has added. */
export const countEmoji = statement<{ userId: string }>()((q, p) =>
  q
    .selectFrom('custom_emoji')
    .select(({ fn }) => [
      fn.countAll<number>().as('emoji'),
      fn.countAll<number>().filterWhere('created_by', '=', p.userId).as('own'),
    ]),
);

/** Gives no row where the name is taken. */
export const insertEmoji = statement<CustomEmojiRow>()((q, p) =>
  q
    .insertInto('custom_emoji')
    .values({
      name: p.name,
      version: p.version,
      created_by: p.created_by,
      created_at: p.created_at,
      animated: p.animated,
      still: p.still,
      moving: p.moving,
    })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('name'),
);

export const deleteEmoji = statement<{ name: string }>()((q, p) =>
  q.deleteFrom('custom_emoji').where('name', '=', p.name).returning('version'),
);

/** The emoji that a person added. */
export const pageOfCreator = statement<{ userId: string; after: string; limit: number }>()((q, p) =>
  q
    .selectFrom('custom_emoji')
    .select(['name', 'created_at', 'still', 'moving'])
    .where('created_by', '=', p.userId)
    .where('name', '>', p.after)
    .orderBy('name')
    .limit(p.limit),
);
