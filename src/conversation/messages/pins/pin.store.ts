import { type PinRow, statement } from '#schema';
import type { PageOfUser } from '../../../stewardship/exports/index.ts';

export const insertPin = statement<PinRow>()((q, p) =>
  q.insertInto('pins').values({
    ...{ team_id: p.team_id, message_id: p.message_id },
    ...{ user_id: p.user_id, pinned_at: p.pinned_at },
  }),
);

export const deletePin = statement<{ teamId: string; messageId: string }>()((q, p) =>
  q.deleteFrom('pins').where('team_id', '=', p.teamId).where('message_id', '=', p.messageId),
);

/** Tells its readers. */
export const setPinned = statement<{ id: string; isPinned: 0 | 1 }>()((q, p) =>
  q.updateTable('messages').set({ is_pinned: p.isPinned }).where('id', '=', p.id),
);

export const countPins = statement<{ teamId: string }>()((q, p) =>
  q
    .selectFrom('pins')
    .select((eb) => eb.fn.countAll<number>().as('pins'))
    .where('team_id', '=', p.teamId),
);

/** Those that were pinned before another one, the newest first. */
export const pageOfPins = statement<{ teamId: string; before: number; beforeId: string; limit: number }>()(
  (q, p) =>
    q
      .selectFrom('pins')
      .select(['message_id', 'user_id', 'pinned_at'])
      .where('team_id', '=', p.teamId)
      .where('pinned_at', '<=', p.before)
      .where(({ eb, or }) => or([eb('pinned_at', '<', p.before), eb('message_id', '<', p.beforeId)]))
      .orderBy('pinned_at', 'desc')
      .orderBy('message_id', 'desc')
      .limit(p.limit),
);

export const pinsByPerson = statement<PageOfUser>()((q, p) =>
  q
    .selectFrom('pins')
    .select(['message_id', 'team_id', 'pinned_at'])
    .where('user_id', '=', p.userId)
    .where('message_id', '>', p.after)
    .orderBy('message_id')
    .limit(p.limit),
);
