export { type AccountDeps, accountRoutes } from './account.routes.ts';
export { accountService, endSessions } from './account.service.ts';
export { hashPassword } from './password.ts';
export { sessionService } from './session.service.ts';
export { purgeSessions } from './session.store.ts';
