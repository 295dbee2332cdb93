import { type QueryCreator, sql } from 'kysely';
import { type ApplicationRow, type CommandChoiceRow, statement, type Tables } from '#schema';
import { isAwake } from '../applications/index.ts';

export type Claimant = Pick<ApplicationRow, 'id' | 'name' | 'icon' | 'commands_json' | 'shortcuts_json'> & {
  installed_at: number;
  is_awake: number;
};

/** The applications of a team, those first that were installed first. */
const claimantsOf = (q: QueryCreator<Tables>, teamId: string) =>
  q
    .selectFrom('installations')
    .innerJoin('applications', 'applications.id', 'installations.application_id')
    .select([
      'applications.id',
      'applications.name',
      'applications.icon',
      'applications.commands_json',
      'applications.shortcuts_json',
      'installations.created_at as installed_at',
    ])
    .select((eb) =>
      eb
        .case()
        .when(eb.and([isAwake(), eb('installations.asleep_since', 'is', null)]))
        .then(sql.lit(1))
        .else(sql.lit(0))
        .end()
        .as('is_awake'),
    )
    .where('installations.team_id', '=', teamId)
    .where('installations.status', '=', 'active')
    .where('applications.active', '=', 1)
    .orderBy('installations.id');

/** Those that have commands or shortcuts. */
export const listClaimants = statement<{ teamId: string; limit: number }>()((q, p) =>
  claimantsOf(q, p.teamId)
    .where((eb) =>
      eb.or([
        eb('applications.commands_json', '!=', sql.lit('[]')),
        eb('applications.shortcuts_json', '!=', sql.lit('[]')),
      ]),
    )
    .limit(p.limit),
);

/** Those with a command of this look. The pattern finds no description: JSON writes a quote in a text with a backslash. */
export const listRivals = statement<{ teamId: string; look: string; limit: number }>()((q, p) =>
  claimantsOf(q, p.teamId)
    .where(sql<boolean>`applications.commands_json LIKE '%"look":"' || ${p.look} || '"%'`)
    .limit(p.limit),
);

export const findClaimant = statement<{ teamId: string; id: string }>()((q, p) =>
  claimantsOf(q, p.teamId).where('applications.id', '=', p.id),
);

export const listChoices = statement<{ teamId: string }>()((q, p) =>
  q.selectFrom('command_choices').selectAll().where('team_id', '=', p.teamId),
);

export const findChoice = statement<{ teamId: string; look: string }>()((q, p) =>
  q.selectFrom('command_choices').selectAll().where('team_id', '=', p.teamId).where('look', '=', p.look),
);

export const saveChoice = statement<CommandChoiceRow>()((q, p) =>
  q
    .insertInto('command_choices')
    .values({ team_id: p.team_id, look: p.look, application_id: p.application_id, chosen_at: p.chosen_at })
    .onConflict((conflict) =>
      conflict.columns(['team_id', 'look']).doUpdateSet((eb) => ({
        application_id: eb.ref('excluded.application_id'),
        chosen_at: eb.ref('excluded.chosen_at'),
      })),
    ),
);

export const deleteChoices = statement<{ applicationId: string; teamId: string }>()((q, p) =>
  q
    .deleteFrom('command_choices')
    .where('team_id', '=', p.teamId)
    .where('application_id', '=', p.applicationId),
);
