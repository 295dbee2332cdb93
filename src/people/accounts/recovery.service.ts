import { attribute, Conflict, NotAllowed, NotAuthorized, NotFound } from '#api';
import { hashToken, randomToken } from '#platform/crypto/index.ts';
import type { Database, Reader, Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { AccountTokenRow, UserRow } from '#schema';
import type { Recorder } from '../../stewardship/audit/index.ts';
import { checkEmail, emailKey, lockUser, markEmailVerified, type UserService } from '../users/index.ts';
import type { Whereabouts } from './account.service.ts';
import type { Applications, ReplacePassword } from './new-password.ts';
import type { PasswordService } from './password.ts';
import { findToken, insertToken, takeToken } from './recovery.store.ts';
import { refuseWeakPassword } from './weak-password.ts';

type Kind = AccountTokenRow['kind'];

const alreadyProved = () => new Conflict('verified', 'The address is confirmed already');

/** Sends the links; joined in src/app. */
export interface RecoveryMails {
  sendVerification(tx: Tx, user: UserRow, link: { token: string; from: string }): Promise<void>;
  sendPasswordReset(tx: Tx, user: UserRow, token: string): Promise<void>;
  /** Schedules `issueReset` to run after this transaction. */
  requestPasswordReset(tx: Tx, email: string): Promise<void>;
}

export type RecoveryService = ReturnType<typeof recoveryService>;

/** Verifies addresses and resets forgotten passwords. */
export function recoveryService(deps: {
  db: Database;
  clock: Clock;
  users: UserService;
  passwords: PasswordService;
  mails: RecoveryMails;
  lifetimes: { readonly resetMs: number; readonly verificationMs: number };
  replacePassword: ReplacePassword;
  /** Carries out what waited for an address to be proved. @param first whether it was not proved before */
  onProved: (tx: Tx, user: UserRow, first: boolean) => Promise<void>;
  /** @throws Conflict for the last administrator of the server */
  closeAccount: (tx: Tx, userId: string) => Promise<unknown>;
  record: Recorder;
}) {
  const { db, clock, users, passwords, mails, lifetimes, replacePassword, record } = deps;
  const { onProved, closeAccount } = deps;

  async function issue(tx: Tx, user: UserRow, kind: Kind, lifetimeMs: number): Promise<string> {
    const token = randomToken();
    const now = clock();
    await insertToken.run(tx, {
      token_hash: hashToken(token),
      kind,
      user_id: user.id,
      email_key: user.email_key,
      created_at: now,
      expires_at: now + lifetimeMs,
    });
    return token;
  }

  /** Mails a link that proves the address. @param from the network address that asks for it */
  async function askToVerify(tx: Tx, user: UserRow, from: string): Promise<void> {
    const token = await issue(tx, user, 'email_verification', lifetimes.verificationMs);
    await mails.sendVerification(tx, user, { token, from });
  }

  /** @throws Conflict when the address is proved already */
  async function askAgainToVerify(tx: Tx, userId: string, from: string): Promise<void> {
    const user = await users.byId(tx, userId);
    if (!user) throw new NotAuthorized();
    if (user.email_verified === 1) throw alreadyProved();
    await askToVerify(tx, user, from);
  }

  /**
   * Proves the address of the account that asks. Following the link twice is harmless.
   * @throws NotFound for a wrong or expired token
   * @throws NotAllowed in a session of another account: its owner has not shown that they read the mailbox
   */
  async function verify(tx: Tx, token: string, callerId: string): Promise<void> {
    const { userId } = await find(tx, token, 'email_verification');
    if (userId !== callerId) throw new NotAllowed('other_account', 'This link is for another account');
    await prove(tx, userId);
  }

  async function prove(tx: Tx, userId: string): Promise<void> {
    const first = await markEmailVerified.first(tx, { id: userId, now: clock() });
    const user = await users.byId(tx, userId);
    if (user) await onProved(tx, user, first !== undefined);
  }

  /**
   * The reader of the mailbox did not make this account: closes it.
   * @throws NotFound for a wrong or expired token @throws Conflict when the address is proved already
   */
  async function disown(tx: Tx, token: string, address: string): Promise<void> {
    const { userId } = await find(tx, token, 'email_verification');
    const user = await users.byId(tx, userId);
    if (user?.email_verified !== 0) throw alreadyProved();
    attribute(tx, { kind: 'user', id: userId, address });
    await record(tx, { action: 'account.disowned', target: ['user', userId] });
    await closeAccount(tx, userId);
  }

  /** Behaves the same whether or not the address has an account: `issueReset` looks that up later. */
  function prepareReset(email: string): (tx: Tx) => Promise<void> {
    checkEmail(email);
    return (tx) => mails.requestPasswordReset(tx, emailKey(email));
  }

  async function issueReset(tx: Tx, address: string): Promise<void> {
    const user = await users.byEmail(tx, address);
    if (user?.active !== 1) return;
    await mails.sendPasswordReset(tx, user, await issue(tx, user, 'password_reset', lifetimes.resetMs));
  }

  /**
   * Checks the token before hashing the password, which takes time. The result runs in a transaction and returns the
   * user's id.
   * @throws NotFound for a token that is wrong, used or expired
   */
  async function preparePasswordReset(
    token: string,
    given: { password: string; applications: Applications },
    from: Pick<Whereabouts, 'address' | 'source' | 'known'>,
  ): Promise<(tx: Tx) => Promise<string>> {
    const owner = await users.byId(db, (await find(db, token, 'password_reset')).userId);
    if (owner) await refuseWeakPassword(given.password, owner);
    const hash = await passwords.hash(given.password, from);
    return async (tx) => {
      const { userId, tokenHash } = await find(tx, token, 'password_reset');
      // The account is locked before its links, as where its password is changed.
      await lockUser.first(tx, { id: userId });
      const user = (await takeToken.first(tx, { tokenHash })) && (await users.byId(tx, userId));
      if (!user) throw new NotFound();
      // The opened mail proves the address, too. First, as teams are locked before the applications of their members.
      await prove(tx, userId);
      await replacePassword(tx, user, { hash, applications: given.applications });
      attribute(tx, { kind: 'user', id: userId, address: from.address });
      await record(tx, {
        action: 'password.changed',
        target: ['user', userId],
        detail: { by_mail: true, applications: given.applications },
      });
      return userId;
    };
  }

  async function find(reader: Reader, token: string, kind: Kind) {
    const tokenHash = hashToken(token);
    const found = await findToken.first(reader, { tokenHash, kind, now: clock() });
    if (!found) throw new NotFound();
    return { userId: found.user_id, tokenHash };
  }

  return { askToVerify, askAgainToVerify, verify, disown, prepareReset, issueReset, preparePasswordReset };
}
