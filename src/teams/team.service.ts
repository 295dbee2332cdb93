import {
  type Caller,
  Conflict,
  costlyWork,
  listPage,
  lookUp,
  NotAllowed,
  NotAuthorized,
  NotFound,
  type PageOrAll,
  refuseTokens,
  type UserPrincipal,
} from '#api';
import type { Database, Reader, Tx } from '#platform/db/index.ts';
import { type Clock, LOWEST_ID, newId, parseId } from '#platform/ids.ts';
import { inSteps, type Origin } from '#platform/jobs/index.ts';
import type { TeamRow } from '#schema';
import { lockActiveUser, type UserPresenter } from '../people/users/index.ts';
import type { Recorder } from '../stewardship/audit/index.ts';
import { leaveGroups } from './group.store.ts';
import { deleteInvitationsBy } from './invitation.store.ts';
import { deleteJoinLinksBy, forgetRemoval, noteRemoval } from './join-link.store.ts';
import type { MemberWriter } from './member.writer.ts';
import type { OwnWriter } from './own.writer.ts';
import { accessTeam, accessTeamAsAdmin } from './team.access.ts';
import { presentMembership, presentTeam } from './team.present.ts';
import { ADMIN, type Membership, type Team } from './team.schema.ts';
import type { ForgetMembers } from './team.steps.ts';
import {
  changeNumMembers,
  closeTeam,
  deleteMembership,
  endLeading,
  findMember,
  findOtherAdmin,
  findTeamItself,
  insertMembership,
  insertTeam,
  listLedAlone,
  listPackedMembers,
  lockTeam,
  lockTeamsOf,
  type MemberRow,
  ofPerson,
  pageOfPackedMembers,
  type TeamView,
  updateFlags,
  updateRole,
  updateTeam,
} from './team.store.ts';

/** Changes that listeners handle in the same transaction; joined in src/app. */
export type TeamChange =
  | {
      readonly kind: 'member_added' | 'member_removed' | 'role_changed';
      readonly teamId: string;
      readonly userId: string;
      /** The actor; the member themselves when they joined or left. */
      readonly actorId: string;
    }
  | { readonly kind: 'changed' | 'deleted' | 'restored'; readonly teamId: string };
export type TeamListener = (tx: Tx, change: TeamChange) => Promise<void>;

export interface TeamFields {
  name?: string;
  color?: string;
  icon?: string;
  description?: string;
  open?: boolean;
  programs_notify?: boolean;
  link_previews?: TeamRow['link_previews'];
}

const DEFAULT_COLOR = '#1f6feb';
/** Lists of all members that are read at the same time: the rows of all that are asked for would fill the memory. */
const WHOLE_LISTS = { atOnce: 8, waitingOfSource: 100, waitingInLane: 1000 };

/** Teams that a deleted user leaves in one transaction: each is a dozen statements, and locked until its end. */
const LEFT_AT_ONCE = 20;
/** Of the teams that an error names. */
const MOST_NAMED = 20;

export type TeamService = ReturnType<typeof teamService>;

