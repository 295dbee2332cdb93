import type { Invitation } from '../api/types.ts';

/** Which text tells how many of the invitations were mailed: few are where limits hold mails back. */
export function mailTextOf(invited: readonly Invitation[]): 'mailed' | 'someMailed' | 'notMailed' {
  if (invited.every(({ mailed }) => mailed)) return 'mailed';
  return invited.some(({ mailed }) => mailed) ? 'someMailed' : 'notMailed';
}
