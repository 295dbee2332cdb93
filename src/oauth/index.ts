export { authorizationRoutes } from './authorization.routes.ts';
export { consentService } from './consent.service.ts';
export { openRoutes } from './open.routes.ts';
export { codeIssuer } from './opening.ts';
export { purgeTokens, tokenRevocation } from './revocation.ts';
export { tokenRoutes } from './token.routes.ts';
export { type Lifetimes, type TokenService, tokenService } from './token.service.ts';
