import {
  Conflict,
  InvalidFields,
  listPageById,
  lookUp,
  NotAllowed,
  NotFound,
  type Page,
  timestamp,
} from '#api';
import { hashToken, sign } from '#platform/crypto/index.ts';
import type { Database, Reader, Tx } from '#platform/db/index.ts';
import { type Clock, HIGHEST_ID, newId } from '#platform/ids.ts';
import { isMailAddress } from '#platform/mail/index.ts';
import type { JoinLinkRow, UserRow } from '#schema';
import { domainOf, findUser } from '../people/users/index.ts';
import type { Recorder } from '../stewardship/audit/index.ts';
import type { JoinLink, NewJoinLink, ShownJoinLink } from './join-link.schema.ts';
import {
  countJoinLinks,
  deleteExpiredJoinLinks,
  deleteJoinLink,
  findJoinLink,
  findRemoval,
  findUsedJoinLink,
  insertJoinLink,
  insertWaitingJoin,
  pageOfJoinLinks,
  takeWaitingJoins,
  useJoinLink,
} from './join-link.store.ts';
import { lockToJoin } from './joining.ts';
import { accessTeamAsAdmin } from './team.access.ts';
import { ADMIN, MEMBER, type Membership } from './team.schema.ts';
import type { TeamService } from './team.service.ts';
import { findMember, lockTeam } from './team.store.ts';

/** The most join links that a team may have. */
export const MOST_JOIN_LINKS = 100;

export type JoinLinkService = ReturnType<typeof joinLinkService>;

