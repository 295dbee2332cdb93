import { inIdList, locked } from '#platform/db/index.ts';
import { type AgreementRow, statement } from '#schema';
import type { PageOfUser } from '../../stewardship/exports/index.ts';

/** The key of an agreement: a person, an application and a team. */
export interface AgreementKey {
  readonly userId: string;
  readonly applicationId: string;
  readonly teamId: string;
}

export const findAgreement = statement<AgreementKey>()((q, p) =>
  q
    .selectFrom('agreements')
    .selectAll()
    .where('user_id', '=', p.userId)
    .where('application_id', '=', p.applicationId)
    .where('team_id', '=', p.teamId),
);

/** Inserts the agreement unless it exists. Returns the row, locked until the transaction ends. */
export const insertAgreement = statement<AgreementKey & { id: string; now: number }>()((q, p) =>
  q
    .insertInto('agreements')
    .values({
      id: p.id,
      user_id: p.userId,
      application_id: p.applicationId,
      team_id: p.teamId,
      scopes_json: '[]',
      created_at: p.now,
      agreed_at: p.now,
      used_at: null,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'application_id', 'team_id'])
        .doUpdateSet((eb) => ({ user_id: eb.ref('excluded.user_id') })),
    )
    .returningAll(),
);

export const widenAgreement = statement<Pick<AgreementRow, 'id' | 'scopes_json' | 'agreed_at'>>()((q, p) =>
  q
    .updateTable('agreements')
    .set({ scopes_json: p.scopes_json, agreed_at: p.agreed_at })
    .where('id', '=', p.id),
);

/**
 * Marks the agreement as used and locks it, so that it cannot be ended during the transaction. Returns no row if it
 * has been ended.
 */
export const useAgreement = statement<AgreementKey & { now: number }>()((q, p) =>
  q
    .updateTable('agreements')
    .set({ used_at: p.now })
    .where('user_id', '=', p.userId)
    .where('application_id', '=', p.applicationId)
    .where('team_id', '=', p.teamId)
    .returning(['id', 'scopes_json']),
);

/**
 * Marks agreements as used. Those that are locked are passed over: each of them is used at this moment, or ended, and
 * nobody waits for a transaction that ends many of them.
 */
export const noteUsed = statement<{ ids: readonly string[]; now: number }>()((q, p, dialect) =>
  q
    .updateTable('agreements')
    .set({ used_at: p.now })
    .where((eb) => {
      const named = eb
        .selectFrom('agreements')
        .select('id')
        .where(inIdList(dialect, 'id', p.ids));
      return eb('id', 'in', locked(dialect, named, 'skip locked'));
    }),
);

/** Whether a person has authorised an application, in any team. */
export const knowsApplication = statement<{ userId: string; applicationId: string }>()((q, p) =>
  q
    .selectFrom('agreements')
    .select('id')
    .where('user_id', '=', p.userId)
    .where('application_id', '=', p.applicationId)
    .limit(1),
);

export const deleteAgreementsOfInstallation = statement<{ applicationId: string; teamId: string }>()((q, p) =>
  q.deleteFrom('agreements').where('team_id', '=', p.teamId).where('application_id', '=', p.applicationId),
);

export const deleteAgreementsOfApplication = statement<{ applicationId: string }>()((q, p) =>
  q.deleteFrom('agreements').where('application_id', '=', p.applicationId),
);

export const deleteAgreementsOfMember = statement<{ userId: string; teamId: string }>()((q, p) =>
  q.deleteFrom('agreements').where('user_id', '=', p.userId).where('team_id', '=', p.teamId),
);

export const deleteAgreementsOfUser = statement<{ userId: string }>()((q, p) =>
  q.deleteFrom('agreements').where('user_id', '=', p.userId),
);

export type AgreementWithApplication = AgreementRow & { application_name: string };

/** The grants of applications that act for the user. */
export const pageOfAgreements = statement<PageOfUser>()((q, p) =>
  q
    .selectFrom('agreements')
    .innerJoin('applications', 'applications.id', 'agreements.application_id')
    .selectAll('agreements')
    .select('applications.name as application_name')
    .where('agreements.user_id', '=', p.userId)
    .where('agreements.id', '>', p.after)
    .orderBy('agreements.id')
    .limit(p.limit),
);
