import type { Tx } from '#platform/db/index.ts';
import { type Clock, newId } from '#platform/ids.ts';
import type { UserRow } from '../schema/index.ts';
import { countInvitationMails, insertInvitationMail } from './invitation-limits.store.ts';

const HOUR_MS = 3600 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** Mails with invitations to one address a day. */
const MAX_TO_ADDRESS = 10;

/** Mails with invitations a day. */
export interface InvitationLimits {
  readonly perPerson: number;
  readonly perTeam: number;
  /** Of an account that is younger than a day. */
  readonly perNewAccount: number;
}

/**
 * Invitations are the one mail that a person can have sent to an address of their choice: past these limits they have
 * to pass the link on themselves.
 * @param deps.needsProof whether an inviter must have proved their own address
 */
export function invitationLimits(deps: { clock: Clock; limits: InvitationLimits; needsProof: boolean }) {
  const { clock, limits, needsProof } = deps;

  /** Counts the mail when it may be written. */
  return async function take(
    tx: Tx,
    inviter: UserRow,
    to: { readonly teamId: string; readonly emailKey: string },
  ): Promise<boolean> {
    const now = clock();
    const trusted = inviter.superuser === 1;
    if (needsProof && !trusted && inviter.email_verified !== 1) return false;
    const isNew = !trusted && now - inviter.created_at < DAY_MS;
    const counted = { ...to, inviterId: inviter.id, since: now - DAY_MS, hourAgo: now - HOUR_MS };
    const found = await countInvitationMails.first(tx, counted);
    const exceeded =
      (found?.of_person ?? 0) >=
        (isNew ? Math.min(limits.perNewAccount, limits.perPerson) : limits.perPerson) ||
      (found?.of_team ?? 0) >= limits.perTeam ||
      (found?.to_address ?? 0) >= MAX_TO_ADDRESS ||
      (found?.lately ?? 0) > 0;
    if (exceeded) return false;
    await insertInvitationMail.all(tx, {
      id: newId(),
      team_id: to.teamId,
      inviter_id: inviter.id,
      email_key: to.emailKey,
      created_at: now,
    });
    return true;
  };
}
