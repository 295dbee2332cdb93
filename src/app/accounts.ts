import type { FastifyInstance } from 'fastify';
import type { Tx } from '#platform/db/index.ts';
import { cleaning, type KeepLease } from '#platform/jobs/index.ts';
import type { HandsChange } from '#schema';
import {
  accountAdministrationRoutes,
  accountRoutes,
  accountService,
  accountStatusService,
  closingRoutes,
  type DeletionDeps,
  type DeviceService,
  deletionService,
  type GuessesDeps,
  guesses,
  paces,
  passwordReplacement,
  passwordService,
  purgeAccountTokens,
  purgePace,
  type RecoveryMails,
  type RefusedSignInsDeps,
  recoveryRoutes,
  recoveryService,
  refusedSignIns,
  type SessionService,
  type SetUpService,
  takenAddresses,
} from '../people/accounts/index.ts';
import { findUser, type UserService } from '../people/users/index.ts';
import type { Recorder } from '../stewardship/audit/index.ts';
import { exportRoutes, exportService } from '../stewardship/exports/index.ts';
import {
  type DomainRuleService,
  endInvitationsBy,
  type InvitationService,
  type JoinLinkService,
  lockToAdmit,
} from '../teams/index.ts';
import { exportParts } from './exports.ts';
import type { joinLimits } from './limits.ts';
import { type AppParts, seconds } from './parts.ts';

/** Signing up and in, a forgotten password, the export of one's own data, and closing an account. */
export function joinAccounts(
  parts: Pick<AppParts, 'config' | 'keys' | 'db' | 'clock' | 'files' | 'passwordCost'>,
  deps: {
    stopping: AbortSignal;
    onRefusedSignIn: RefusedSignInsDeps['onRefused'];
    users: UserService;
    sessions: SessionService;
    invitations: InvitationService;
    joinLinks: JoinLinkService;
    domainRules: DomainRuleService;
    devices: DeviceService;
    mails: RecoveryMails & {
      warnOfGuesses: GuessesDeps['warn'];
      noticeOfSignUp: GuessesDeps['warn'];
      tellPasswordChanged: GuessesDeps['warn'];
    };
    limits: ReturnType<typeof joinLimits>;
    setUp: SetUpService;
    record: Recorder;
    keepLease: KeepLease;
    /** The effects of closing an account in other domains. */
    onClose: Pick<DeletionDeps, 'revokeTokens' | 'refuseOwner' | 'leaveTeams' | 'forget'> & {
      refuseToAbandon: (tx: Tx, userId: string) => Promise<void>;
      /** Puts the applications of somebody to sleep whose account is closed, or was in the hands of another. */
      suspendOwned: (tx: Tx, userId: string, why: HandsChange) => Promise<void>;
    };
  },
) {
  const { config, keys, db, clock } = parts;
  const {
    users,
    sessions,
    devices,
    invitations,
    joinLinks,
    domainRules,
    mails,
    limits,
    setUp,
    record,
    keepLease,
    onClose,
  } = deps;
  const passwords = passwordService(parts.passwordCost, deps.stopping);
  const recovery = recoveryService({
    db,
    clock,
    users,
    passwords,
    mails,
    lifetimes: {
      resetMs: seconds(config.PASSWORD_RESET_LIFETIME),
      verificationMs: seconds(config.EMAIL_VERIFICATION_LIFETIME),
    },
    replacePassword: passwordReplacement({
      users,
      tellPasswordChanged: mails.tellPasswordChanged,
      endGrants: onClose.revokeTokens,
      endSessions: sessions.endAll,
      suspendOwned: (tx, userId) => onClose.suspendOwned(tx, userId, 'owner_reset'),
    }),
    onProved: async (tx, user, first) => {
      if (first) await lockToAdmit(tx, user);
      await joinLinks.joinProved(tx, user);
      if (first) await domainRules.joinProved(tx, user);
      await invitations.appointProved(tx, user);
    },
    closeAccount: (tx, userId) => standing.change(tx, userId, { active: false }),
    record,
  });
  const shared = paces({ clock, key: keys.cookie });
  const accounts = accountService({
    db,
    users,
    passwords,
    invitations,
    joinLinks,
    lockTeams: lockToAdmit,
    letsIn: domainRules.admits,
    askToVerify: recovery.askToVerify,
    tellPasswordChanged: mails.tellPasswordChanged,
    registration: config.REGISTRATION,
    record,
    refused: refusedSignIns({ db, clock, record, onRefused: deps.onRefusedSignIn }),
    guesses: guesses({
      db,
      paces: shared,
      limits: limits.guesses,
      warn: mails.warnOfGuesses,
    }),
    taken: takenAddresses({
      users,
      paces: shared,
      limited: limits.guesses !== undefined,
      notify: mails.noticeOfSignUp,
    }),
    setUp,
    endGrants: onClose.revokeTokens,
    endSessions: sessions.endAll,
  });
  const standing = accountStatusService({
    db,
    users,
    record,
    endSessions: sessions.endAll,
    revokeTokens: onClose.revokeTokens,
    suspendOwned: (tx, userId) => onClose.suspendOwned(tx, userId, 'owner_closed'),
    refuseToAbandon: onClose.refuseToAbandon,
    endInvitations: endInvitationsBy,
  });
  const deletion = deletionService({ users, standing, record, endSessions: sessions.endAll, ...onClose });
  const exports = exportService({
    db,
    clock,
    record,
    keepLease,
    findUser: (tx, id) => findUser.first(tx, { id }),
    parts: exportParts(parts),
  });

  return {
    standing,
    deletion,
    issueReset: recovery.issueReset,
    routes(server: FastifyInstance) {
      accountRoutes(server, { db, users, accounts, sessions, record, devices });
      recoveryRoutes(server, {
        db,
        recovery,
        devices,
        limiter: limits.limiter,
        mailsPerAccount: limits.mailsPerAccount,
      });
      closingRoutes(server, { accounts, standing, deletion, sessions });
      accountAdministrationRoutes(server, { standing, deletion });
      exportRoutes(server, exports);
    },
    housekeeping: [
      cleaning(db, purgeAccountTokens, () => ({ now: clock() })),
      cleaning(db, purgePace, () => ({ now: clock() })),
      exports.purge,
    ],
    /** Answers that last as long as the client reads them. */
    downloads: exports,
  };
}
