import { NotAllowed } from '../errors.ts';
import { type ApplicationPrincipal, isSession, type UserPrincipal } from './principal.ts';

/**
 * Refuses a session in which the password was not shown a short while ago. Credentials and tokens of applications are
 * no session: what they may do, nobody gets by finding a browser open. @throws NotAllowed
 */
export function demandPassword(principal: UserPrincipal | ApplicationPrincipal): void {
  if (!isSession(principal) || principal.confirmed) return;
  throw new NotAllowed('password_needed', 'Show your password first: POST /v1/sessions/current/confirmation');
}
