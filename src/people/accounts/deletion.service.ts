import type { Tx } from '#platform/db/index.ts';
import type { UserRow } from '#schema';
import type { Recorder } from '../../stewardship/audit/index.ts';
import type { UserService } from '../users/index.ts';
import { type AccountStatusService, refuseLastSuperuser } from './account-status.service.ts';
import type { EndSessions } from './session-ending.ts';

/**
 * Effects of deleting an account in other domains; joined in src/app. Each runs in the transaction that deletes the
 * account.
 */
export interface DeletionDeps {
  readonly users: UserService;
  readonly standing: AccountStatusService;
  readonly record: Recorder;
  readonly endSessions: EndSessions;
  /** Ends every token and code of a user. */
  readonly revokeTokens: (tx: Tx, userId: string) => Promise<void>;
  /** @throws Conflict naming the applications that the user still owns */
  readonly refuseOwner: (tx: Tx, userId: string) => Promise<void>;
  /** @throws Conflict naming the teams that would be left without an admin */
  readonly leaveTeams: (tx: Tx, userId: string) => Promise<void>;
  /** Erases the person's data in other domains. Receives the row from before the erasure. */
  readonly forget: readonly ((tx: Tx, user: UserRow) => Promise<unknown>)[];
}

export type DeletionService = ReturnType<typeof deletionService>;

export function deletionService(deps: DeletionDeps) {
  const { users, standing, record, endSessions, revokeTokens, refuseOwner, leaveTeams, forget } = deps;

  /**
   * Erases the user's personal data. Their row is blanked first, so that applications that hear of the departed
   * member do not learn who it was.
   */
  async function erase(tx: Tx, id: string, actorId?: string): Promise<void> {
    const { user, isLast } = await standing.lock(tx, id, actorId);
    if (isLast) refuseLastSuperuser();
    await refuseOwner(tx, user.id);
    await users.erase(tx, user.id);
    await leaveTeams(tx, user.id);
    await endSessions(tx, user.id);
    await revokeTokens(tx, user.id);
    await record(tx, { action: 'account.deleted', target: ['user', user.id] });
    for (const one of forget) await one(tx, user);
    await users.release(tx, user.id);
  }

  return { erase };
}
