export { type AccountDeps, accountRoutes } from './account.routes.ts';
export { accountService } from './account.service.ts';
export { type AccountStatusService, accountStatusService } from './account-status.service.ts';
export { accountAdministrationRoutes } from './administration.routes.ts';
export { closingRoutes } from './closing.routes.ts';
export { type DeletionDeps, type DeletionService, deletionService } from './deletion.service.ts';
export { type DeviceService, deviceService } from './device.ts';
export { GUESS_EVERY_MS, type GuessesDeps, guesses, WARNING_EVERY_MS } from './guesses.ts';
export { passwordReplacement } from './new-password.ts';
export { purgePace } from './pace.store.ts';
export { paces } from './pace.ts';
export { type PasswordCost, passwordService } from './password.ts';
export { recoveryRoutes } from './recovery.routes.ts';
export { type RecoveryMails, recoveryService } from './recovery.service.ts';
export { deleteEveryToken, findToken as findAccountLink, purgeAccountTokens } from './recovery.store.ts';
export {
  REFUSED_ALTOGETHER,
  REFUSED_PER_ACCOUNT,
  type RefusedSignInsDeps,
  refusedSignIns,
} from './refused-sign-ins.ts';
export { sessionsPart } from './session.export.ts';
export { type SessionService, sessionService } from './session.service.ts';
export { listSessions, purgeSessions } from './session.store.ts';
export { sessionEnding, type TellSessionsEnded } from './session-ending.ts';
export { type SetUpService, setUpService } from './set-up.service.ts';
export {
  SIGN_UP_NOTICE_EVERY_MS,
  TAKEN_EVERY_MS,
  TAKEN_IN_A_ROW,
  takenAddresses,
} from './taken-addresses.ts';
export { refuseWeakPassword } from './weak-password.ts';
