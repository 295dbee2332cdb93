import type { FastifyInstance } from 'fastify';
import {
  accountAdministrationRoutes,
  accountRoutes,
  accountService,
  attemptCounter,
  closingRoutes,
  type DeletionDeps,
  deletionService,
  purgeAccountTokens,
  type RecoveryMails,
  recoveryRoutes,
  recoveryService,
  refusedSignIns,
  type SessionService,
  type SetUpService,
  standingService,
} from '../accounts/index.ts';
import type { Recorder } from '../audit/index.ts';
import { exportRoutes, exportService, personalParts } from '../exports/index.ts';
import type { InvitationService } from '../teams/index.ts';
import type { UserService } from '../users/index.ts';
import type { joinLimits } from './limits.ts';
import { type AppParts, seconds } from './parts.ts';

/** Signing up and in, a forgotten password, the export of one's own data, and closing an account. */
export function joinAccounts(
  parts: Pick<AppParts, 'config' | 'db' | 'clock' | 'files'>,
  deps: {
    users: UserService;
    sessions: SessionService;
    invitations: InvitationService;
    mails: RecoveryMails;
    limits: ReturnType<typeof joinLimits>;
    setUp: SetUpService;
    record: Recorder;
    /** What closing an account means elsewhere. */
    onClose: Pick<DeletionDeps, 'revokeTokens' | 'refuseOwner' | 'leaveTeams' | 'forget'>;
  },
) {
  const { config, db, clock, files } = parts;
  const { users, sessions, invitations, mails, limits, setUp, record, onClose } = deps;
  const recovery = recoveryService({
    db,
    clock,
    users,
    mails,
    lifetimes: {
      resetMs: seconds(config.PASSWORD_RESET_LIFETIME),
      verificationMs: seconds(config.EMAIL_VERIFICATION_LIFETIME),
    },
    record,
  });
  const accounts = accountService({
    db,
    users,
    invitations,
    askToVerify: recovery.askToVerify,
    registration: config.REGISTRATION,
    record,
    refused: refusedSignIns({ db, clock, record }),
    setUp,
  });
  const standing = standingService({ db, users, record, revokeTokens: onClose.revokeTokens });
  const deletion = deletionService({ users, standing, record, ...onClose });
  const exports = exportService({ db, clock, record, parts: personalParts({ db, clock, files }) });
  const countAttempt = attemptCounter(limits.limiter, limits.attemptsPerAccount);

  return {
    issueReset: recovery.issueReset,
    routes(server: FastifyInstance) {
      accountRoutes(server, { db, users, accounts, sessions, record, countAttempt });
      recoveryRoutes(server, {
        db,
        recovery,
        limiter: limits.limiter,
        mailsPerAccount: limits.mailsPerAccount,
      });
      closingRoutes(server, { accounts, standing, deletion, sessions, countAttempt });
      accountAdministrationRoutes(server, { standing, deletion });
      exportRoutes(server, exports);
    },
    housekeeping: [() => db.write((tx) => purgeAccountTokens.all(tx, { now: clock() })), exports.purge],
    /** Ends the exports that are being sent. */
    stopExports: exports.stop,
  };
}
