import { timestamp } from '#api';
import type { Database } from '#platform/db/index.ts';
import type { InstallationRow } from '#schema';
import { type ExportPart, listPart } from '../../stewardship/exports/index.ts';
import { scopesOf } from '../applications/index.ts';
import { pageOfInstaller } from './installation.store.ts';

/** The applications that the person installed. */
export const installationsPart = (db: Database): ExportPart =>
  listPart<InstallationRow>(
    'installations.json',
    (page) => pageOfInstaller.all(db, page),
    (row) => row.id,
    presentInstallation,
  );

function presentInstallation(row: InstallationRow) {
  const { id, application_id: application, team_id: team, status, reason } = row;
  return {
    id,
    application,
    team,
    status,
    reason,
    scopes: scopesOf(row),
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  };
}
