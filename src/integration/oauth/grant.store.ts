import { type NotNull, sql } from 'kysely';
import { foundFirst } from '#platform/db/index.ts';
import { type AgreementRow, statement } from '#schema';

/** An agreement with the names that a person recognises it by, and the lists that narrow its scopes. */
export interface ShownAgreement extends AgreementRow {
  application_name: string;
  application_description: string;
  application_icon: string;
  application_base_url: string;
  team_name: string;
  team_color: string;
  team_icon: string;
  asked_json: string;
  installed_json: string;
}

/** A person's authorisations, newest first. */
export const listAgreements = statement<{ userId: string }>()((q, p, dialect) =>
  q
    .with(
      (name) => foundFirst(dialect, name('own')),
      (cte) =>
        cte
          .selectFrom('agreements')
          .selectAll()
          // Looked up for each: PostgreSQL without statistics expects few active ones, and would begin with those.
          .select((eb) =>
            eb
              .selectFrom('installations')
              .select('installations.scopes_json')
              .whereRef('installations.team_id', '=', 'agreements.team_id')
              .whereRef('installations.application_id', '=', 'agreements.application_id')
              .where(sql<boolean>`installations.status IN ('pending', 'active')`)
              .where('installations.status', '=', sql.lit('active'))
              .limit(1)
              .as('installed_json'),
          )
          .where('user_id', '=', p.userId),
    )
    .selectFrom('own')
    .innerJoin('applications', 'applications.id', 'own.application_id')
    .innerJoin('teams', 'teams.id', 'own.team_id')
    .selectAll('own')
    .select([
      'applications.name as application_name',
      'applications.description as application_description',
      'applications.icon as application_icon',
      'applications.base_url as application_base_url',
      'teams.name as team_name',
      'teams.color as team_color',
      'teams.icon as team_icon',
      'applications.scopes_json as asked_json',
    ])
    .where('own.installed_json', 'is not', null)
    .$narrowType<{ installed_json: NotNull }>()
    .orderBy('own.created_at', 'desc')
    .orderBy('own.id', 'desc')
    .limit(1000),
);

/** Gives a row to one caller. */
export const deleteAgreement = statement<{ id: string; userId: string }>()((q, p) =>
  q
    .deleteFrom('agreements')
    .where('id', '=', p.id)
    .where('user_id', '=', p.userId)
    .returning(['application_id', 'team_id']),
);
