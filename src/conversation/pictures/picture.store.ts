import { inIdList } from '#platform/db/index.ts';
import { modification, type PictureRow, statement } from '#schema';

export const insertPicture = statement<PictureRow>()((q, p) =>
  q.insertInto('pictures').values({
    id: p.id,
    place_id: p.place_id,
    status: p.status,
    file: p.file,
    size: p.size,
    width: p.width,
    height: p.height,
    source_url: p.source_url,
    released_at: p.released_at,
  }),
);

/** Gives no row where it took too long to arrive. */
export const markShown = statement<{ id: string }>()((q, p) =>
  q
    .updateTable('pictures')
    .set({ status: 'shown' })
    .where('id', '=', p.id)
    .where('status', '=', 'arriving')
    .returning('id'),
);

/** One that is not shown any more. */
export const releaseSome = statement<{ ids: readonly string[]; now: number }>()((q, p, dialect) =>
  q
    .updateTable('pictures')
    .set({ status: 'removed', released_at: p.now })
    .where(inIdList(dialect, 'id', p.ids)),
);

/** All that were shown in some places. */
export const releaseOf = statement<{ placeIds: readonly string[]; now: number }>()((q, p, dialect) =>
  q
    .updateTable('pictures')
    .set({ status: 'removed', released_at: p.now })
    .where(inIdList(dialect, 'place_id', p.placeIds))
    .where('status', '=', 'shown'),
);

export const findPicture = statement<{ id: string; placeId: string }>()((q, p) =>
  q
    .selectFrom('pictures')
    .selectAll()
    .where('id', '=', p.id)
    .where('place_id', '=', p.placeId)
    .where('status', '=', 'shown'),
);

export const listOfPlace = statement<{ placeId: string }>()((q, p) =>
  q.selectFrom('pictures').select('id').where('place_id', '=', p.placeId).where('status', '=', 'shown'),
);

/** A picture that has not arrived by now was interrupted. */
export const markInterrupted = modification('pictures')<{ before: number }>(
  () => ({ status: 'removed' }),
  (rows, p) => rows.where('status', '=', 'arriving').where('released_at', '<=', p.before),
);

export const listRemoved = statement<{ limit: number }>()((q, p) =>
  q
    .selectFrom('pictures')
    .select(['id', 'file'])
    .where('status', '=', 'removed')
    .orderBy('released_at')
    .limit(p.limit),
);

export const deletePicture = statement<{ id: string }>()((q, p) =>
  q.deleteFrom('pictures').where('id', '=', p.id),
);

export const findAnyPicture = statement<{ id: string }>()((q, p) =>
  q.selectFrom('pictures').select('id').where('id', '=', p.id).where('status', '=', 'shown'),
);

/** Everything that is stored, for copies of it. */
export const pageOfEveryPicture = statement<{ after: string; limit: number }>()((q, p) =>
  q
    .selectFrom('pictures')
    .select(['id', 'file', 'size'])
    .where('status', '=', 'shown')
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);
