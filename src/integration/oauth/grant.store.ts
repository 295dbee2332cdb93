import { sql } from 'kysely';
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
export const listAgreements = statement<{ userId: string }>()((q, p) =>
  q
    .selectFrom('agreements')
    .innerJoin('applications', 'applications.id', 'agreements.application_id')
    .innerJoin('teams', 'teams.id', 'agreements.team_id')
    .innerJoin('installations', (join) =>
      join
        .onRef('installations.team_id', '=', 'agreements.team_id')
        .onRef('installations.application_id', '=', 'agreements.application_id')
        .on(sql<boolean>`installations.status IN ('pending', 'active')`)
        .on('installations.status', '=', sql.lit('active')),
    )
    .selectAll('agreements')
    .select([
      'applications.name as application_name',
      'applications.description as application_description',
      'applications.icon as application_icon',
      'applications.base_url as application_base_url',
      'teams.name as team_name',
      'teams.color as team_color',
      'teams.icon as team_icon',
      'applications.scopes_json as asked_json',
      'installations.scopes_json as installed_json',
    ])
    .where('agreements.user_id', '=', p.userId)
    .orderBy('agreements.created_at', 'desc')
    .orderBy('agreements.id', 'desc')
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
