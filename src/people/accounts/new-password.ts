import type { Tx } from '#platform/db/index.ts';
import type { UserRow } from '#schema';
import type { UserService } from '../users/index.ts';
import { deleteTokens } from './recovery.store.ts';
import type { EndSessions } from './session-ending.ts';

/** Whether applications keep their access to an account after its password changes. */
export type Applications = 'keep' | 'end';

/** Ends what applications may do for a user. */
export type EndGrants = (tx: Tx, userId: string) => Promise<void>;

/** Stores a new password, and ends every link that could set another. */
export async function storePassword(
  tx: Tx,
  users: Pick<UserService, 'setPassword'>,
  userId: string,
  hash: string,
): Promise<void> {
  await users.setPassword(tx, userId, hash);
  await deleteTokens.run(tx, { userId, kind: 'password_reset' });
}

export type ReplacePassword = ReturnType<typeof passwordReplacement>;

/** Replaces a password that is lost or compromised and revokes everything it gave access to. */
export function passwordReplacement(deps: {
  users: Pick<UserService, 'setPassword'>;
  tellPasswordChanged: (tx: Tx, user: UserRow) => Promise<void>;
  /** Ends what applications may do for a user. */
  endGrants: EndGrants;
  endSessions: EndSessions;
  /** Puts the applications that a user owns to sleep: somebody who had the password has seen their secrets. */
  suspendOwned: (tx: Tx, userId: string) => Promise<void>;
}) {
  const { users, tellPasswordChanged, endGrants, endSessions, suspendOwned } = deps;

  return async function replace(
    tx: Tx,
    user: UserRow,
    password: { hash: string; applications: Applications },
  ): Promise<void> {
    await storePassword(tx, users, user.id, password.hash);
    await endSessions(tx, user.id);
    if (password.applications === 'end') {
      await endGrants(tx, user.id);
      await suspendOwned(tx, user.id);
    }
    await tellPasswordChanged(tx, user);
  };
}
