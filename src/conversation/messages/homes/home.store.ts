import type { QueryCreator } from 'kysely';
import { locked } from '#platform/db/index.ts';
import { type HomeRow, statement, type Tables } from '#schema';

type Of = Pick<HomeRow, 'application_id' | 'team_id' | 'user_id'>;

const homeOf = (q: QueryCreator<Tables>, { application_id, team_id, user_id }: Of) =>
  q
    .selectFrom('homes')
    .selectAll()
    .where((eb) => eb.and({ application_id, team_id, user_id }));

export const findHome = statement<Of>()((q, p) => homeOf(q, p));

/** Clicks in one home come one after the other. */
export const lockHome = statement<Of>()((q, p, dialect) => locked(dialect, homeOf(q, p), 'no key update'));

/** Of the same home published at once, the last one stays, with the id of the first. */
export const publishHome = statement<HomeRow>()((q, p) =>
  q
    .insertInto('homes')
    .values({
      id: p.id,
      application_id: p.application_id,
      team_id: p.team_id,
      user_id: p.user_id,
      blocks_json: p.blocks_json,
      hash: p.hash,
      published_at: p.published_at,
    })
    .onConflict((conflict) =>
      conflict.columns(['application_id', 'team_id', 'user_id']).doUpdateSet({
        blocks_json: p.blocks_json,
        hash: p.hash,
        published_at: p.published_at,
      }),
    ),
);

export const deleteHomesOfInstallation = statement<{ applicationId: string; teamId: string }>()((q, p) =>
  q.deleteFrom('homes').where('application_id', '=', p.applicationId).where('team_id', '=', p.teamId),
);

export const deleteHomesInTeam = statement<{ userId: string; teamId: string }>()((q, p) =>
  q.deleteFrom('homes').where('user_id', '=', p.userId).where('team_id', '=', p.teamId),
);
