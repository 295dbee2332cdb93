import type { Database, Tx } from '#platform/db/index.ts';
import { InvalidFields, NotAllowed, NotAuthorized } from '../api/index.ts';
import type { UserRow } from '../schema/index.ts';
import { checkEmail, type UserService } from '../users/index.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { deleteOtherSessions } from './session.store.ts';

export interface SignUpFields {
  email: string;
  password: string;
  first_name: string;
  last_name: string;
  title?: string;
  invitation?: string;
}

/** What accepting an invitation does; it belongs to the teams. */
export interface Invitations {
  /** @throws NotFound for a token that is wrong, used or expired */
  accept(tx: Tx, token: string, userId: string): Promise<unknown>;
  isOpen(token: string): Promise<boolean>;
}

const NO_SESSION = '00000000-0000-0000-0000-000000000000';

export type AccountService = ReturnType<typeof accountService>;

export function accountService(deps: {
  db: Database;
  users: UserService;
  invitations: Invitations;
  /** Mails a link that proves the address. */
  askToVerify: (tx: Tx, user: UserRow) => Promise<void>;
  registration: 'open' | 'invite' | 'closed';
}) {
  const { db, users, invitations, askToVerify, registration } = deps;

  /** @throws NotAllowed when the server's REGISTRATION does not let this person in */
  async function refuseUninvited(invitation: string | undefined): Promise<void> {
    if (registration === 'open' || !(await users.anybody(db))) return;
    if (registration === 'closed')
      throw new NotAllowed('registration_closed', 'This server takes no new accounts');
    if (invitation !== undefined && (await invitations.isOpen(invitation))) return;
    throw new NotAllowed('invitation_needed', 'An invitation to a team is needed to sign up here');
  }

  /** Checks and prepares outside the transaction what takes long; the result then runs inside one. */
  async function prepareSignUp(fields: SignUpFields): Promise<(tx: Tx) => Promise<UserRow>> {
    checkEmail(fields.email);
    await refuseUninvited(fields.invitation);
    const passwordHash = await hashPassword(fields.password);
    return async (tx) => {
      const user = await users.create(tx, { ...fields, passwordHash });
      if (fields.invitation !== undefined) await invitations.accept(tx, fields.invitation, user.id);
      await askToVerify(tx, user);
      return user;
    };
  }

  /** Takes as long for an unknown address as for a wrong password. @throws NotAuthorized */
  async function verifySignIn(email: string, password: string): Promise<UserRow> {
    const user = await users.byEmail(db, email);
    const right = await verifyPassword(user?.active === 1 ? user.password_hash : undefined, password);
    if (!user || !right) throw new NotAuthorized();
    return user;
  }

  /** @throws InvalidFields when `current` is wrong */
  async function preparePasswordChange(userId: string, sessionId: string, current: string, password: string) {
    const user = await users.byId(db, userId);
    if (!user || !(await verifyPassword(user.password_hash, current))) {
      throw new InvalidFields({ field: 'current', message: 'is not the present password' });
    }
    const password_hash = await hashPassword(password);
    return async (tx: Tx) => {
      await users.update(tx, user, { password_hash });
      await deleteOtherSessions.all(tx, { userId, keep: sessionId });
    };
  }

  return { prepareSignUp, verifySignIn, preparePasswordChange };
}

/** Ends every session of a user. */
export function endSessions(tx: Tx, userId: string): Promise<unknown> {
  return deleteOtherSessions.all(tx, { userId, keep: NO_SESSION });
}
