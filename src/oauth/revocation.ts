import type { Database, Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { TeamChange } from '../teams/index.ts';
import {
  deleteUnusedCodesOfInstallation,
  deleteUnusedCodesOfMember,
  deleteUnusedCodesOfUser,
  purgeAccessTokens,
  purgeCodes,
  purgeRefreshTokens,
  revokeGrantsOfInstallation,
  revokeGrantsOfMember,
  revokeGrantsOfUser,
} from './oauth.store.ts';

/** A used code is remembered so long, so that its replay is seen as one. */
const CODE_MEMORY_MS = 24 * 3600 * 1000;

/** What ends tokens, and codes that may still become tokens, besides their age: each runs in the transaction of what caused it. */
export function tokenRevocation(clock: Clock) {
  return {
    async ofInstallation(tx: Tx, applicationId: string, teamId: string): Promise<void> {
      await revokeGrantsOfInstallation.all(tx, { applicationId, teamId, now: clock() });
      await deleteUnusedCodesOfInstallation.all(tx, { applicationId, teamId });
    },

    async onTeamChange(tx: Tx, change: TeamChange): Promise<void> {
      if (change.kind !== 'member_removed') return;
      const { userId, teamId } = change;
      await revokeGrantsOfMember.all(tx, { userId, teamId, now: clock() });
      await deleteUnusedCodesOfMember.all(tx, { userId, teamId });
    },

    async ofUser(tx: Tx, userId: string): Promise<void> {
      await revokeGrantsOfUser.all(tx, { userId, now: clock() });
      await deleteUnusedCodesOfUser.all(tx, { userId });
    },
  };
}

/** Deletes what has expired. */
export function purgeTokens(db: Database, now: number): Promise<void> {
  return db.write(async (tx) => {
    await purgeAccessTokens.all(tx, { before: now });
    await purgeRefreshTokens.all(tx, { before: now });
    await purgeCodes.all(tx, { before: now - CODE_MEMORY_MS });
  });
}
