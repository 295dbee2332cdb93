import { Conflict, InvalidFields, listPage, lookUp, NotFound, type Page, timestamp } from '#api';
import type { Database, Reader, Tx } from '#platform/db/index.ts';
import { type Clock, newId, parseId } from '#platform/ids.ts';
import type { PeopleGroupRow } from '#schema';
import { isReserved, usernameTaken } from '../people/users/index.ts';
import type { Recorder } from '../stewardship/audit/index.ts';
import type { NewPeopleGroup, PeopleGroup, PeopleGroupChange } from './group.schema.ts';
import {
  countGroups,
  deleteGroup,
  deleteGroupUsers,
  findGroup,
  findGroupByName,
  insertGroup,
  insertGroupUsers,
  listGroupUsers,
  listMembersAmong,
  pageOfGroups,
  updateGroup,
} from './group.store.ts';
import { accessTeam, accessTeamAsAdmin } from './team.access.ts';
import type { TeamListener } from './team.service.ts';
import { lockTeam } from './team.store.ts';

/** The most groups of a team. */
export const MOST_GROUPS = 100;

interface Place {
  readonly team: string;
  readonly group: string;
}

export type GroupService = ReturnType<typeof groupService>;

/** Groups of a team's members, made by its admins: the name of one calls all who are in it. */
export function groupService(deps: { db: Database; clock: Clock; publish: TeamListener; record: Recorder }) {
  const { db, clock, publish, record } = deps;

  /** @throws NotAllowed unless the user is an admin @throws Conflict for a name that is taken, or a group too many */
  async function make(tx: Tx, userId: string, teamId: string, fields: NewPeopleGroup): Promise<PeopleGroup> {
    const id = await lockAsAdmin(tx, userId, teamId);
    const count = await countGroups.first(tx, { teamId: id });
    if (Number(count?.groups ?? 0) >= MOST_GROUPS)
      throw new Conflict('too_many_people_groups', `A team has at most ${MOST_GROUPS} groups`);
    await refuseTaken(tx, id, fields.name);
    const now = clock();
    const { name, users = [] } = fields;
    const row: PeopleGroupRow = {
      id: newId(),
      team_id: id,
      name,
      name_key: name.toLowerCase(),
      created_at: now,
      updated_at: now,
    };
    await insertGroup.run(tx, row);
    await put(tx, row, users);
    await tell(tx, id);
    return present(tx, row);
  }

  /** By name. Every member sees who is in them. */
  async function list(userId: string, teamId: string, page: Page) {
    const team = await accessTeam(db, userId, teamId);
    const after = page.after?.[0] ?? '';
    const { rows, next } = await listPage(
      page,
      (limit) => pageOfGroups.all(db, { teamId: team.id, after, limit }),
      (row) => [row.name_key],
    );
    return { groups: await presentAll(db, rows), next };
  }

  /** @param fields.users replaces those who are in it */
  async function change(
    tx: Tx,
    userId: string,
    place: Place,
    fields: PeopleGroupChange,
  ): Promise<PeopleGroup> {
    const teamId = await lockAsAdmin(tx, userId, place.team);
    const row = await lookUp(place.group, (id) => findGroup.first(tx, { id, teamId }));
    const { name = row.name, users } = fields;
    const changed = { ...row, name, name_key: name.toLowerCase(), updated_at: clock() };
    if (changed.name_key !== row.name_key) await refuseTaken(tx, teamId, name);
    await updateGroup.run(tx, changed);
    if (users) {
      await deleteGroupUsers.run(tx, { groupId: row.id });
      await put(tx, row, users);
    }
    await tell(tx, teamId);
    return present(tx, changed);
  }

  async function remove(tx: Tx, userId: string, place: Place): Promise<void> {
    const teamId = await lockAsAdmin(tx, userId, place.team);
    await lookUp(place.group, (id) => deleteGroup.first(tx, { id, teamId }));
    await tell(tx, teamId);
  }

  /** Two changes of one team's groups wait for each other, and for members who leave. */
  async function lockAsAdmin(tx: Tx, userId: string, teamId: string): Promise<string> {
    const { id } = await accessTeamAsAdmin(tx, userId, teamId);
    if (!(await lockTeam.first(tx, { id }))) throw new NotFound();
    return id;
  }

  async function tell(tx: Tx, teamId: string): Promise<void> {
    await record(tx, {
      action: 'team.changed',
      target: ['team', teamId],
      teamId,
      detail: { fields: ['groups'] },
    });
    await publish(tx, { kind: 'changed', teamId });
  }

  return { make, list, change, remove };
}

/** @throws InvalidFields for a reserved name @throws Conflict where a person, or a group of the team, has it */
async function refuseTaken(tx: Tx, teamId: string, name: string): Promise<void> {
  if (isReserved(name)) throw new InvalidFields({ field: 'name', message: 'is reserved: it calls others' });
  const key = name.toLowerCase();
  if (await usernameTaken.first(tx, { key }))
    throw new Conflict('group_name', 'A person has this name: take another one');
  if (await findGroupByName.first(tx, { teamId, key }))
    throw new Conflict('group_name', 'The team has a group with this name: take another one');
}

/** @throws InvalidFields for somebody who is no member of the team */
async function put(tx: Tx, { id, team_id }: PeopleGroupRow, users: readonly string[]): Promise<void> {
  const given = users.map((user) => parseId(user));
  const ids = [...new Set(given)].filter((user) => user !== undefined);
  const found = await listMembersAmong.all(tx, { teamId: team_id, ids });
  const members = new Set(found.map((member) => member.id));
  const stranger = given.findIndex((user) => user === undefined || !members.has(user));
  if (stranger !== -1)
    throw new InvalidFields({
      field: `users.${stranger}`,
      message: 'must be the id of a member of the team',
    });
  await insertGroupUsers(
    tx,
    ids.map((user_id) => ({ group_id: id, user_id, team_id })),
  );
}

const present = async (reader: Reader, row: PeopleGroupRow): Promise<PeopleGroup> =>
  (await presentAll(reader, [row]))[0] as PeopleGroup;

async function presentAll(reader: Reader, rows: readonly PeopleGroupRow[]): Promise<PeopleGroup[]> {
  if (rows.length === 0) return [];
  const found = await listGroupUsers.all(reader, { ids: rows.map(({ id }) => id) });
  const users = Map.groupBy(found, (row) => row.group_id);
  return rows.map(({ id, name, created_at, updated_at }) => ({
    ...{ id, name },
    users: (users.get(id) ?? []).map((row) => row.user_id),
    created_at: timestamp(created_at),
    updated_at: timestamp(updated_at),
  }));
}
