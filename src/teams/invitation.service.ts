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
import { equalInConstantTime, hashToken, sign } from '#platform/crypto/index.ts';
import type { Database, Reader, Tx } from '#platform/db/index.ts';
import { type Clock, HIGHEST_ID, newId, parseId } from '#platform/ids.ts';
import type { InvitationRow, UserRow } from '#schema';
import {
  checkEmail,
  emailKey,
  findSummaries,
  findUser,
  findUserByEmail,
  markEmailVerified,
  type UserPresenter,
} from '../people/users/index.ts';
import type { Recorder } from '../stewardship/audit/index.ts';
import { shareTeam } from './connection.store.ts';
import {
  closeInvitation,
  deleteEveryInvitationBy,
  deleteInvitation,
  deleteInvitationsToAddress,
  findInvitationTo,
  findOpenInvitation,
  findOwnInvitation,
  type Invited,
  insertInvitation,
  listAdminInvitationsOf,
  listInvitations,
  listInvitedAdmins,
  listMemberAddresses,
  pageOfOwnInvitations,
  renewInvitation,
} from './invitation.store.ts';
import { deleteEveryJoinLinkBy } from './join-link.store.ts';
import { lockToAdmit, lockToJoin } from './joining.ts';
import { accessTeamAsAdmin } from './team.access.ts';
import {
  ADMIN,
  type Invitation,
  MEMBER,
  type Membership,
  MOST_INVITED,
  type OwnInvitation,
  type ShownInvitation,
} from './team.schema.ts';
import type { TeamService } from './team.service.ts';
import { findMember, lockTeam, lockTeamsOf } from './team.store.ts';

/**
 * Mails the link in the transaction that makes an invitation; joined in src/app. Its token and URL are for the mail
 * alone: they prove that the holder reads the mailbox. @returns whether it does
 */
export type InvitationListener = (
  tx: Tx,
  invitation: Pick<InvitationRow, 'id' | 'team_id' | 'email' | 'email_key' | 'inviter_id' | 'user_id'> & {
    readonly teamName: string;
    readonly token: string;
    readonly url: string;
  },
) => Promise<boolean>;

/** @param token as its inviter got it, or as it was mailed */
export const invitationHash = (token: string) => hashToken(token.split('.', 1)[0] as string);

type ProvedUser = Pick<UserRow, 'id' | 'email_key'>;

/** Whom an invitation is for, and which field of the request named them. */
interface Invitee {
  readonly field: string;
  readonly email: string;
  /** Null for an address alone. */
  readonly userId: string | null;
}

async function receiverOf(reader: Reader, userId: string, now: number): Promise<Invited> {
  const user = await findUser.first(reader, { id: userId });
  return { userId, emailKey: user?.email_key ?? '', proved: user?.email_verified ?? 0, now };
}

/** What a notification tells of an invitation; undefined once the person could not accept it any more. */
export async function findAcceptableInvitation(
  reader: Reader,
  { userId, id, now }: { userId: string; id: string; now: number },
): Promise<{ team: string; inviter: Pick<UserRow, 'first_name' | 'last_name'> } | undefined> {
  const invited = await receiverOf(reader, userId, now);
  const found = await findOwnInvitation.first(reader, { ...invited, id });
  const inviter = found && (await findUser.first(reader, { id: found.inviter_id }));
  return inviter && { team: found.team_name, inviter };
}

export type InvitationService = ReturnType<typeof invitationService>;

