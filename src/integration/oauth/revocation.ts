import type { Database, Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { TeamChange } from '../../teams/index.ts';
import {
  deleteAgreementsOfInstallation,
  deleteAgreementsOfMember,
  deleteAgreementsOfUser,
  type Place,
} from './agreement.store.ts';
import {
  deleteUnusedCodesOfInstallation,
  deleteUnusedCodesOfMember,
  deleteUnusedCodesOfPerson,
  deleteUnusedCodesOfUser,
  forgetSalts,
  purgeAccessTokens,
  purgeCodes,
  purgeRefreshTokens,
  revokeGrantsOfInstallation,
  revokeGrantsOfMember,
  revokeGrantsOfPerson,
  revokeGrantsOfUser,
} from './oauth.store.ts';

/** A used code is remembered so long, so that its replay is seen as one. */
const CODE_MEMORY_MS = 24 * 3600 * 1000;

export type TokenRevocation = ReturnType<typeof tokenRevocation>;

/**
 * What ends tokens, and codes that may still become tokens, besides their age: each runs in the transaction of what
 * caused it. Agreements come first, always: an exchange of a code holds its agreement, so neither waits for the other.
 */
export function tokenRevocation(clock: Clock) {
  return {
    async ofInstallation(tx: Tx, applicationId: string, teamId: string): Promise<void> {
      await deleteAgreementsOfInstallation.run(tx, { applicationId, teamId });
      await revokeGrantsOfInstallation.run(tx, { applicationId, teamId, now: clock() });
      await deleteUnusedCodesOfInstallation.run(tx, { applicationId, teamId });
    },

    async onTeamChange(tx: Tx, change: TeamChange): Promise<void> {
      if (change.kind !== 'member_removed') return;
      const { userId, teamId } = change;
      await deleteAgreementsOfMember.run(tx, { userId, teamId });
      await revokeGrantsOfMember.run(tx, { userId, teamId, now: clock() });
      await deleteUnusedCodesOfMember.run(tx, { userId, teamId });
    },

    /** Of one person, application and team; the agreement is ended by the caller. */
    async ofAgreement(tx: Tx, place: Place): Promise<void> {
      await revokeGrantsOfPerson.run(tx, { ...place, now: clock() });
      await deleteUnusedCodesOfPerson.run(tx, place);
    },

    async ofUser(tx: Tx, userId: string): Promise<void> {
      await deleteAgreementsOfUser.run(tx, { userId });
      await revokeGrantsOfUser.run(tx, { userId, now: clock() });
      await deleteUnusedCodesOfUser.run(tx, { userId });
    },
  };
}

/** Deletes what has expired. */
export function purgeTokens(db: Database, now: number, refreshGraceMs: number): Promise<void> {
  return db.write(async (tx) => {
    await forgetSalts.run(tx, { before: now - refreshGraceMs });
    await purgeAccessTokens.run(tx, { before: now });
    await purgeRefreshTokens.run(tx, { before: now });
    await purgeCodes.run(tx, { before: now - CODE_MEMORY_MS });
  });
}
