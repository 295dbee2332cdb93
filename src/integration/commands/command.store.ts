import { sql } from 'kysely';
import { type ApplicationRow, type CommandChoiceRow, statement } from '#schema';
import { isAwake } from '../applications/index.ts';

export type Claimant = Pick<ApplicationRow, 'id' | 'name' | 'icon' | 'commands_json' | 'shortcuts_json'> & {
  installed_at: number;
  is_awake: number;
};

/** The applications of a team that have commands or shortcuts, those first that were installed first. */
export const listClaimants = statement<{ teamId: string; limit: number }>()((q, p) =>
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
    .where('installations.team_id', '=', p.teamId)
    .where('installations.status', '=', 'active')
    .where('applications.active', '=', 1)
    .where((eb) =>
      eb.or([
        eb('applications.commands_json', '!=', sql.lit('[]')),
        eb('applications.shortcuts_json', '!=', sql.lit('[]')),
      ]),
    )
    .orderBy('installations.id')
    .limit(p.limit),
);

export const listChoices = statement<{ teamId: string }>()((q, p) =>
  q.selectFrom('command_choices').selectAll().where('team_id', '=', p.teamId),
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
