import { type RawBuilder, sql } from 'kysely';
import { inIdList, locked, type Tx } from '#platform/db/index.ts';
import { deletion, insertion, statement } from '#schema';
import type { PageOfUser } from '../../stewardship/exports/index.ts';

export const putMute = insertion('mutes')(
  ['id', 'user_id', 'kind', 'place_id', 'muted_until', 'created_at'],
  () => 'ON CONFLICT (user_id, place_id) DO UPDATE SET muted_until = excluded.muted_until',
);

/** Any constant: it names the locks of those who set or end a mute. */
const MUTES_LOCK = 7_241_997;

/**
 * Forgets when a mute ends; of a subject and a direct conversation, that it is muted. Changes of one mute wait for each other
 * here, before any other lock: without an end it has no row that they could lock.
 */
export async function forgetMute(tx: Tx, mute: MuteOf): Promise<void> {
  if (tx.dialect === 'postgres') {
    await tx.all(`SELECT pg_advisory_xact_lock(${MUTES_LOCK}, hashtext($1))`, [mute.userId + mute.placeId]);
  }
  await deleteMute.run(tx, mute);
}

interface MuteOf {
  readonly userId: string;
  readonly placeId: string;
}

const deleteMute = statement<MuteOf>()((q, p) =>
  q.deleteFrom('mutes').where('user_id', '=', p.userId).where('place_id', '=', p.placeId),
);

/** Forgets the mutes of a team and of its subjects, for those who leave it. */
export const forgetMutes = statement<{ teamId: string; userIds: readonly string[] }>()((q, p, dialect) =>
  q
    .deleteFrom('mutes')
    .where(inIdList(dialect, 'user_id', p.userIds))
    .where((eb) =>
      eb.or([
        eb('place_id', '=', p.teamId),
        eb('place_id', 'in', q.selectFrom('subjects').select('id').where('team_id', '=', p.teamId)),
      ]),
    ),
);

export const deleteMutesOf = deletion('mutes')<{ userId: string }>((rows, p) =>
  rows.where('user_id', '=', p.userId),
);

export const listMutes = statement<{ userId: string }>()((q, p) =>
  q.selectFrom('mutes').selectAll().where('user_id', '=', p.userId).orderBy('id'),
);

export const pageOfMutes = statement<PageOfUser>()((q, p) =>
  q
    .selectFrom('mutes')
    .selectAll()
    .where('user_id', '=', p.userId)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

export const anyDue = statement<{ now: number }>()((q, p) =>
  q.selectFrom('mutes').select('id').where('muted_until', '<=', p.now).limit(1),
);

/** Takes some of the mutes that are over. */
export const takeDue = statement<{ now: number; limit: number }>()((q, p, dialect) =>
  q
    .deleteFrom('mutes')
    .where(
      'id',
      'in',
      locked(
        dialect,
        q
          .selectFrom('mutes')
          .select('id')
          .where('muted_until', '<=', p.now)
          .orderBy('muted_until')
          .limit(p.limit),
        'skip locked',
      ),
    )
    .returning(['user_id', 'kind', 'place_id']),
);

/** Whether a user has muted the subject or the direct conversation with an id that another table gives. */
export const isMutedPlace = (userId: RawBuilder<unknown>, placeId: RawBuilder<unknown>) =>
  sql<boolean>`EXISTS (SELECT 1 FROM mutes WHERE mutes.user_id = ${userId} AND mutes.place_id = ${placeId})`;

/** Filters messages: the ones in, or beside, subjects and direct conversations that a user has muted. */
export const listInMuted = statement<{ userId: string; ids: readonly string[] }>()((q, p, dialect) =>
  q
    .selectFrom('messages')
    .leftJoin('sidebars', 'sidebars.id', 'messages.sidebar_id')
    .leftJoin('messages as beside', 'beside.id', 'sidebars.message_id')
    .leftJoin('messages as root', 'root.id', 'messages.root_id')
    .innerJoin('mutes', (join) =>
      join.on('mutes.user_id', '=', p.userId).on(
        'mutes.place_id',
        '=',
        sql<string>`coalesce(beside.conversation_id, beside.subject_id, root.conversation_id, root.subject_id,
            messages.conversation_id, messages.subject_id)`,
      ),
    )
    .select('messages.id')
    .where(inIdList(dialect, 'messages.id', p.ids)),
);
