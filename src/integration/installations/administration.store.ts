import { sql } from 'kysely';
import type { TimeKey } from '#api';
import type { Reader } from '#platform/db/index.ts';
import { query } from '#schema';
import { isKnownTo, whereaboutsColumns } from '../../people/users/index.ts';

export type OwnedApplication = Awaited<ReturnType<typeof pageOfApplications>>[number];

/** A page of all applications with their owners, as an administrator knows these; the newest first. */
export function pageOfApplications(
  db: Reader,
  page: { userId: string; limit: number; after: TimeKey | undefined },
) {
  const { userId, after, limit } = page;
  const isKnown = isKnownTo({ userId }, sql.ref('users.id'));
  return query(db, (q) => {
    const found = q
      .selectFrom('applications')
      .innerJoin('users', 'users.id', 'applications.owner_id')
      .selectAll('applications')
      .select([
        'users.first_name as owner_first_name',
        'users.last_name as owner_last_name',
        'users.username as owner_username',
        'users.title as owner_title',
        'users.active as owner_active',
        'users.email as owner_email',
        'users.image_version as owner_image_version',
        whereaboutsColumns('users', isKnown).online_until.as('owner_online_until'),
      ])
      .select((eb) =>
        eb
          .selectFrom('installations')
          .select(sql<number>`count(*)`.as('count'))
          .whereRef('installations.application_id', '=', 'applications.id')
          .where('installations.status', '=', sql.lit('active'))
          .as('num_installations'),
      )
      .where('applications.active', '=', 1)
      .orderBy('applications.created_at', 'desc')
      .orderBy('applications.id', 'desc')
      .limit(limit);
    if (!after) return found;
    return found.where((eb) =>
      eb.or([
        eb('applications.created_at', '<', after.at),
        eb.and([eb('applications.created_at', '=', after.at), eb('applications.id', '<', after.id)]),
      ]),
    );
  });
}