/** Links by which many may join a team. What a link gives, and its limits, are in its row, and are read when it is used. */
export function joinLinkService(deps: {
  db: Database;
  clock: Clock;
  teams: TeamService;
  /** Tokens are made with it from the ids of links. */
  key: Buffer;
  /** How long a link lasts that makes admins and has no end of its own. */
  lifetimeMs: number;
  baseUrl: () => string;
  /** Whether a new account can prove its address: by a mail. */
  canProve: boolean;
  record: Recorder;
}) {
  const { db, clock, teams, key, lifetimeMs, baseUrl, canProve, record } = deps;

  /** Not stored, so that the database lets nobody in; made again where an admin lists the links. */
  const tokenOf = (id: string) => sign(key, `join link ${id}`);

  const find = (reader: Reader, token: string) =>
    findJoinLink.first(reader, { tokenHash: hashToken(token), now: clock() });

  async function mustFind(reader: Reader, token: string) {
    const link = await find(reader, token);
    if (!link) throw new NotFound();
    return link;
  }

  /** @throws NotAllowed unless the user is an admin @throws Conflict for a link too many */
  async function make(tx: Tx, userId: string, teamId: string, fields: NewJoinLink): Promise<JoinLink> {
    const team = await accessTeamAsAdmin(tx, userId, teamId);
    // Serialises two admins who make the last link at once, and an admin who is being removed.
    await lockTeam.first(tx, { id: team.id });
    await accessTeamAsAdmin(tx, userId, teamId);
    const now = clock();
    await deleteExpiredJoinLinks.run(tx, { teamId: team.id, now });
    const count = await countJoinLinks.first(tx, { teamId: team.id });
    if ((count?.links ?? 0) >= MOST_JOIN_LINKS)
      throw new Conflict('too_many_join_links', `A team has at most ${MOST_JOIN_LINKS} join links`);
    const id = newId();
    const row: JoinLinkRow = {
      id,
      team_id: team.id,
      created_by: userId,
      token_hash: hashToken(tokenOf(id)),
      ...limitsOf(fields, now),
      uses: 0,
      created_at: now,
    };
    await insertJoinLink.run(tx, row);
    const { membership_type } = row;
    await record(tx, {
      action: 'join_link.made',
      target: ['join_link', id],
      teamId: team.id,
      detail: { membership_type, ...(row.max_uses !== null && { max_uses: row.max_uses }) },
    });
    return present(row);
  }

  /** @throws InvalidFields for limits that let nobody in, or an admin more than once */
  function limitsOf(
    { expires_at, max_uses, domains = [], membership_type = MEMBER }: NewJoinLink,
    now: number,
  ) {
    const isAdmin = membership_type === ADMIN;
    if (isAdmin && max_uses !== 1)
      throw new InvalidFields({ field: 'max_uses', message: 'must be 1 for a link that makes an admin' });
    const end = typeof expires_at === 'number' ? Math.round(expires_at * 1000) : null;
    if (end !== null && !(end > now && Number.isSafeInteger(end)))
      throw new InvalidFields({ field: 'expires_at', message: 'must be a time to come, in Unix seconds' });
    return {
      membership_type,
      max_uses: max_uses ?? null,
      domains_json: JSON.stringify([
        ...new Set(domains.map((one, index) => readDomain(one, `domains.${index}`))),
      ]),
      expires_at: end ?? (isAdmin ? now + lifetimeMs : null),
    };
  }

  /** The newest first, also those that are used up. */
  async function list(userId: string, teamId: string, page: Page) {
    const team = await accessTeamAsAdmin(db, userId, teamId);
    const { rows, next } = await listPageById(page, ({ limit, before = HIGHEST_ID }) =>
      pageOfJoinLinks.all(db, { teamId: team.id, before, limit }),
    );
    return { links: rows.map(present), next };
  }

  /** Its URL works no more, and who waits to join by it does not. @throws NotFound */
  async function withdraw(tx: Tx, userId: string, { team: teamId, link }: { team: string; link: string }) {
    const team = await accessTeamAsAdmin(tx, userId, teamId);
    const { id } = await lookUp(link, (known) => deleteJoinLink.first(tx, { id: known, teamId: team.id }));
    await record(tx, { action: 'join_link.withdrawn', target: ['join_link', id], teamId: team.id });
  }

  /** What the page behind the link tells anybody who has it. @throws NotFound as `join` does */
  async function show(token: string): Promise<ShownJoinLink> {
    const link = await mustFind(db, token);
    return {
      team: {
        id: link.team_id,
        name: link.team_name,
        description: link.team_description,
        color: link.team_color,
        icon: link.team_icon,
      },
      num_members: link.team_num_members,
      membership_type: link.membership_type,
      domains: JSON.parse(link.domains_json),
      expires_at: link.expires_at === null ? null : timestamp(link.expires_at),
    };
  }

  /**
   * Joins the team as the link's row says.
   * @throws NotFound for a link that is unknown, withdrawn, expired or used up, or whose maker may not invite any more
   * @throws Conflict for a member @throws NotAllowed for somebody who was removed, or whose address does not fit
   */
  async function join(tx: Tx, token: string, userId: string): Promise<Membership> {
    const link = await mustFind(tx, token);
    const teamId = link.team_id;
    // Serialises somebody who is being removed with their coming back.
    await lockToJoin(tx, { userId, teamId });
    if (await findMember.first(tx, { teamId, userId }))
      throw new Conflict('already_member', 'You are a member of this team already');
    await refuseRemoved(tx, teamId, userId);
    const user = await findUser.first(tx, { id: userId });
    if (refuseOtherDomain(link, user) && user?.email_verified !== 1) throw unconfirmed();
    await use(tx, link);
    await teams.addMember(tx, { teamId, userId, type: link.membership_type, inviterId: link.created_by });
    return teams.membership(tx, userId, teamId);
  }

  /** As `join`, for an account that is being made: where the address must be proved, it joins as soon as it is. */
  async function signUp(tx: Tx, token: string, user: UserRow): Promise<void> {
    const link = await mustFind(tx, token);
    if (!refuseOtherDomain(link, user)) return void (await join(tx, token, user.id));
    if (!canProve) throw unconfirmed();
    await lockTeam.first(tx, { id: link.team_id });
    await use(tx, link);
    await insertWaitingJoin.run(tx, { teamId: link.team_id, userId: user.id, linkId: link.id });
  }

  /** For somebody who has proved their address. */
  async function joinProved(tx: Tx, { id: userId }: Pick<UserRow, 'id'>): Promise<void> {
    for (const { team_id: teamId, link_id } of await takeWaitingJoins.all(tx, { userId })) {
      await lockTeam.first(tx, { id: teamId });
      const link = await findUsedJoinLink.first(tx, { id: link_id, now: clock() });
      if (!link || (await findRemoval.first(tx, { teamId, userId }))) continue;
      await teams.addMember(tx, { teamId, userId, type: link.membership_type, inviterId: link.created_by });
    }
  }

  /** @throws NotFound where another caller had the last use */
  async function use(tx: Tx, { id, team_id: teamId }: JoinLinkRow): Promise<void> {
    if (!(await useJoinLink.first(tx, { id, now: clock() }))) throw new NotFound();
    await record(tx, { action: 'join_link.used', target: ['join_link', id], teamId });
  }

  const isOpen = async (token: string) => (await find(db, token)) !== undefined;

  /** @throws NotFound as `join` does */
  const teamOf = async (tx: Tx, token: string) => (await mustFind(tx, token)).team_id;

  function present(row: JoinLinkRow): JoinLink {
    const token = tokenOf(row.id);
    const isKnown = hashToken(token) === row.token_hash;
    return {
      id: row.id,
      url: isKnown ? `${baseUrl()}/join/${token}` : null,
      token: isKnown ? token : null,
      membership_type: row.membership_type,
      domains: JSON.parse(row.domains_json),
      max_uses: row.max_uses,
      uses: row.uses,
      expires_at: row.expires_at === null ? null : timestamp(row.expires_at),
      created_at: timestamp(row.created_at),
    };
  }

  return { make, list, withdraw, show, join, signUp, joinProved, isOpen, teamOf };
}

/** @throws NotAllowed for somebody whom an admin has removed: an invitation lets them in again */
export async function refuseRemoved(tx: Tx, teamId: string, userId: string): Promise<void> {
  if (await findRemoval.first(tx, { teamId, userId }))
    throw new NotAllowed(
      'removed_from_team',
      'An admin has removed you from this team: ask one to invite you',
    );
}

/** @returns whether the link is for some domains alone, and so for proved addresses @throws NotAllowed for another */
function refuseOtherDomain({ domains_json }: JoinLinkRow, user: UserRow | undefined): boolean {
  const domains: string[] = JSON.parse(domains_json);
  if (domains.length === 0) return false;
  if (!domains.includes(domainOf(user?.email_key ?? '')))
    throw new NotAllowed('other_domain', `This link is for addresses of ${domains.join(', ')}`);
  return true;
}

const unconfirmed = () =>
  new NotAllowed('unconfirmed_address', 'This link is for confirmed addresses: confirm yours first');

/** @returns the domain as addresses are compared @throws InvalidFields */
export function readDomain(given: string, field: string): string {
  const domain = domainOf(`somebody@${given.trim()}`);
  if (given.includes('@') || !isMailAddress(`somebody@${domain}`))
    throw new InvalidFields({ field, message: 'must be a domain, as example.org' });
  return domain;
}
