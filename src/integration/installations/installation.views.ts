import { listPageById, type Page, timestamp } from '#api';
import type { Database, Reader } from '#platform/db/index.ts';
import type { ApplicationRow, InstallationRow } from '#schema';
import { findSummariesIn, findUser, type UserPresenter } from '../../people/users/index.ts';
import { accessTeam } from '../../teams/index.ts';
import { type ApplicationService, findAnyApplication, scopesOf, splitLinks } from '../applications/index.ts';
import type { Decision, Installation } from './installation.schema.ts';
import { findInstallation, listOfTeam, pageOfApplication } from './installation.store.ts';
import { changesOf, declinedOf } from './scope-history.ts';

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
    const installations = rows.map(
      ({ id, team_id, team_name, status, reason, created_at, asleep_since }) => ({
        id,
        // The name was told to the owner to whom the team has agreed.
        team: { id: team_id, name: asleep_since === null ? team_name : '' },
        status,
        reason,
        created_at: timestamp(created_at),
      }),
    );
    return { installations, next };
  }

  async function presentInstallation(reader: Reader, row: InstallationRow): Promise<Installation> {
    const [application, [installer]] = await Promise.all([
      findAnyApplication.first(reader, { id: row.application_id }),
      findSummariesIn(reader, row.team_id, [row.installed_by]),
    ]);
    if (!application || !installer)
      throw new Error(`installation ${row.id} has lost its application or installer`);
    const owner = await findUser.first(reader, { id: application.owner_id });
    return {
      id: row.id,
      application: applications.presentPublic(application),
      team: row.team_id,
      status: row.status,
      reason: row.reason,
      ...splitScopes(application, row),
      ...presentLinks(application, row),
      owner: owner?.active === 1 ? { id: owner.id, name: nameOf(owner) } : null,
      asleep_since: row.asleep_since === null ? null : timestamp(row.asleep_since),
      installed_by: present.summary(installer),
      created_at: timestamp(row.created_at),
      updated_at: timestamp(row.updated_at),
    };
  }

  /** The decisions of admins about its scopes, the newest first. */
  async function presentDecisions(row: InstallationRow): Promise<Decision[]> {
    const changes = changesOf(row);
    const ids = [...new Set(changes.map(({ by }) => by))];
    const people = await findSummariesIn(db, row.team_id, ids);
    const byId = new Map(people.map((person) => [person.id, present.summary(person)]));
    return changes.map(({ at, by, ...change }) => {
      const person = byId.get(by);
      return { ...change, decided_at: timestamp(at), ...(person && { decided_by: person }) };
    });
  }

  return { list, listOfOwn, byId, presentInstallation, presentDecisions };
}

const nameOf = ({ first_name, last_name }: { first_name: string; last_name: string }) =>
  `${first_name} ${last_name}`.trim();

/** The requested scopes, split into those that are granted, declined, and neither. */
function splitScopes(application: ApplicationRow, installation: InstallationRow) {
  const granted = scopesOf(installation);
  const asked = scopesOf(application);
  const declined = declinedOf(installation);
  const open = asked.filter((scope) => installation.status === 'active' && !granted.includes(scope));
  return {
    scopes: asked.filter((scope) => granted.includes(scope)),
    requested_scopes: open.filter((scope) => !declined.includes(scope)),
    declined_scopes: open.filter((scope) => declined.includes(scope)),
  };
}

/** The same for the beginnings of links. */
function presentLinks(application: ApplicationRow, installation: InstallationRow) {
  const { granted, requested, declined } = splitLinks(application, installation);
  const isOpen = installation.status === 'active';
  return {
    link_prefixes: granted,
    requested_link_prefixes: isOpen ? requested : [],
    declined_link_prefixes: isOpen ? declined : [],
  };
}

export async function mustFind(db: Reader, id: string): Promise<InstallationRow> {
  const row = await findInstallation.first(db, { id });
  if (!row) throw new Error(`installation ${id} is gone`);
  return row;
}