export function teamService(deps: {
  db: Database;
  clock: Clock;
  present: UserPresenter;
  writeMembers: MemberWriter;
  writeMembersWithoutAddresses: MemberWriter;
  writeOwn: OwnWriter;
  publish: TeamListener;
  record: Recorder;
  forgetMutes: ForgetMembers;
  forget: readonly ForgetMembers[];
  /** Forgets when the mute of a team ends. */
  forgetMute: (tx: Tx, mute: { userId: string; placeId: string }) => Promise<unknown>;
  /** Aborted when the server stops. */
  stopping: AbortSignal;
}) {
  const { db, clock, present, writeMembers, writeMembersWithoutAddresses, writeOwn } = deps;
  const { publish, record, forget, forgetMute, forgetMutes } = deps;

  const inTurn = costlyWork('lists', WHOLE_LISTS, deps.stopping);

  async function create(tx: Tx, userId: string, fields: TeamFields & { name: string }): Promise<Team> {
    const now = clock();
    const { name, color = DEFAULT_COLOR, icon = '', description = '' } = fields;
    const id = newId();
    await insertTeam.run(tx, {
      id,
      name,
      color,
      icon,
      description,
      is_open: Number(fields.open ?? false),
      programs_notify: Number(fields.programs_notify ?? false),
      link_previews: fields.link_previews ?? 'people',
      num_members: 0,
      active: 1,
      message_seq: 0,
      created_at: now,
      updated_at: now,
    });
    await record(tx, { action: 'team.created', target: ['team', id], teamId: id });
    await addMember(tx, { teamId: id, userId, type: ADMIN, inviterId: null, at: now });
    return presentTeam(await accessTeam(tx, userId, id));
  }

  /** Adding a member again changes nothing. @throws NotAuthorized when their account is closed at this moment */
  async function addMember(
    tx: Tx,
    member: { teamId: string; userId: string; type: number; inviterId: string | null; at?: number },
  ): Promise<void> {
    const now = member.at ?? clock();
    if (!(await lockActiveUser.first(tx, { id: member.userId }))) throw new NotAuthorized();
    const added = await insertMembership.first(tx, {
      team_id: member.teamId,
      user_id: member.userId,
      membership_type: member.type,
      inviter_id: member.inviterId,
      created_at: now,
      updated_at: now,
    });
    if (!added) return;
    await forgetRemoval.run(tx, { teamId: member.teamId, userId: member.userId });
    await changeNumMembers.run(tx, { id: member.teamId, by: 1, now });
    const { teamId, userId } = member;
    await recordMember(tx, 'member.added', teamId, userId, member.type);
    await publish(tx, { kind: 'member_added', teamId, userId, actorId: userId });
  }

  const recordMember = (
    tx: Tx,
    action: 'member.added' | 'member.removed' | 'member.role_changed',
    teamId: string,
    userId: string,
    membership_type: number,
  ) => record(tx, { action, target: ['user', userId], teamId, detail: { membership_type } });

  const get = async (caller: Caller, id: string) => presentTeam(await teamOf(db, caller, id));

  /** @throws NotFound unless the caller is a member, or an application as itself on this team */
  async function teamOf(reader: Reader, { userId, onlyTeam, isItself }: Caller, id: string) {
    const team = isItself
      ? await lookUp(id, (teamId) => findTeamItself.first(reader, { teamId }))
      : await accessTeam(reader, userId, id);
    if (onlyTeam !== undefined && team.id !== onlyTeam) throw new NotFound();
    return team;
  }

  async function change(tx: Tx, userId: string, id: string, fields: TeamFields): Promise<Team> {
    const { id: teamId } = await accessTeamAsAdmin(tx, userId, id);
    // Locks the team, so that concurrent changes do not undo each other.
    const team = await lockTeam.first(tx, { id: teamId });
    if (!team) throw new NotFound();
    const { name = team.name, color = team.color, icon = team.icon, description = team.description } = fields;
    const is_open = Number(fields.open ?? team.is_open);
    const programs_notify = Number(fields.programs_notify ?? team.programs_notify);
    const { link_previews = team.link_previews } = fields;
    const settings = { is_open, programs_notify, link_previews };
    const changed = { name, color, icon, description, ...settings, updated_at: clock() };
    await updateTeam.run(tx, { id: team.id, ...changed });
    const detail = { fields: Object.keys(fields) };
    await record(tx, { action: 'team.changed', target: ['team', team.id], teamId: team.id, detail });
    await publish(tx, { kind: 'changed', teamId: team.id });
    return presentTeam(await accessTeam(tx, userId, id));
  }

  async function remove(tx: Tx, userId: string, id: string): Promise<void> {
    const team = await accessTeamAsAdmin(tx, userId, id);
    await close(tx, team.id);
  }

  async function close(tx: Tx, teamId: string): Promise<void> {
    if (!(await closeTeam.first(tx, { id: teamId, now: clock() }))) return;
    await record(tx, { action: 'team.deleted', target: ['team', teamId], teamId });
    await publish(tx, { kind: 'deleted', teamId });
  }

  /** By user id; all members unless a page is requested. */
  function members(caller: Caller, turn: Origin, id: string, page: PageOrAll) {
    const list = () => listMembers(caller, id, page);
    return page.limit === undefined ? inTurn(turn, list) : list();
  }

  async function listMembers(caller: Caller, id: string, page: PageOrAll) {
    const reader = await db.forLists();
    const team = await teamOf(reader, caller, id);
    const after = parseId(page.after?.[0]) ?? LOWEST_ID;
    const now = clock();
    const { rows, next } = await listPage(
      page,
      (limit) =>
        limit === undefined
          ? listPackedMembers.all(reader, { teamId: team.id, now })
          : pageOfPackedMembers.all(reader, { teamId: team.id, now, after, limit }),
      (row) => [row.user_id],
    );
    const write = caller.addresses ? writeMembers : writeMembersWithoutAddresses;
    return { members: await write(reader, rows, presentTeam(team)), next };
  }

  /** The caller's own memberships, each with its team. */
  const ownMemberships = ({ userId, onlyTeam }: Caller) => writeOwn(db, userId, onlyTeam);

  async function membership(reader: Reader, userId: string, teamId: string): Promise<Membership> {
    const team = await accessTeam(reader, userId, teamId);
    const row = await findMember.first(reader, { teamId: team.id, userId });
    if (!row) throw new NotFound();
    return presentMembership(row, presentTeam(team), present);
  }

  /** @throws NotFound when `memberId` is no member of the team */
  async function lockMember(tx: Tx, team: TeamView, memberId: string): Promise<MemberRow> {
    // Two admins who leave at once must not both see the other one stay.
    await changeNumMembers.run(tx, { id: team.id, by: 0, now: clock() });
    return lookUp(memberId, (userId) => findMember.first(tx, { teamId: team.id, userId }));
  }

  /** Counts active accounts only: a deactivated admin cannot lead a team. */
  async function isLastAdmin(tx: Tx, row: MemberRow): Promise<boolean> {
    if (row.membership_type !== ADMIN) return false;
    return !(await findOtherAdmin.first(tx, { teamId: row.team_id, userId: row.user_id }));
  }

  async function refuseLastAdmin(tx: Tx, row: MemberRow): Promise<void> {
    if (!(await isLastAdmin(tx, row))) return;
    throw new Conflict('last_admin', 'A team needs an admin: make another member an admin first');
  }

  async function changeRole(
    tx: Tx,
    userId: string,
    id: string,
    memberId: string,
    type: number,
  ): Promise<Membership> {
    const team = await accessTeamAsAdmin(tx, userId, id);
    const row = await lockMember(tx, team, memberId);
    await setRole(tx, row, type, userId);
    const changed = await findMember.first(tx, { teamId: team.id, userId: row.user_id });
    return presentMembership(changed ?? row, presentTeam(team), present);
  }

  async function setRole(tx: Tx, row: MemberRow, type: number, actorId: string): Promise<void> {
    if (row.membership_type === type) return;
    if (type !== ADMIN) await refuseLastAdmin(tx, row);
    await updateRole.run(tx, { ...row, membership_type: type, updated_at: clock() });
    if (type !== ADMIN) await endInvitations(tx, row);
    await recordMember(tx, 'member.role_changed', row.team_id, row.user_id, type);
    await publish(tx, { kind: 'role_changed', teamId: row.team_id, userId: row.user_id, actorId });
  }

  /** An admin removes anybody; everybody may leave. An application for them may only remove those who are no admins. */
  async function removeMember(tx: Tx, principal: UserPrincipal, id: string, memberId: string): Promise<void> {
    const { userId } = principal;
    const team = await accessTeam(tx, userId, id);
    const self = parseId(memberId) === userId;
    if (!self && team.membership_type !== ADMIN) {
      throw new NotAllowed('not_admin', 'Only an admin of the team may remove others');
    }
    const row = await lockMember(tx, team, memberId);
    refuseTokens(principal, self || row.membership_type === ADMIN);
    await refuseLastAdmin(tx, row);
    await takeOut(tx, row);
    if (!self) await noteRemoval.run(tx, { teamId: team.id, userId: row.user_id, now: clock() });
    await publish(tx, { kind: 'member_removed', teamId: team.id, userId: row.user_id, actorId: userId });
  }

  /**
   * Ends the invitations and links of an inviter who loses the right to invite, so that they admit no one, least of all
   * the inviter.
   */
  async function endInvitations(tx: Tx, { team_id: teamId, user_id: inviterId }: MemberRow): Promise<void> {
    await deleteInvitationsBy.run(tx, { teamId, inviterId });
    await deleteJoinLinksBy.run(tx, { teamId, userId: inviterId });
  }

  async function takeOut(tx: Tx, row: MemberRow): Promise<void> {
    const { team_id: teamId, user_id: userId } = row;
    const members = { teamId, userIds: [userId] };
    // Locked in the order in which messages are muted and read: the mutes, the membership, then the rest.
    await forgetMutes(tx, members);
    await deleteMembership.all(tx, { teamId, userId });
    for (const one of [...forget, leaveGroups.run]) await one(tx, members);
    await endInvitations(tx, row);
    await changeNumMembers.run(tx, { id: teamId, by: -1, now: clock() });
    await recordMember(tx, 'member.removed', teamId, userId, row.membership_type);
  }

  /**
   * Removes a deleted user from their teams. A team without other members is deleted. Of many teams they lead none any more,
   * and leave them after the transaction: others wait for each team that it has locked.
   * @throws Conflict naming teams of which they are the last admin
   */
  async function leaveAll(tx: Tx, userId: string): Promise<void> {
    await refuseToAbandon(tx, userId);
    if (!(await leaving.atOnce(tx, userId))) await endLeading.run(tx, { userId, now: clock() });
  }

  /** Removes a deleted user from their teams. */
  const leaving = inSteps({
    ...ofPerson,
    most: LEFT_AT_ONCE,
    async carryOut(tx, rows, userId) {
      for (const { team_id: id } of rows) {
        const team = await lockTeam.first(tx, { id });
        const row = await findMember.first(tx, { teamId: id, userId });
        if (team && row) await leave(tx, team, row);
      }
    },
  });

  /**
   * For a user who closes their account.
   * @throws Conflict naming teams with other members of which they are the last admin
   */
  async function refuseToAbandon(tx: Tx, userId: string): Promise<void> {
    await lockTeamsOf.all(tx, { userId });
    const alone = await listLedAlone.all(tx, { userId, limit: MOST_NAMED + 1 });
    if (alone.length === 0) return;
    const names = alone.slice(0, MOST_NAMED).map(({ name, id }) => `${name} (${id})`);
    const all = [...names, ...(alone.length > MOST_NAMED ? ['and others'] : [])].join(', ');
    throw new Conflict('last_admin', `Make another member an admin first in: ${all}`);
  }

  async function leave(tx: Tx, team: TeamRow, row: MemberRow): Promise<void> {
    const { user_id: userId } = row;
    const isAlone = team.num_members === 1;
    if (team.active === 1 && isAlone) await close(tx, team.id);
    await takeOut(tx, row);
    // The members of a deleted team are not announced.
    if (team.active === 1 && !isAlone)
      await publish(tx, { kind: 'member_removed', teamId: team.id, userId, actorId: userId });
  }

  /** A member's own settings for a team. */
  async function changeOwn(
    tx: Tx,
    userId: string,
    id: string,
    flags: { is_muted?: boolean; is_favorite?: boolean },
  ): Promise<Membership> {
    const team = await accessTeam(tx, userId, id);
    const row = await findMember.first(tx, { teamId: team.id, userId });
    if (!row) throw new NotFound();
    const { is_muted, is_favorite } = flags;
    // The mute is locked before the flag, here and where it ends.
    if (is_muted !== undefined) await forgetMute(tx, { userId, placeId: team.id });
    await updateFlags.run(tx, {
      ...row,
      is_muted: is_muted === undefined ? null : Number(is_muted),
      is_favorite: is_favorite === undefined ? null : Number(is_favorite),
      updated_at: clock(),
    });
    return membership(tx, userId, team.id);
  }

  return {
    create,
    addMember,
    get,
    change,
    remove,
    members,
    ownMemberships,
    membership,
    changeRole,
    setRole,
    removeMember,
    leaveAll,
    leaving,
    refuseToAbandon,
    changeOwn,
  };
}
