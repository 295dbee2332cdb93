import type { Database, Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { cleaning } from '#platform/jobs/index.ts';
import type { TeamChange } from '../../teams/index.ts';
import type { ApplicationFact } from '../applications/index.ts';
import {
  type AgreementKey,
  deleteAgreementsOfApplication,
  deleteAgreementsOfInstallation,
  deleteAgreementsOfMember,
  deleteAgreementsOfUser,
} from './agreement.store.ts';
import {
  deleteUnusedCodesOfApplication,
  deleteUnusedCodesOfInstallation,
  deleteUnusedCodesOfMember,
  deleteUnusedCodesOfPerson,
  deleteUnusedCodesOfUser,
  forgetSalts,
  purgeAccessTokens,
  purgeCodes,
  purgeRefreshTokens,
  revokeGrantsOfApplication,
  revokeGrantsOfInstallation,
  revokeGrantsOfMember,
  revokeGrantsOfPerson,
  revokeGrantsOfUser,
} from './oauth.store.ts';

/** How long a used code is remembered, so that a replay is detected. */
const CODE_MEMORY_MS = 24 * 3600 * 1000;

export type TokenRevocation = ReturnType<typeof tokenRevocation>;

/**
 * Revokes tokens and unused codes for reasons other than expiry, in the transaction of the cause. Agreements come
 * first: the exchange of a code locks its agreement, so this order avoids deadlocks.
 */
export function tokenRevocation(clock: Clock) {
  async function ofUser(tx: Tx, userId: string): Promise<void> {
    await deleteAgreementsOfUser.run(tx, { userId });
    await revokeGrantsOfUser.run(tx, { userId, now: clock() });
    await deleteUnusedCodesOfUser.run(tx, { userId });
  }

  return {
    async ofInstallation(tx: Tx, applicationId: string, teamId: string): Promise<void> {
      await deleteAgreementsOfInstallation.run(tx, { applicationId, teamId });
      await revokeGrantsOfInstallation.run(tx, { applicationId, teamId, now: clock() });
      await deleteUnusedCodesOfInstallation.run(tx, { applicationId, teamId });
    },

    /** What people agreed to was agreed to with other hands, or with a client of another kind: they are asked again. */
    async onApplicationChange(tx: Tx, { application }: { application: { id: string } }): Promise<void> {
      const { id: applicationId } = application;
      await deleteAgreementsOfApplication.run(tx, { applicationId });
      await revokeGrantsOfApplication.run(tx, { applicationId, now: clock() });
      await deleteUnusedCodesOfApplication.run(tx, { applicationId });
    },

    async onTeamChange(tx: Tx, change: TeamChange): Promise<void> {
      if (change.kind !== 'member_removed') return;
      const { userId, teamId } = change;
      await deleteAgreementsOfMember.run(tx, { userId, teamId });
      await revokeGrantsOfMember.run(tx, { userId, teamId, now: clock() });
      await deleteUnusedCodesOfMember.run(tx, { userId, teamId });
    },

    /** For one person, application and team; the caller ends the agreement. */
    async ofAgreement(tx: Tx, key: AgreementKey): Promise<void> {
      await revokeGrantsOfPerson.run(tx, { ...key, now: clock() });
      await deleteUnusedCodesOfPerson.run(tx, key);
    },

    ofUser,

    /** What an application may do as itself. */
    async onCredentialsEnd(tx: Tx, { application }: ApplicationFact): Promise<void> {
      if (application.author_id !== null) await ofUser(tx, application.author_id);
    },
  };
}

/** The tasks that delete expired tokens and codes. */
export const tokenCleaning = (db: Database, clock: Clock, refreshGraceMs: number) => [
  cleaning(db, forgetSalts, () => ({ before: clock() - refreshGraceMs })),
  cleaning(db, purgeAccessTokens, () => ({ before: clock() })),
  cleaning(db, purgeRefreshTokens, () => ({ before: clock() })),
  cleaning(db, purgeCodes, () => ({ before: clock() - CODE_MEMORY_MS })),
];
