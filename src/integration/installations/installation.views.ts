import { listPageById, type Page, timestamp } from '#api';
import type { Database, Reader } from '#platform/db/index.ts';
import type { ApplicationRow, InstallationRow } from '#schema';
import { findUser, type UserPresenter } from '../../people/users/index.ts';
import { accessTeam } from '../../teams/index.ts';
import { type ApplicationService, findAnyApplication, scopesOf } from '../applications/index.ts';
import type { Installation } from './installation.schema.ts';
import { findInstallation, listOfTeam, pageOfApplication } from './installation.store.ts';

export type InstallationViews = ReturnType<typeof installationViews>;

/** Installations as their teams and their developers see them. */
export function installationViews(deps: {
  db: Database;
  applications: ApplicationService;
  present: UserPresenter;
}) {
  const { db, applications, present } = deps;

  async function list(userId: string, teamId: string): Promise<Installation[]> {
    const team = await accessTeam(db, userId, teamId);
    const rows = await listOfTeam.all(db, { teamId: team.id });
    return Promise.all(rows.map((row) => presentInstallation(db, row)));
  }

  /** The team's view. */
  const byId = async (id: string) => presentInstallation(db, await mustFind(db, id));

  /** The installations of the owner's application, also ended and failed ones, newest first. */
  async function listOfOwn(userId: string, applicationId: string, page: Page) {
    const { id } = await applications.accessOwn(db, userId, applicationId);
    const { rows, next } = await listPageById(page, (bounds) => pageOfApplication(db, id, bounds));
    const installations = rows.map(({ id, team_id, team_name, status, reason, created_at }) => ({
      id,
      team: { id: team_id, name: team_name },
      status,
      reason,
      created_at: timestamp(created_at),
    }));
    return { installations, next };
  }

  async function presentInstallation(reader: Reader, row: InstallationRow): Promise<Installation> {
    const [application, installer] = await Promise.all([
      findAnyApplication.first(reader, { id: row.application_id }),
      findUser.first(reader, { id: row.installed_by }),
    ]);
    if (!application || !installer)
      throw new Error(`installation ${row.id} has lost its application or installer`);
    return {
      id: row.id,
      application: applications.presentPublic(application),
      team: row.team_id,
      status: row.status,
      reason: row.reason,
      ...splitScopes(application, row),
      installed_by: present.summary(installer),
      created_at: timestamp(row.created_at),
      updated_at: timestamp(row.updated_at),
    };
  }

  return { list, listOfOwn, byId, presentInstallation };
}

/** The requested scopes, split into granted and missing ones. */
function splitScopes(application: ApplicationRow, installation: InstallationRow) {
  const granted = scopesOf(installation);
  const asked = scopesOf(application);
  return {
    scopes: asked.filter((scope) => granted.includes(scope)),
    requested_scopes: asked.filter((scope) => installation.status === 'active' && !granted.includes(scope)),
  };
}

export async function mustFind(db: Reader, id: string): Promise<InstallationRow> {
  const row = await findInstallation.first(db, { id });
  if (!row) throw new Error(`installation ${id} is gone`);
  return row;
}