export function invitationService(deps: {
  db: Database;
  clock: Clock;
  teams: TeamService;
  present: UserPresenter;
  /** Tokens are made with it from the ids of invitations. */
  key: Buffer;
  lifetimeMs: number;
  baseUrl: () => string;
  /** Whether an admin must have proved the invited address: false without a mail server, which alone can prove one. */
  needsProof: boolean;
  /** Whose profiles somebody can see, and so whom they may invite by name. */
  profiles: 'everyone' | 'connections';
  onInvite: InvitationListener;
  /** Tells somebody that their invitation to a team is gone. */
  onGone: (tx: Tx, userId: string, teamId: string) => Promise<void>;
  /** Carries out what waits for an address to be proved. @param first whether it was not proved before */
  onProved: (tx: Tx, user: ProvedUser, first: boolean) => Promise<void>;
  record: Recorder;
}) {
  const {
    db,
    clock,
    teams,
    present,
    key,
    lifetimeMs,
    baseUrl,
    needsProof,
    profiles,
    onInvite,
    onGone,
    onProved,
    record,
  } = deps;

  const urlOf = (token: string) => `${baseUrl()}/invitations/${token}`;

  /** Deterministic, so that an admin who invites a person again gets the link that was mailed before. */
  const tokenOf = (id: string) => sign(key, `invitation ${id}`);

  /** The second part of the mailed token. The inviter does not see it, so following it proves the invited address. */
  const proofOf = (id: string) => sign(key, `invitation mailed ${id}`);

  /** @returns the invitation that a token opens, and whether the token is the mailed one */
  async function find(reader: Reader, given: string) {
    const [, proof = ''] = given.split('.', 2);
    const row = await findOpenInvitation.first(reader, { tokenHash: invitationHash(given), now: clock() });
    return row && { row, isMailed: equalInConstantTime(proof, proofOf(row.id)) };
  }

  async function mustFind(reader: Reader, given: string) {
    const found = await find(reader, given);
    if (!found) throw new NotFound();
    return found;
  }

  function presentInvitation(
    row: Omit<InvitationRow, 'accepted_at'>,
    made: { token: string | null; mailed: boolean } | undefined,
  ): Invitation {
    return {
      id: row.id,
      email: row.email,
      token: made?.token ?? null,
      url: made?.token ? urlOf(made.token) : null,
      mailed: made?.mailed ?? null,
      membership_type: row.membership_type,
      expires_at: timestamp(row.expires_at),
    };
  }

  /**
   * One invitation per address; inviting a person again renews it. The token is in this answer and in the mail; who was
   * invited by name needs none.
   * @param how.leavesAdmins refuses to change an invitation as an admin
   */
  async function invite(
    tx: Tx,
    userId: string,
    teamId: string,
    fields: { emails?: string[]; users?: string[]; membership_type?: number },
    how: { leavesAdmins: boolean },
  ): Promise<Invitation[]> {
    const known = parseId(teamId);
    // Serialises two admins who invite at once, and an admin who is being removed.
    if (known) await lockTeam.first(tx, { id: known });
    const team = await accessTeamAsAdmin(tx, userId, teamId);
    const made: Invitation[] = [];
    const { emails = [], users = [] } = fields;
    if (emails.length + users.length === 0 || emails.length + users.length > MOST_INVITED)
      throw new InvalidFields({
        field: 'emails',
        message: `must be 1 to ${MOST_INVITED} people, with \`users\``,
      });
    if (how.leavesAdmins) await refuseInvitedAdmins(tx, team.id, emails);
    const invitees = [...(await byAddress(tx, userId, emails)), ...(await byName(tx, userId, users))];
    for (const invitee of await invitable(tx, team.id, invitees)) {
      const row = await open(tx, { team, invitee, userId, type: fields.membership_type ?? MEMBER });
      const token = tokenOf(row.id);
      const mailedToken = `${token}.${proofOf(row.id)}`;
      const link = { token: mailedToken, url: urlOf(mailedToken) };
      const mailed = await onInvite(tx, { ...row, teamName: team.name, ...link });
      await record(tx, {
        action: 'invitation.made',
        target: ['invitation', row.id],
        teamId: team.id,
        detail: { membership_type: row.membership_type },
      });
      const isNamed = invitee.field.startsWith('users');
      made.push(presentInvitation(row, { token: isNamed ? null : token, mailed }));
    }
    return made;
  }

  async function refuseInvitedAdmins(tx: Tx, teamId: string, emails: readonly string[]): Promise<void> {
    const emailKeys = emails.map(emailKey);
    const found = await listInvitedAdmins.all(tx, { teamId, emailKeys, now: clock() });
    const admins = new Set(found.map((row) => row.email_key));
    const message = 'is the address of an invitation as an admin already';
    const problems = emailKeys.flatMap((one, index) =>
      admins.has(one) ? [{ field: `emails.${index}`, message }] : [],
    );
    if (problems.length > 0) throw new InvalidFields(problems);
  }

  /**
   * An address of somebody with whom the inviter shares a team, and who sees it there, invites their account: it tells the
   * inviter nothing, and needs no proof. @throws InvalidFields for malformed addresses
   */
  async function byAddress(tx: Tx, inviterId: string, emails: readonly string[]): Promise<Invitee[]> {
    const found: Invitee[] = [];
    for (const [index, given] of emails.entries()) {
      const field = `emails.${index}`;
      checkEmail(given, field);
      const user = await findUserByEmail.first(tx, { emailKey: emailKey(given) });
      const isKnown = user && (await shareTeam.first(tx, { userId: inviterId, otherId: user.id }));
      found.push({ field, email: given.trim(), userId: isKnown ? user.id : null });
    }
    return found;
  }

  /** @throws InvalidFields alike for people who do not exist, and whom the inviter cannot see */
  async function byName(tx: Tx, inviterId: string, ids: readonly string[]): Promise<Invitee[]> {
    const found: Invitee[] = [];
    for (const [index, given] of ids.entries()) {
      const field = `users.${index}`;
      const id = parseId(given);
      const user = id && (await findUser.first(tx, { id }));
      const isVisible =
        user &&
        user.active === 1 &&
        user.is_application === 0 &&
        (profiles === 'everyone' || (await shareTeam.first(tx, { userId: inviterId, otherId: user.id })));
      if (!isVisible) throw new InvalidFields({ field, message: 'is nobody whom you can invite' });
      found.push({ field, email: user.email, userId: user.id });
    }
    return found;
  }

  /** Removes duplicates. @throws InvalidFields for members */
  async function invitable(tx: Tx, teamId: string, given: readonly Invitee[]): Promise<Invitee[]> {
    const byKey = new Map(given.map((one) => [emailKey(one.email), one]));
    const rows = await listMemberAddresses.all(tx, { teamId, emailKeys: [...byKey.keys()] });
    const members = new Set(rows.map((row) => row.email_key));
    const problems = given
      .filter(({ email }) => members.has(emailKey(email)))
      .map(({ field }) => ({
        field,
        message: field.startsWith('emails') ? 'is the address of a member already' : 'is a member already',
      }));
    if (problems.length > 0) throw new InvalidFields(problems);
    return [...byKey.values()];
  }

  async function open(
    tx: Tx,
    { team, invitee, userId, type }: { team: { id: string }; invitee: Invitee; userId: string; type: number },
  ): Promise<Omit<InvitationRow, 'accepted_at'>> {
    const now = clock();
    const expires_at = now + lifetimeMs;
    const { email, userId: user_id } = invitee;
    const to = { teamId: team.id, emailKey: emailKey(email), inviterId: userId };
    const before = await findInvitationTo.first(tx, to);
    // One from before the keys of the server were replaced has a token that only its mail knows.
    if (before && before.token_hash === hashToken(tokenOf(before.id))) {
      const renewed = { ...before, email, membership_type: type, expires_at, user_id };
      await renewInvitation.run(tx, renewed);
      return renewed;
    }
    const id = newId();
    const row = {
      id,
      team_id: team.id,
      email,
      email_key: to.emailKey,
      token_hash: hashToken(tokenOf(id)),
      membership_type: type,
      inviter_id: userId,
      created_at: now,
      expires_at,
      user_id,
    };
    await insertInvitation.run(tx, row);
    return row;
  }

  /** One for each address: the newest. */
  async function list(userId: string, teamId: string): Promise<Invitation[]> {
    const team = await accessTeamAsAdmin(db, userId, teamId);
    const rows = await listInvitations.all(db, { teamId: team.id, now: clock() });
    const newest = new Map(rows.toReversed().map((row) => [row.email_key, row]));
    return rows
      .filter((row) => newest.get(row.email_key) === row)
      .map((row) => presentInvitation(row, undefined));
  }

  /**
   * No link to its address works any more.
   * @param refuseAdmins is called where the address is invited as an admin, to throw
   * @throws NotFound for one that was accepted, has expired or is of another team
   */
  async function withdraw(
    tx: Tx,
    userId: string,
    { team: teamId, invitation: id }: { team: string; invitation: string },
    refuseAdmins: () => void,
  ): Promise<void> {
    const team = await accessTeamAsAdmin(tx, userId, teamId);
    await lockTeam.first(tx, { id: team.id });
    const gone = await lookUp(id, (known) =>
      deleteInvitation.first(tx, { id: known, teamId: team.id, now: clock() }),
    );
    const others = { teamId: team.id, emailKeys: [gone.email_key], now: clock() };
    const isAdmin = gone.membership_type === ADMIN || (await listInvitedAdmins.all(tx, others)).length > 0;
    if (isAdmin) refuseAdmins();
    await end(tx, { teamId: team.id, emailKey: gone.email_key }, gone.user_id);
    await record(tx, { action: 'invitation.withdrawn', target: ['invitation', gone.id], teamId: team.id });
  }

  /**
   * The content of the page behind the link. Only the mailed link tells whether the invited address has an account:
   * else an inviter could try out addresses.
   * @throws NotFound as `accept` does
   */
  async function show(token: string): Promise<ShownInvitation> {
    const { row, isMailed } = await mustFind(db, token);
    const inviter = await findUser.first(db, { id: row.inviter_id });
    const invited = isMailed && (await findUserByEmail.first(db, { emailKey: row.email_key }));
    return {
      team: { id: row.team_id, name: row.team_name, color: row.team_color, icon: row.team_icon },
      inviter: inviter && inviter.deleted_at === null ? presentInviter(inviter) : null,
      email: row.email,
      membership_type: row.membership_type,
      expires_at: timestamp(row.expires_at),
      has_account: Boolean(invited),
    };
  }

  const presentInviter = (row: UserRow) => ({
    first_name: row.first_name,
    last_name: row.last_name,
    image: present.image(row),
  });

  /**
   * A member's link works once for anyone who has it, an admin's only for the invited address. Until that address is
   * proved its owner is a member, and the invitation stays open for `appointProved`.
   * @throws NotFound for a token that is wrong, used or expired, or whose inviter may not invite any more
   * @throws Conflict for a member, whose role it would not change; the link stays valid
   */
  async function accept(tx: Tx, token: string, userId: string): Promise<Membership> {
    const { row, isMailed } = await mustFind(tx, token);
    return admit(tx, row, userId, isMailed);
  }

  async function admit(
    tx: Tx,
    invitation: Omit<InvitationRow, 'token_hash'>,
    userId: string,
    isMailed: boolean,
  ): Promise<Membership> {
    const { team_id: teamId, membership_type: type, inviter_id: inviterId, email_key } = invitation;
    const user = await findUser.first(tx, { id: userId });
    const isInvited = user?.email_key === email_key;
    if (isMailed && isInvited && user.email_verified === 0) await lockToAdmit(tx, user, [teamId]);
    else await lockToJoin(tx, { userId, teamId });
    if (await findMember.first(tx, { teamId, userId }))
      throw new Conflict('already_member', 'You are a member of this team already');
    if (type === ADMIN && !isInvited)
      throw new NotAllowed(
        'other_address',
        'An invitation as an admin can be accepted only by an account with the address that was invited',
      );
    const isProved = isInvited && (isMailed || user.email_verified === 1);
    const byMail = isMailed && isInvited;
    const first = byMail && (await markEmailVerified.first(tx, { id: userId, now: clock() })) !== undefined;
    const waits = type === ADMIN && needsProof && !isProved;
    if (!waits && !(await close(tx, invitation))) throw new NotFound();
    await teams.addMember(tx, { teamId, userId, type: waits ? MEMBER : type, inviterId });
    // Last: a join link or the domain of the address may make them a plain member of this team.
    if (byMail) await onProved(tx, user, first);
    return teams.membership(tx, userId, teamId);
  }

  /** The caller as the receiver of invitations. */
  const invitedAs = (reader: Reader, userId: string) => receiverOf(reader, userId, clock());

  /**
   * Those of the caller's account, and those of their address once they have proved it: who signs up with the address of
   * somebody else learns of no team. The newest first.
   */
  async function listOwn(userId: string, page: Page) {
    const invited = await invitedAs(db, userId);
    const { rows, next } = await listPageById(page, ({ limit, before = HIGHEST_ID }) =>
      pageOfOwnInvitations.all(db, { ...invited, before, limit }),
    );
    const ids = [...new Set(rows.map(({ inviter_id }) => inviter_id))];
    const inviters = new Map(
      (await findSummaries(db, { userId }, ids)).map((row) => [row.id, present.summary(row)]),
    );
    const own = rows.map(
      ({
        id,
        team_id,
        name,
        description,
        color,
        icon,
        inviter_id,
        membership_type,
        expires_at,
      }): OwnInvitation => ({
        id,
        team: { id: team_id, name, description, color, icon },
        inviter: inviters.get(inviter_id) as OwnInvitation['inviter'],
        membership_type,
        expires_at: timestamp(expires_at),
      }),
    );
    return { invitations: own, next };
  }

  /** @throws NotFound unless it is one of the caller's that stands */
  const findOwn = async (tx: Tx, userId: string, id: string) => {
    const invited = await invitedAs(tx, userId);
    return lookUp(id, (known) => findOwnInvitation.first(tx, { ...invited, id: known }));
  };

  /** As `accept`, for one of the caller's own. */
  const acceptOwn = async (tx: Tx, id: string, userId: string): Promise<Membership> =>
    admit(tx, await findOwn(tx, userId, id), userId, false);

  /** All to that team end. Their inviters are not told: to them it looks as if they had been withdrawn. */
  async function decline(tx: Tx, id: string, userId: string): Promise<void> {
    const { team_id: teamId, email_key } = await findOwn(tx, userId, id);
    await lockTeam.first(tx, { id: teamId });
    await end(tx, { teamId, emailKey: email_key }, userId);
  }

  /**
   * Deletes the invitations of an address to a team, and tells those who were told of them.
   * @param userId somebody else to tell
   */
  async function end(tx: Tx, to: { teamId: string; emailKey: string }, userId: string | null): Promise<void> {
    const gone = await deleteInvitationsToAddress.all(tx, to);
    for (const id of new Set([userId, ...gone.map(({ user_id }) => user_id)]))
      if (id !== null) await onGone(tx, id, to.teamId);
  }

  /** @returns false when a concurrent request has used it */
  async function close(
    tx: Tx,
    invitation: Pick<InvitationRow, 'id' | 'team_id' | 'email_key' | 'user_id'>,
  ): Promise<boolean> {
    const { id, team_id: teamId, email_key: emailKey, user_id: invitedId } = invitation;
    if (!(await closeInvitation.first(tx, { id, now: clock() }))) return false;
    await end(tx, { teamId, emailKey }, invitedId);
    await record(tx, { action: 'invitation.accepted', target: ['invitation', id], teamId });
    return true;
  }

  /** Makes a person who has proved their address an admin of the teams that they joined by an invitation as one. */
  async function appointProved(tx: Tx, { id: userId, email_key: emailKey }: ProvedUser): Promise<void> {
    const waiting = await listAdminInvitationsOf.all(tx, { userId, emailKey, now: clock() });
    for (const invitation of waiting) {
      const { team_id: teamId, inviter_id: inviterId } = invitation;
      await lockTeam.first(tx, { id: teamId });
      const member = await findMember.first(tx, { teamId, userId });
      if (member && (await close(tx, invitation))) await teams.setRole(tx, member, ADMIN, inviterId);
    }
  }

  const isOpen = async (token: string) => (await find(db, token)) !== undefined;

  /** @throws NotFound as `accept` does */
  const teamOf = async (tx: Tx, token: string) => (await mustFind(tx, token)).row.team_id;

  return { invite, list, withdraw, show, accept, listOwn, acceptOwn, decline, appointProved, isOpen, teamOf };
}

/**
 * Ends the invitations and links of an inviter whose account is closed, so that they admit no one, least of all the
 * inviter.
 */
export async function endInvitationsBy(tx: Tx, inviterId: string): Promise<void> {
  await lockTeamsOf.all(tx, { userId: inviterId });
  await deleteEveryInvitationBy.run(tx, { inviterId });
  await deleteEveryJoinLinkBy.run(tx, { userId: inviterId });
}
