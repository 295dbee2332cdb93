import { Conflict, listPage, lookUp, NotAllowed, NotFound, type Page } from '#api';
import type { Database, Tx } from '#platform/db/index.ts';
import type { UserRow } from '#schema';
import type { Recorder } from '../../stewardship/audit/index.ts';
import { listUsers, lockSuperusers, lockUser, type UserService } from '../users/index.ts';
import type { EndSessions } from './session-ending.ts';

export type AccountStatusService = ReturnType<typeof accountStatusService>;

/** Whether an account is active, and who administers the server. Keeps at least one administrator. */
export function accountStatusService(deps: {
  db: Database;
  users: UserService;
  record: Recorder;
  endSessions: EndSessions;
  /** Ends every token and code of a user. */
  revokeTokens: (tx: Tx, userId: string) => Promise<void>;
  /** Puts the applications that a user owns to sleep. */
  suspendOwned: (tx: Tx, userId: string) => Promise<void>;
  /** @throws Conflict naming the teams that would have no admin left who can sign in */
  refuseToAbandon: (tx: Tx, userId: string) => Promise<void>;
  /** Ends every invitation that a user sent. */
  endInvitations: (tx: Tx, userId: string) => Promise<unknown>;
}) {
  const { db, users, record, endSessions, revokeTokens, suspendOwned, refuseToAbandon, endInvitations } =
    deps;

  /**
   * Locks the account, after all administrators: two who revoke each other's role at once are serialised.
   * @param actorId the administrator who asks; undefined for the user themselves and for the operator
   * @throws NotFound for a deleted account
   */
  async function lock(tx: Tx, id: string, actorId?: string): Promise<{ user: UserRow; isLast: boolean }> {
    const superusers = (await lockSuperusers.all(tx, {})).map((row) => row.id);
    if (actorId !== undefined && !superusers.includes(actorId)) throw new NotAllowed('not_superuser');
    const user = await lookUp(id, (known) => lockUser.first(tx, { id: known }));
    if (user.deleted_at !== null) throw new NotFound();
    return { user, isLast: superusers.length === 1 && superusers[0] === user.id };
  }

  async function close(tx: Tx, user: UserRow, isLast: boolean): Promise<void> {
    if (user.active === 0) return;
    if (isLast) refuseLastSuperuser();
    await users.setActive(tx, user.id, false);
    // First, as it locks their teams.
    await endInvitations(tx, user.id);
    await endSessions(tx, user.id);
    await revokeTokens(tx, user.id);
    await suspendOwned(tx, user.id);
    await record(tx, { action: 'account.deactivated', target: ['user', user.id] });
  }

  async function reopen(tx: Tx, user: UserRow): Promise<void> {
    if (user.active === 1) return;
    await users.setActive(tx, user.id, true);
    await record(tx, { action: 'account.reactivated', target: ['user', user.id] });
  }

  async function setRole(tx: Tx, user: UserRow, isLast: boolean, superuser: boolean): Promise<void> {
    if ((user.superuser === 1) === superuser) return;
    if (!superuser && isLast) refuseLastSuperuser();
    await users.setSuperuser(tx, user.id, superuser);
    const action = superuser ? 'superuser.granted' : 'superuser.removed';
    await record(tx, { action, target: ['user', user.id] });
  }

  async function change(
    tx: Tx,
    id: string,
    changes: { active?: boolean; superuser?: boolean },
    actorId?: string,
  ): Promise<UserRow> {
    const { user, isLast } = await lock(tx, id, actorId);
    if (changes.superuser !== undefined) await setRole(tx, user, isLast, changes.superuser);
    if (changes.active === true) await reopen(tx, user);
    if (changes.active === false) await close(tx, user, isLast);
    return (await users.byId(tx, user.id)) ?? user;
  }

  async function list(text: string | undefined, page: Page) {
    const filter = { text: text?.trim() || undefined, after: page.after };
    return listPage(
      page,
      (limit) => listUsers(db, { ...filter, limit }),
      (row) => [row.name_key, row.id],
    );
  }

  /** A user closes their own account. @throws Conflict naming the teams that only they lead */
  async function closeOwn(tx: Tx, userId: string): Promise<void> {
    const { user, isLast } = await lock(tx, userId);
    await refuseToAbandon(tx, user.id);
    await close(tx, user, isLast);
  }

  /** Signs an account out everywhere, as when a device was lost. */
  async function endAllSessions(tx: Tx, id: string, actorId?: string): Promise<void> {
    const { user } = await lock(tx, id, actorId);
    await endSessions(tx, user.id);
    await record(tx, { action: 'account.signed_out', target: ['user', user.id] });
  }

  return { lock, change, closeOwn, endSessions: endAllSessions, list };
}

export function refuseLastSuperuser(): never {
  throw new Conflict('last_superuser', 'The server needs an administrator: make another account one first');
}
