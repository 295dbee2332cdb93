import { attribute, InvalidFields, NotAllowed, NotAuthorized } from '#api';
import type { Database, Reader, Tx } from '#platform/db/index.ts';
import type { UserRow } from '#schema';
import type { Recorder } from '../../stewardship/audit/index.ts';
import { checkEmail, type Language, type UserService } from '../users/index.ts';
import type { Guesses } from './guesses.ts';
import { type Applications, type EndGrants, storePassword } from './new-password.ts';
import type { PasswordService, Waiting } from './password.ts';
import type { RefusedSignIns } from './refused-sign-ins.ts';
import type { EndSessions } from './session-ending.ts';
import type { Caller, SetUpService } from './set-up.service.ts';
import type { TakenAddresses } from './taken-addresses.ts';
import { refuseWeakPassword } from './weak-password.ts';

export interface SignUpFields {
  email: string;
  password: string;
  first_name: string;
  last_name: string;
  title?: string;
  language?: Language | undefined;
  invitation?: string;
  join_link?: string;
  setup_token?: string;
}

/** Accepting an invitation; implemented by the teams. */
export interface Invitations {
  /** @throws NotFound for a token that is wrong, used or expired */
  accept(tx: Tx, token: string, userId: string): Promise<unknown>;
  /** Carries out what waited for the address to be proved. */
  appointProved(tx: Tx, user: UserRow): Promise<void>;
  isOpen(token: string): Promise<boolean>;
  /** @throws NotFound as `accept` does */
  teamOf(tx: Tx, token: string): Promise<string>;
}

/** Joining a team by a link; implemented by the teams. */
export interface JoinLinks {
  /** @throws NotFound for a link that lets nobody in @throws NotAllowed for an address that it is not for */
  signUp(tx: Tx, token: string, user: UserRow): Promise<void>;
  isOpen(token: string): Promise<boolean>;
  /** @throws NotFound as `signUp` does */
  teamOf(tx: Tx, token: string): Promise<string>;
}

/** The source of a password: who enters or sets it, and from which browser. */
export interface Whereabouts extends Waiting {
  readonly address: string;
  /** The browser's id, if it has signed in to this account before. */
  deviceFor(userId: string | undefined): string | undefined;
}

/** The session in which a user enters their password again. */
export interface OwnSession extends Waiting {
  readonly userId: string;
  readonly sessionId: string;
}

export type AccountService = ReturnType<typeof accountService>;

