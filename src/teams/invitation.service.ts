import { hashToken, randomToken } from '#platform/crypto/index.ts';
import type { Database, Tx } from '#platform/db/index.ts';
import { type Clock, newId, parseId } from '#platform/ids.ts';
import { NotFound, timestamp } from '../api/index.ts';
import type { Recorder } from '../audit/index.ts';
import type { InvitationRow, UserRow } from '../schema/index.ts';
import { checkEmail, emailKey, findUser, findUserByEmail, type UserPresenter } from '../users/index.ts';
import { accessTeamAsAdmin } from './team.access.ts';
import { type Invitation, MEMBER, type Membership, type ShownInvitation } from './team.schema.ts';
import type { TeamService } from './team.service.ts';
import {
  closeInvitation,
  deleteInvitation,
  findOpenInvitation,
  insertInvitation,
  listInvitations,
} from './team.store.ts';

/** What others may want to do in the transaction that makes an invitation; joined in src/app. */
export type InvitationListener = (
  tx: Tx,
  invitation: Pick<InvitationRow, 'email' | 'email_key' | 'inviter_id'> & {
    readonly teamName: string;
    readonly token: string;
    readonly url: string;
  },
) => Promise<void>;

export type InvitationService = ReturnType<typeof invitationService>;

export function invitationService(deps: {
  db: Database;
  clock: Clock;
  teams: TeamService;
  present: UserPresenter;
  lifetimeMs: number;
  baseUrl: () => string;
  onInvite: InvitationListener;
  record: Recorder;
}) {
  const { db, clock, teams, present, lifetimeMs, baseUrl, onInvite, record } = deps;

  const urlOf = (token: string) => `${baseUrl()}/invitations/${token}`;

  function presentInvitation(row: Omit<InvitationRow, 'accepted_at'>, token: string | null): Invitation {
    return {
      id: row.id,
      email: row.email,
      token,
      url: token && urlOf(token),
      membership_type: row.membership_type,
      expires_at: timestamp(row.expires_at),
    };
  }

  /** One invitation for each address. The token is in this answer and nowhere else: only its hash is stored. */
  async function invite(
    tx: Tx,
    userId: string,
    teamId: string,
    fields: { emails: string[]; membership_type?: number },
  ): Promise<Invitation[]> {
    const team = await accessTeamAsAdmin(tx, userId, teamId);
    const now = clock();
    const made: Invitation[] = [];
    for (const [index, email] of fields.emails.entries()) {
      checkEmail(email, `emails.${index}`);
      const token = randomToken();
      const row = {
        id: newId(),
        team_id: team.id,
        email: email.trim(),
        email_key: emailKey(email),
        token_hash: hashToken(token),
        membership_type: fields.membership_type ?? MEMBER,
        inviter_id: userId,
        created_at: now,
        expires_at: now + lifetimeMs,
      };
      await insertInvitation.all(tx, row);
      await onInvite(tx, { ...row, teamName: team.name, token, url: urlOf(token) });
      const detail = { membership_type: row.membership_type };
      await record(tx, {
        action: 'invitation.made',
        target: ['invitation', row.id],
        teamId: team.id,
        detail,
      });
      made.push(presentInvitation(row, token));
    }
    return made;
  }

  async function list(userId: string, teamId: string): Promise<Invitation[]> {
    const team = await accessTeamAsAdmin(db, userId, teamId);
    const rows = await listInvitations.all(db, { teamId: team.id, now: clock() });
    return rows.map((row) => presentInvitation(row, null));
  }

  /** Its link works no more. @throws NotFound for one that was accepted, has expired or is of another team */
  async function withdraw(tx: Tx, userId: string, teamId: string, id: string): Promise<void> {
    const team = await accessTeamAsAdmin(tx, userId, teamId);
    const known = parseId(id);
    const gone = known && (await deleteInvitation.first(tx, { id: known, teamId: team.id, now: clock() }));
    if (!gone) throw new NotFound();
    await record(tx, { action: 'invitation.withdrawn', target: ['invitation', gone.id], teamId: team.id });
  }

  /**
   * What the page behind the link shows. It tells whether the invited address has an account, and of no other: only
   * whoever was sent the link can ask.
   * @throws NotFound as `accept` does
   */
  async function show(token: string): Promise<ShownInvitation> {
    const row = await findOpenInvitation.first(db, { tokenHash: hashToken(token), now: clock() });
    if (!row) throw new NotFound();
    const [inviter, invited] = await Promise.all([
      findUser.first(db, { id: row.inviter_id }),
      findUserByEmail.first(db, { emailKey: row.email_key }),
    ]);
    return {
      team: { id: row.team_id, name: row.team_name, color: row.team_color, icon: row.team_icon },
      inviter: inviter && inviter.deleted_at === null ? presentInviter(inviter) : null,
      email: row.email,
      membership_type: row.membership_type,
      expires_at: timestamp(row.expires_at),
      has_account: invited !== undefined,
    };
  }

  const presentInviter = (row: UserRow) => ({
    first_name: row.first_name,
    last_name: row.last_name,
    image: present.image(row),
  });

  /** Whoever holds the link may use it, once. @throws NotFound for a token that is wrong, used or expired */
  async function accept(tx: Tx, token: string, userId: string): Promise<Membership> {
    const now = clock();
    const invitation = await findOpenInvitation.first(tx, { tokenHash: hashToken(token), now });
    if (!invitation || !(await closeInvitation.first(tx, { id: invitation.id, now }))) throw new NotFound();
    const { team_id: teamId, membership_type: type, inviter_id: inviterId } = invitation;
    await record(tx, { action: 'invitation.accepted', target: ['invitation', invitation.id], teamId });
    await teams.addMember(tx, { teamId, userId, type, inviterId });
    return teams.membership(tx, userId, teamId);
  }

  const isOpen = async (token: string) =>
    (await findOpenInvitation.first(db, { tokenHash: hashToken(token), now: clock() })) !== undefined;

  return { invite, list, withdraw, show, accept, isOpen };
}
