import type { Tx } from '#platform/db/index.ts';
import { type Clock, newId } from '#platform/ids.ts';
import type { UserRow } from '#schema';
import { countInvitationMails, insertInvitationMail } from './invitation-limits.store.ts';

/** Between two mails to one address about one team. */
export const SAME_TEAM_EVERY_MS = 3600 * 1000;
/** The time that every limit counts, and for which an account is new. */
export const INVITATION_MAILS_PER_MS = 24 * 3600 * 1000;
/** Mails with invitations to one address a day. */
export const MAX_TO_ADDRESS = 10;

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
    const isNew = !trusted && now - inviter.created_at < INVITATION_MAILS_PER_MS;
    const counted = {
      ...to,
      inviterId: inviter.id,
      since: now - INVITATION_MAILS_PER_MS,
      hourAgo: now - SAME_TEAM_EVERY_MS,
    };
    const found = await countInvitationMails.first(tx, counted);
    const exceeded =
      (found?.of_person ?? 0) >=
        (isNew ? Math.min(limits.perNewAccount, limits.perPerson) : limits.perPerson) ||
      (found?.of_team ?? 0) >= limits.perTeam ||
      (found?.to_address ?? 0) >= MAX_TO_ADDRESS ||
      (found?.lately ?? 0) > 0;
    if (exceeded) return false;
    await insertInvitationMail.run(tx, {
      id: newId(),
      team_id: to.teamId,
      inviter_id: inviter.id,
      email_key: to.emailKey,
      created_at: now,
    });
    return true;
  };
}