export function accountService(deps: {
  db: Database;
  users: UserService;
  passwords: PasswordService;
  invitations: Invitations;
  joinLinks: JoinLinks;
  /** Locks teams that somebody joins in one transaction, before any of them. */
  lockTeams: (tx: Tx, user: UserRow, ids: readonly string[]) => Promise<void>;
  /** Whether the owner of this address is let in, once it is proved: a rule names its domain. */
  letsIn: (reader: Reader, email: string) => Promise<boolean>;
  /** Mails a link that proves the address. */
  askToVerify: (tx: Tx, user: UserRow, from: string) => Promise<void>;
  /** Mails the owner of a proved address. */
  tellPasswordChanged: (tx: Tx, user: UserRow) => Promise<void>;
  registration: 'open' | 'invite' | 'closed';
  record: Recorder;
  refused: RefusedSignIns;
  guesses: Guesses;
  taken: TakenAddresses;
  setUp: SetUpService;
  endGrants: EndGrants;
  endSessions: EndSessions;
}) {
  const {
    db,
    users,
    invitations,
    joinLinks,
    lockTeams,
    letsIn,
    askToVerify,
    tellPasswordChanged,
    registration,
    record,
  } = deps;
  const { passwords, refused, guesses, taken: takenAddresses, setUp, endGrants, endSessions } = deps;

  /** @throws NotAllowed when the server's REGISTRATION does not let this person in */
  async function refuseUninvited({ email, invitation, join_link }: SignUpFields): Promise<void> {
    if (registration === 'open' || !(await users.anybody(db))) return;
    if (registration === 'closed') throw refusal();
    const isInvited =
      (invitation !== undefined && (await invitations.isOpen(invitation))) ||
      (join_link !== undefined && (await joinLinks.isOpen(join_link))) ||
      (await letsIn(db, email));
    if (!isInvited) throw refusal();
  }

  const linkNeeded = () =>
    new NotAllowed(
      'setup_link_needed',
      'The first account administers this server: open the link that the server printed when it started, or run ' +
        '"parley user create" on its machine',
    );

  const refusal = () =>
    registration === 'closed'
      ? new NotAllowed('registration_closed', 'This server takes no new accounts')
      : new NotAllowed('invitation_needed', 'An invitation to a team is needed to sign up here');

  /**
   * Does the slow checks and hashing outside the transaction. The result runs inside one and returns undefined if the
   * address is taken. Commit that transaction too: it counts the attempt.
   */
  async function prepareSignUp(
    fields: SignUpFields,
    caller: Caller,
    from: Whereabouts,
  ): Promise<(tx: Tx) => Promise<UserRow | undefined>> {
    const { email, first_name, last_name, title, language, invitation, join_link } = fields;
    checkEmail(email);
    await refuseUninvited(fields);
    const mayBeFirst = await setUp.accepts(caller, fields.setup_token);
    if (!mayBeFirst && !(await users.anybody(db))) throw linkNeeded();
    await refuseWeakPassword(fields.password, fields);
    const passwordHash = await passwords.hash(fields.password, from);
    return async (tx) => {
      if (await takenAddresses.isTaken(tx, email, from.source)) return undefined;
      const user = await users.create(tx, { email, passwordHash, first_name, last_name, title, language });
      // What lets them in may have ended meanwhile. An invitation and a link are looked up again below.
      const isInvited = async () =>
        invitation !== undefined || join_link !== undefined || (await letsIn(tx, email));
      const isFree = registration === 'open' || (registration === 'invite' && (await isInvited()));
      if (user.superuser === 1 && !mayBeFirst) throw linkNeeded();
      // Of several concurrent first sign-ups, only one creates the first account.
      if (user.superuser === 0 && !isFree) throw refusal();
      attribute(tx, { kind: 'user', id: user.id, address: from.address });
      const detail = { superuser: user.superuser === 1 };
      await record(tx, { action: 'account.created', target: ['user', user.id], detail });
      if (join_link !== undefined && invitation !== undefined)
        await lockTeams(tx, user, [
          await joinLinks.teamOf(tx, join_link),
          await invitations.teamOf(tx, invitation),
        ]);
      // A mailed invitation proves the address, for which the link may wait.
      if (join_link !== undefined) await joinLinks.signUp(tx, join_link, user);
      if (invitation !== undefined) await invitations.accept(tx, invitation, user.id);
      await askToVerify(tx, user, from.address);
      return user;
    };
  }

  /** Takes as long for an unknown address as for a wrong password. @throws NotAuthorized */
  async function verifySignIn(email: string, password: string, from: Whereabouts): Promise<UserRow> {
    const user = await users.byEmail(db, email);
    const device = from.deviceFor(user?.id);
    const taken = await guesses.begin({ email, network: from.source, device });
    const waiting = { source: from.source, known: device !== undefined };
    const right = await guesses.check(taken, () => passwords.verify(hashOf(user), password, waiting));
    if (user && right) return user;
    await guesses.noteWrong(user, taken);
    await refused.tell({ email, user, address: from.address });
    throw new NotAuthorized();
  }

  const hashOf = (user: UserRow | undefined) => (user?.active === 1 ? user.password_hash : undefined);

  /** @throws InvalidFields when it is not the user's password */
  async function checkPassword(own: OwnSession, given: string, field: string): Promise<UserRow> {
    const user = await users.byId(db, own.userId);
    const taken = await guesses.beginInSession(own.sessionId);
    const right = await guesses.check(taken, () => passwords.verify(hashOf(user), given, own));
    if (!user || !right) throw new InvalidFields({ field, message: 'is not the present password' });
    return user;
  }

  /**
   * Verifying takes a while, and the password may have been replaced meanwhile to lock an intruder out. Locks the
   * user and checks that the verified password is still the current one.
   * @param checked the user as they were then @throws NotAuthorized
   */
  async function lockPassword(tx: Tx, checked: UserRow): Promise<void> {
    const { password_hash } = await users.lockActive(tx, checked.id);
    if (password_hash !== checked.password_hash) throw new NotAuthorized();
  }

  /** @throws InvalidFields when `current` is wrong */
  async function preparePasswordChange(
    own: OwnSession,
    given: { current: string; password: string; applications: Applications },
  ) {
    const { userId, sessionId } = own;
    const user = await checkPassword(own, given.current, 'current');
    await refuseWeakPassword(given.password, user);
    const password_hash = await passwords.hash(given.password, own);
    return async (tx: Tx) => {
      await lockPassword(tx, user);
      await storePassword(tx, users, userId, password_hash);
      await endSessions(tx, userId, sessionId);
      if (given.applications === 'end') await endGrants(tx, userId);
      if (user.email_verified === 1) await tellPasswordChanged(tx, user);
      const detail = { applications: given.applications };
      await record(tx, { action: 'password.changed', target: ['user', userId], detail });
    };
  }

  return { prepareSignUp, verifySignIn, checkPassword, lockPassword, preparePasswordChange };
}
