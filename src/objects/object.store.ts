import { sql } from 'kysely';
import { inIdList, locked, type Reader } from '#platform/db/index.ts';
import { type ObjectRow, query, statement } from '#schema';

export const insertObject = statement<Omit<ObjectRow, 'deleted_at' | 'renamed_at'>>()((q, p) =>
  q.insertInto('objects').values({
    id: p.id,
    application_id: p.application_id,
    team_id: p.team_id,
    type: p.type,
    name: p.name,
    url: p.url,
    created_at: p.created_at,
    deleted_at: null,
    renamed_at: null,
  }),
);

/** Gives no row when there is nothing to delete. */
export const markObjectDeleted = statement<{ id: string; applicationId: string; now: number }>()((q, p) =>
  q
    .updateTable('objects')
    .set({ deleted_at: p.now })
    .where('id', '=', p.id)
    .where('application_id', '=', p.applicationId)
    .where('deleted_at', 'is', null)
    .returning(['id', 'team_id']),
);

export const lockObject = statement<{ id: string; applicationId: string }>()((q, p, dialect) =>
  locked(
    dialect,
    q
      .selectFrom('objects')
      .selectAll()
      .where('id', '=', p.id)
      .where('application_id', '=', p.applicationId)
      .where('deleted_at', 'is', null),
    // A server that indexes messages anew refers to it while it holds what a rename writes.
    'no key update',
  ),
);

export const updateObject = statement<Pick<ObjectRow, 'id' | 'type' | 'name' | 'url' | 'renamed_at'>>()(
  (q, p) =>
    q
      .updateTable('objects')
      .set({ type: p.type, name: p.name, url: p.url, renamed_at: p.renamed_at })
      .where('id', '=', p.id),
);

export const findObject = statement<{ id: string }>()((q, p) =>
  q.selectFrom('objects').selectAll().where('id', '=', p.id).where('deleted_at', 'is', null),
);

/** The objects among `ids`, deleted ones too, with the address below which their own are. */
export const findObjectsWithBase = statement<{ ids: readonly string[] }>()((q, p, dialect) =>
  q
    .selectFrom('objects')
    .innerJoin('applications', 'applications.id', 'objects.application_id')
    .select([
      'objects.id',
      'objects.application_id',
      'objects.team_id',
      'objects.name',
      'objects.url',
      'objects.deleted_at',
      'objects.renamed_at',
      'applications.base_url',
    ])
    .where(inIdList(dialect, 'objects.id', p.ids)),
);

/** Their names stay as they are until the transaction ends. */
export const lockNames = statement<{ ids: readonly string[] }>()((q, p, dialect) =>
  locked(
    dialect,
    q
      .selectFrom('objects')
      .select(['id', 'name', 'renamed_at'])
      .where(inIdList(dialect, 'id', p.ids))
      .orderBy('id'),
    'share',
  ),
);

/** An application's objects, but those of teams that have not agreed to the hands that it is in. */
export function listObjects(
  db: Reader,
  applicationId: string,
  filter: { team: string | undefined; type: string | undefined },
  page: { limit: number; before: string | undefined },
): Promise<ObjectRow[]> {
  return query(db, (q) => {
    let found = q.selectFrom('objects').selectAll().where('application_id', '=', applicationId);
    found = found
      .where('deleted_at', 'is', null)
      .where(({ exists, not, selectFrom }) =>
        not(
          exists(
            selectFrom('installations')
              .select('installations.id')
              .whereRef('installations.team_id', '=', 'objects.team_id')
              .whereRef('installations.application_id', '=', 'objects.application_id')
              .where('installations.status', 'in', ['pending', 'active'])
              .where('installations.asleep_since', 'is not', null),
          ),
        ),
      );
    if (filter.team !== undefined) found = found.where('team_id', '=', filter.team);
    if (filter.type !== undefined) found = found.where('type', '=', filter.type);
    if (page.before !== undefined) found = found.where('id', '<', page.before);
    return found.orderBy('id', 'desc').limit(page.limit);
  });
}

export type ObjectOfTeam = ObjectRow & { base_url: string };

/** The objects that existing applications registered on a team. */
export function listObjectsOfTeam(
  db: Reader,
  teamId: string,
  filter: { type: string | undefined },
  page: { limit: number; before: string | undefined },
): Promise<ObjectOfTeam[]> {
  return query(db, (q) => {
    let found = q
      .selectFrom('objects')
      .innerJoin('applications', 'applications.id', 'objects.application_id')
      .selectAll('objects')
      .select('applications.base_url')
      .where('objects.team_id', '=', teamId)
      .where('objects.deleted_at', 'is', null)
      .where('applications.active', '=', 1);
    if (filter.type !== undefined) found = found.where('objects.type', '=', filter.type);
    if (page.before !== undefined) found = found.where('objects.id', '<', page.before);
    return found.orderBy('objects.id', 'desc').limit(page.limit);
  });
}

export const pageOfObjects = statement<{ teamId: string; after: string; limit: number }>()((q, p) =>
  q
    .selectFrom('objects')
    .select('id')
    .where('team_id', '=', p.teamId)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

export const emptyObjects = statement<{ ids: readonly string[]; now: number }>()((q, p, dialect) =>
  q
    .updateTable('objects')
    .set({ type: '', name: '', url: '', deleted_at: sql<number>`coalesce(deleted_at, ${p.now})` })
    .where(inIdList(dialect, 'id', p.ids)),
);
