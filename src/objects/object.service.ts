import { type Caller, InvalidFields, listPageById, lookUp, NotFound, type Page, timestamp } from '#api';
import type { Database, Tx } from '#platform/db/index.ts';
import { type Clock, newId, parseId } from '#platform/ids.ts';
import type { ObjectRow } from '#schema';
import { accessTeam } from '../teams/index.ts';
import { addressOf } from './mentioned.ts';
import {
  findObjectsWithBase,
  insertObject,
  listObjects,
  listObjectsOfTeam,
  lockObject,
  markObjectDeleted,
  type ObjectOfTeam,
  updateObject,
} from './object.store.ts';
import { resolveObjectUrl } from './object-url.ts';

export interface NewObject {
  name: string;
  team: string;
  type: string;
  url: string;
}

/** Absent fields stay as they are. */
export interface ObjectChange {
  name?: string;
  type?: string;
  url?: string;
}

interface OfObject {
  readonly object: string;
  readonly team: string;
}

/** A fact of an object that others show or tell of. */
export type ObjectFact =
  | (OfObject & { readonly kind: 'opened'; readonly application: string; readonly user: string })
  | (OfObject & { readonly kind: 'changed' | 'deleted' })
  | (OfObject & { readonly kind: 'renamed'; readonly application: string });

/** Runs in the transaction of the fact; joined in src/app. */
export type ObjectListener<Fact = ObjectFact> = (tx: Tx, fact: Fact) => Promise<void>;

export type ObjectService = ReturnType<typeof objectService>;

/** The applications that register objects, as this wing sees them; joined in src/app. */
export interface OfApplications {
  /** Undefined for an application that is not there. */
  baseUrl(tx: Tx, application: string): Promise<string | undefined>;
  isInstalled(tx: Tx, application: string, team: string): Promise<boolean>;
  /**
   * @returns the team
   * @throws NotAllowed when it is not installed on the team, or there is no such team, and while an admin of the team has
   * yet to agree to its new owner
   */
  expectInstalled(tx: Tx, application: string, team: string | undefined): Promise<string>;
  /** Runs in the transaction that makes an object. */
  onMade(tx: Tx, application: string): Promise<void>;
}

export function objectService(deps: {
  db: Database;
  clock: Clock;
  applications: OfApplications;
  publish: ObjectListener;
}) {
  const { db, clock, applications, publish } = deps;

  /** @throws InvalidFields when the address leaves the application's own */
  async function checkUrl(tx: Tx, applicationId: string, url: string): Promise<void> {
    const baseUrl = await applications.baseUrl(tx, applicationId);
    if (baseUrl === undefined) throw new NotFound();
    if (baseUrl === '')
      throw new InvalidFields({ field: 'url', message: 'needs a base_url of the application' });
    if (resolveObjectUrl(baseUrl, url) !== undefined) return;
    throw new InvalidFields({ field: 'url', message: 'must be relative to the base_url and stay below it' });
  }

  /**
   * @throws NotAllowed when the application is not installed on the team, or there is no such team
   * @throws InvalidFields when the address leaves the application's own
   */
  async function create(tx: Tx, applicationId: string, fields: NewObject): Promise<{ id: string }> {
    await checkUrl(tx, applicationId, fields.url);
    const team = await applications.expectInstalled(tx, applicationId, parseId(fields.team));
    const id = newId();
    await insertObject.run(tx, {
      id,
      application_id: applicationId,
      team_id: team,
      type: fields.type,
      name: fields.name,
      url: fields.url,
      created_at: clock(),
    });
    await applications.onMade(tx, applicationId);
    return { id };
  }

  /**
   * Messages that mention it show its new name, and link to its new address.
   * @throws NotFound for an object that is not the application's
   * @throws NotAllowed when the application is no longer installed on the object's team
   * @throws InvalidFields when the address leaves the application's own
   */
  async function change(tx: Tx, applicationId: string, id: string, given: ObjectChange) {
    const row = await lookUp(id, (known) => lockObject.first(tx, { id: known, applicationId }));
    await applications.expectInstalled(tx, applicationId, row.team_id);
    const { name = row.name, type = row.type, url = row.url } = given;
    if (given.url !== undefined) await checkUrl(tx, applicationId, url);
    const changed = { ...row, name, type, url, renamed_at: name === row.name ? row.renamed_at : clock() };
    if (name === row.name && type === row.type && url === row.url) return presentObject(row);
    await updateObject.run(tx, changed);
    const object = { object: row.id, team: row.team_id };
    await publish(tx, { kind: 'changed', ...object });
    if (name !== row.name) await publish(tx, { kind: 'renamed', ...object, application: applicationId });
    return presentObject(changed);
  }

  /** Messages that mention it stay readable; their mention no longer links. @throws NotFound */
  async function remove(tx: Tx, applicationId: string, id: string): Promise<void> {
    const deletion = { applicationId, now: clock() };
    const row = await lookUp(id, (known) => markObjectDeleted.first(tx, { id: known, ...deletion }));
    await publish(tx, { kind: 'deleted', object: row.id, team: row.team_id });
  }

  /**
   * A user follows a link to it.
   * @returns where it leads
   * @throws NotFound for an object of a team that is not the user's
   */
  async function open(tx: Tx, userId: string, id: string): Promise<{ url: string }> {
    const row = await lookUp(id, (known) => findObjectsWithBase.first(tx, { ids: [known] }));
    if (row.deleted_at !== null) throw new NotFound();
    const team = await accessTeam(tx, userId, row.team_id);
    const application = row.application_id;
    if (await applications.isInstalled(tx, application, team.id))
      await publish(tx, { kind: 'opened', object: row.id, application, team: team.id, user: userId });
    return { url: addressOf(row) };
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
    return { objects: rows.map(presentObject), next };
  }

  /**
   * The objects of all applications on a team.
   * @throws NotFound unless the caller is a member, or an application as itself on this team
   */
  async function listOfTeam(
    { userId, onlyTeam, isItself }: Caller,
    id: string,
    filter: { type: string | undefined },
    page: Page,
  ) {
    const teamId = isItself ? onlyTeam : (await accessTeam(db, userId, id)).id;
    if (teamId === undefined) throw new NotFound();
    const { rows, next } = await listPageById(page, (bounds) =>
      listObjectsOfTeam(db, teamId, filter, bounds),
    );
    return { objects: rows.map(presentForTeam), next };
  }

  return { create, change, remove, open, list, listOfTeam };
}

const presentForTeam = (row: ObjectOfTeam) => ({
  ...presentObject(row),
  application: row.application_id,
  url: addressOf(row),
});

const presentObject = ({ id, name, team_id, type, url, created_at }: ObjectRow) => ({
  id,
  name,
  team: team_id,
  type,
  url,
  created_at: timestamp(created_at),
});
