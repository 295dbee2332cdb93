import { InvalidFields, listPageById, lookUp, NotAllowed, NotFound, type Page, timestamp } from '#api';
import type { Database, Reader, Tx } from '#platform/db/index.ts';
import { type Clock, newId, parseId } from '#platform/ids.ts';
import { findApplication, type Progress } from '../applications/index.ts';
import type { InstallationService } from '../installations/index.ts';
import { findObjectsWithBase, insertObject, listObjects, markObjectDeleted } from './object.store.ts';
import { resolveObjectUrl } from './object-url.ts';

export interface NewObject {
  name: string;
  team: string;
  type: string;
  url: string;
}

export type ObjectService = ReturnType<typeof objectService>;

export function objectService(deps: {
  db: Database;
  clock: Clock;
  installations: InstallationService;
  progress: Progress;
}) {
  const { db, clock, installations, progress } = deps;

  /**
   * @throws NotAllowed when the application is not installed on the team, or there is no such team
   * @throws InvalidFields when the address leaves the application's own
   */
  async function create(tx: Tx, applicationId: string, fields: NewObject): Promise<{ id: string }> {
    const application = await findApplication.first(tx, { id: applicationId });
    if (!application) throw new NotFound();
    if (resolveObjectUrl(application.base_url, fields.url) === undefined) {
      throw new InvalidFields({
        field: 'url',
        message: 'must be relative to the base_url and stay below it',
      });
    }
    const teamId = parseId(fields.team);
    const installation = teamId && (await installations.active(tx, applicationId, teamId));
    if (!installation) {
      throw new NotAllowed('app_not_installed', 'The application is not installed on this team');
    }
    const id = newId();
    await insertObject.run(tx, {
      id,
      application_id: applicationId,
      team_id: installation.team_id,
      type: fields.type,
      name: fields.name,
      url: fields.url,
      created_at: clock(),
    });
    await progress.note(tx, applicationId, 'object_made');
    return { id };
  }

  /** Messages that mention it stay readable; their mention no longer links. @throws NotFound */
  async function remove(tx: Tx, applicationId: string, id: string): Promise<void> {
    await lookUp(id, (known) => markObjectDeleted.first(tx, { id: known, applicationId, now: clock() }));
  }

  async function list(
    applicationId: string,
    filter: { team: string | undefined; type: string | undefined },
    page: Page,
  ) {
    const team = filter.team === undefined ? undefined : parseId(filter.team);
    if (filter.team !== undefined && !team) return { objects: [], next: null };
    const { rows, next } = await listPageById(page, (bounds) =>
      listObjects(db, applicationId, { ...filter, team }, bounds),
    );
    const objects = rows.map(({ id, name, team_id, type, url, created_at }) => ({
      id,
      name,
      team: team_id,
      type,
      url,
      created_at: timestamp(created_at),
    }));
    return { objects, next };
  }

  return { create, remove, list };
}

/** The absolute addresses of those of `ids` that exist. */
export async function linksOf(db: Reader, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await findObjectsWithBase.all(db, { ids });
  return new Map(rows.map((row) => [row.id, resolveObjectUrl(row.base_url, row.url) ?? row.base_url]));
}
