import { timestamp } from '#api';
import type { Database } from '#platform/db/index.ts';
import { type ExportPart, listPart } from '../../stewardship/exports/index.ts';
import { scopesOf } from '../applications/index.ts';
import { type AgreementWithApplication, pageOfAgreements } from './agreement.store.ts';

/** The applications that the person lets act, with their scopes. */
export const grantsPart = (db: Database): ExportPart =>
  listPart<AgreementWithApplication>(
    'grants.json',
    (page) => pageOfAgreements.all(db, page),
    (row) => row.id,
    presentGrant,
  );

function presentGrant(row: AgreementWithApplication) {
  return {
    id: row.id,
    application: { id: row.application_id, name: row.application_name },
    team: row.team_id,
    scopes: scopesOf(row),
    created_at: timestamp(row.created_at),
    agreed_at: timestamp(row.agreed_at),
    last_used_at: row.used_at === null ? null : timestamp(row.used_at),
  };
}
