import type { QueryCreator } from 'kysely';
import { locked } from '#platform/db/index.ts';
import { deletion, type HomeRow, statement, type Tables } from '#schema';

type Of = Pick<HomeRow, 'installation_id' | 'user_id'>;

const homeOf = (q: QueryCreator<Tables>, { installation_id, user_id }: Of) =>
  q
    .selectFrom('homes')
    .selectAll()
    .where((eb) => eb.and({ installation_id, user_id }));

export const findHome = statement<Of>()((q, p) => homeOf(q, p));

/** Clicks in one home come one after the other. */
export const lockHome = statement<Of>()((q, p, dialect) => locked(dialect, homeOf(q, p), 'no key update'));

/** Of the same home published at once, the last one stays, with the id of the first. */
export const publishHome = statement<HomeRow>()((q, p) =>
  q
    .insertInto('homes')
    .values({
      id: p.id,
      installation_id: p.installation_id,
      application_id: p.application_id,
      team_id: p.team_id,
      user_id: p.user_id,
      blocks_json: p.blocks_json,
      hash: p.hash,
      published_at: p.published_at,
    })
    .onConflict((conflict) =>
      conflict.columns(['installation_id', 'user_id']).doUpdateSet({
        blocks_json: p.blocks_json,
        hash: p.hash,
        published_at: p.published_at,
      }),
    ),
);

export const deleteHomesInTeam = statement<{ userId: string; teamId: string }>()((q, p) =>
  q.deleteFrom('homes').where('user_id', '=', p.userId).where('team_id', '=', p.teamId),
);

/** Nobody sees these any more. A large team has many, which would keep the request that uninstalls waiting. */
export const purgeHomes = deletion('homes')((rows) =>
  rows.where('installation_id', 'in', (q) =>
    q.selectFrom('installations').select('installations.id').where('installations.status', '=', 'removed'),
  ),
);
