import type { Cipher } from '#platform/crypto/index.ts';
import type { Tx } from '#platform/db/index.ts';
import { type Clock, newId } from '#platform/ids.ts';
import type { UserRow } from '#schema';
import { findUser, findUserByEmail, prefsOf } from '../../people/users/index.ts';
import type { InvitationListener } from '../../teams/index.ts';
import type { invitationLimits } from './invitation-limits.ts';
import { insertJob } from './job.store.ts';
import type { MatterOf } from './mail.matter.ts';
import type { MailQueue } from './mail.queue.ts';
import { membershipMails } from './membership.ts';

/** Calls to an application failed for a while, and pause. */
interface CallsPaused {
  readonly application: { readonly id: string; readonly owner_id: string };
}

export type NotificationService = ReturnType<typeof notificationService>;

/**
 * Turns what happened into mails, in the transaction in which it happened.
 * @param deps.enabled without it only invitations are mailed
 * @param deps.canSend whether there is a mail server
 */
export function notificationService(deps: {
  clock: Clock;
  cipher: Cipher;
  mails: MailQueue;
  enabled: boolean;
  canSend: boolean;
  /** Whether one more invitation may be mailed, which is counted. */
  mayInvite: ReturnType<typeof invitationLimits>;
}) {
  const { clock, cipher, mails, enabled, canSend, mayInvite } = deps;

  /**
   * An address without an account has no preferences.
   * @returns whether a mail will be sent
   */
  const onInvite: InvitationListener = async (tx, invitation) => {
    const pref = 'email_on_team_invite';
    const user = await findUserByEmail.first(tx, { emailKey: invitation.email_key });
    const unwanted = user && (user.active !== 1 || user.id === invitation.inviter_id || !prefsOf(user)[pref]);
    const inviter = await findUser.first(tx, { id: invitation.inviter_id });
    const to = { teamId: invitation.team_id, emailKey: invitation.email_key };
    if (unwanted || !inviter || !(await mayInvite(tx, inviter, to))) return false;
    await mails.enqueue(tx, {
      to: { email: invitation.email, userId: user?.id ?? null },
      matter: { kind: 'invitation', secret: invitation.token },
    });
    return canSend;
  };

  /** Mails the owner at once, once for each time in which the application fails. */
  const onCallsPaused = async (tx: Tx, { application }: CallsPaused): Promise<void> => {
    if (!enabled) return;
    const owner = await findUser.first(tx, { id: application.owner_id });
    if (owner?.active !== 1) return;
    await mails.enqueue(tx, {
      to: { email: owner.email, userId: owner.id },
      matter: { kind: 'calls_paused', applicationId: application.id },
    });
  };

  return {
    onTeamChange: enabled ? membershipMails({ clock, cipher, mails }) : async () => undefined,
    onInvite,
    onCallsPaused,
  };
}

/** The account that a mail is about. */
type Recipient = Pick<UserRow, 'id' | 'email'>;

/** The mails about an account itself. They have no switch and go at once. */
export function accountMails(deps: { clock: Clock; mails: MailQueue; canSend: boolean }) {
  const { clock, mails, canSend } = deps;

  /** @param from the network address that asks for it: its reader may not be the one who made the account */
  const sendVerification = (tx: Tx, user: Recipient, link: { token: string; from: string }) =>
    mails.enqueue(tx, {
      to: { email: user.email, userId: user.id },
      matter: { kind: 'email_verification', secret: link.token, from: link.from },
    });

  const sendPasswordReset = (tx: Tx, user: Recipient, token: string) =>
    mails.enqueue(tx, {
      to: { email: user.email, userId: user.id },
      matter: { kind: 'password_reset', secret: token },
    });

  /** Does the same for every address. The job finds out later whether there is an account. */
  async function requestPasswordReset(tx: Tx, email: string): Promise<void> {
    const now = clock();
    await insertJob.run(tx, {
      id: newId(),
      kind: 'password_reset',
      email_key: email,
      num_failures: 0,
      next_attempt_at: now,
      created_at: now,
    });
  }

  /** About the safety of the account, with the way to a new password. */
  const warn = (tx: Tx, user: Recipient, event: MatterOf<'security'>['event']): Promise<void> =>
    mails.enqueue(tx, {
      to: { email: user.email, userId: user.id },
      matter: { kind: 'security', event },
    });

  const warnOfGuesses = (tx: Tx, user: Recipient) => warn(tx, user, 'guesses');

  /** Not written without a mail server, because an administrator has no use for it. */
  const noticeOfSignUp = async (tx: Tx, user: Recipient): Promise<void> => {
    if (canSend) await warn(tx, user, 'sign_up');
  };

  /** The address must be proved: changing a password must not mail a stranger. */
  const tellPasswordChanged = (tx: Tx, user: Recipient) => warn(tx, user, 'password_changed');

  return {
    sendVerification,
    sendPasswordReset,
    requestPasswordReset,
    warnOfGuesses,
    noticeOfSignUp,
    tellPasswordChanged,
  };
}
