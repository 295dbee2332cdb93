export { type AccountDeps, accountRoutes } from './account.routes.ts';
export { accountService, endSessions } from './account.service.ts';
export { hashPassword } from './password.ts';
export { recoveryRoutes } from './recovery.routes.ts';
export { recoveryService } from './recovery.service.ts';
export { purgeAccountTokens } from './recovery.store.ts';
export { sessionService } from './session.service.ts';
export { purgeSessions } from './session.store.ts';
