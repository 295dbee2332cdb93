import type { Cipher } from '#platform/crypto/index.ts';
import type { Tx } from '#platform/db/index.ts';
import { type Clock, LOWEST_ID, newId } from '#platform/ids.ts';
import { findUser, findUserByEmail, type PrefName, prefsOf } from '../../people/users/index.ts';
import type { InvitationListener } from '../../teams/index.ts';
import type { MessageListener } from '../messages/index.ts';
import type { invitationLimits } from './invitation-limits.ts';
import { insertJob, insertJobs } from './job.store.ts';
import type { MailService } from './mail.service.ts';
import { inertName, nameOf, oneLine, PRODUCT } from './mail.template.ts';
import { membershipMails } from './membership.ts';
import type { UnsubscribeLinks } from './unsubscribe.ts';

/** Calls to an application failed for a while, and pause. */
interface CallsPaused {
  readonly application: { readonly id: string; readonly owner_id: string; readonly name: string };
  readonly failingSince: number;
}

/**
 * Turns what happened into mails, in the transaction in which it happened.
 * @param deps.enabled without it only invitations are mailed
 * @param deps.canSend whether there is a mail server: without one nothing is prepared that would quote messages
 */
export function notificationService(deps: {
  clock: Clock;
  cipher: Cipher;
  mails: MailService;
  links: UnsubscribeLinks;
  baseUrl: () => string;
  enabled: boolean;
  canSend: boolean;
  /** Whether one more invitation may be mailed, which is counted. */
  mayInvite: ReturnType<typeof invitationLimits>;
}) {
  const { clock, cipher, mails, links, baseUrl, enabled, canSend, mayInvite } = deps;

  const unsubscribe = (userId: string, pref: PrefName) => ({
    label: 'Stop mails of this kind',
    url: links.url(userId, [pref]),
  });

  /** One row, for a team of any size: the worker finds out later whom it concerns. */
  const onMessageChange: MessageListener = async (tx, change) => {
    if (!enabled || !canSend || change.kind !== 'posted') return;
    const now = clock();
    tx.gather(insertJobs, {
      id: newId(),
      kind: 'message',
      message_id: change.message.id,
      email_key: null,
      cursor: LOWEST_ID,
      num_failures: 0,
      next_attempt_at: now,
      created_at: now,
    });
  };

  /**
   * Somebody without an account has no preferences either: the link is all they have.
   * @returns whether a mail will be sent
   */
  const onInvite: InvitationListener = async (tx, invitation) => {
    const pref = 'email_on_team_invite';
    const user = await findUserByEmail.first(tx, { emailKey: invitation.email_key });
    const unwanted = user && (user.active !== 1 || user.id === invitation.inviter_id || !prefsOf(user)[pref]);
    const inviter = await findUser.first(tx, { id: invitation.inviter_id });
    const to = { teamId: invitation.team_id, emailKey: invitation.email_key };
    if (unwanted || !inviter || !(await mayInvite(tx, inviter, to))) return false;
    const team = inertName(invitation.teamName);
    const from = nameOf(inviter.first_name, inviter.last_name);
    await mails.enqueue(tx, {
      kind: 'invitation',
      to: { email: invitation.email, userId: user?.id ?? null },
      secret: invitation.token,
      content: {
        subject: `${from} invites you to ${team}`,
        paragraphs: [`${from} invites you to join the team ${team} on ${PRODUCT}.`],
        action: { label: 'Join the team', url: invitation.url },
        footer: ['The link works once. If you do not know who invites you, ignore this mail.'],
        ...(user && { unsubscribe: unsubscribe(user.id, pref) }),
      },
    });
    return canSend;
  };

  /** It goes to the owner at once, and once for a time in which the application fails. */
  const onCallsPaused = async (tx: Tx, { application, failingSince }: CallsPaused): Promise<void> => {
    if (!enabled) return;
    const owner = await findUser.first(tx, { id: application.owner_id });
    if (owner?.active !== 1) return;
    const name = inertName(application.name);
    await mails.enqueue(tx, {
      kind: 'calls_paused',
      to: { email: owner.email, userId: owner.id },
      content: {
        subject: `${name} does not answer`,
        paragraphs: [
          `Calls to your application ${name} have failed since ${new Date(failingSince).toISOString()}.`,
          `${PRODUCT} now pauses between its attempts, and goes on as soon as one succeeds. A test callback that succeeds ends the pause at once.`,
        ],
        action: { label: 'Show the calls', url: `${baseUrl()}/developers/${application.id}/deliveries` },
        footer: [`${PRODUCT} tells you because the application is yours.`],
      },
    });
  };

  return {
    onMessageChange,
    onTeamChange: enabled ? membershipMails({ clock, cipher, mails, links, baseUrl }) : async () => undefined,
    onInvite,
    onCallsPaused,
  };
}

/** The account that a mail is about. */
interface Recipient {
  readonly id: string;
  readonly email: string;
  readonly first_name: string;
}

/** The mails about an account itself: nobody can switch them off, and they go at once. */
export function accountMails(deps: {
  clock: Clock;
  mails: MailService;
  baseUrl: () => string;
  canSend: boolean;
}) {
  const { clock, mails, baseUrl, canSend } = deps;

  async function sendVerification(tx: Tx, user: Recipient, token: string): Promise<void> {
    await mails.enqueue(tx, {
      kind: 'email_verification',
      to: { email: user.email, userId: user.id },
      secret: token,
      content: {
        subject: `Is this your address?`,
        paragraphs: [
          `Hello ${oneLine(user.first_name)},`,
          `this address was given for an account on ${PRODUCT}. Please confirm that it is yours.`,
        ],
        action: { label: 'Confirm the address', url: `${baseUrl()}/email_verifications/${token}` },
        footer: ['If you have no account there, ignore this mail.'],
      },
    });
  }

  async function sendPasswordReset(tx: Tx, user: Recipient, token: string): Promise<void> {
    await mails.enqueue(tx, {
      kind: 'password_reset',
      to: { email: user.email, userId: user.id },
      secret: token,
      content: {
        subject: 'Set a new password',
        paragraphs: [
          `Hello ${oneLine(user.first_name)},`,
          `somebody, most likely you, asked for a new password on ${PRODUCT}.`,
        ],
        action: { label: 'Set a new password', url: `${baseUrl()}/password_resets/${token}` },
        footer: ['The link works once, for a short time. If it was not you, ignore this mail.'],
      },
    });
  }

  /** What is done now is the same for every address; whether it has an account is found out afterwards. */
  async function requestPasswordReset(tx: Tx, email: string): Promise<void> {
    const now = clock();
    await insertJob.run(tx, {
      id: newId(),
      kind: 'password_reset',
      message_id: null,
      email_key: email,
      cursor: LOWEST_ID,
      num_failures: 0,
      next_attempt_at: now,
      created_at: now,
    });
  }

  /** About the safety of the account, with the way to a new password. */
  function warn(
    tx: Tx,
    user: Recipient,
    { subject, paragraphs, note }: { subject: string; paragraphs: readonly string[]; note: string },
  ): Promise<void> {
    return mails.enqueue(tx, {
      kind: 'security',
      to: { email: user.email, userId: user.id },
      content: {
        subject,
        paragraphs: [`Hello ${inertName(user.first_name)},`, ...paragraphs],
        action: { label: 'Set a new password', url: `${baseUrl()}/password_resets` },
        footer: [note],
      },
    });
  }

  const warnOfGuesses = (tx: Tx, user: Recipient) =>
    warn(tx, user, {
      subject: 'Wrong passwords for your account',
      paragraphs: [
        `somebody has tried many wrong passwords for your account on ${PRODUCT}. None of them was right.`,
        'Further attempts are slowed down. Browsers in which you have signed in before are not affected. From another ' +
          'one you may have to wait, or set a new password by mail.',
      ],
      note: 'You get this mail at most once a day. If your password is long and used nowhere else, do nothing.',
    });

  /** Without a mail server it is not written: an administrator has no use for it. */
  const noticeOfSignUp = async (tx: Tx, user: Recipient): Promise<void> => {
    if (!canSend) return;
    await warn(tx, user, {
      subject: 'Somebody tried to sign up with your address',
      paragraphs: [
        `somebody tried to make an account on ${PRODUCT} with this address. It has an account already, and nothing was changed.`,
        'If it was you: sign in, or set a new password if you forgot yours. If it was not you, do nothing.',
      ],
      note: 'You get this mail at most once a day.',
    });
  };

  /** The address must be proved: others may not have strangers mailed by changing a password. */
  const tellPasswordChanged = (tx: Tx, user: Recipient) =>
    warn(tx, user, {
      subject: 'Your password was changed',
      paragraphs: [
        `the password of your account on ${PRODUCT} was changed at ${new Date(clock()).toISOString()}.`,
        'If it was you, do nothing. If it was not you, set a new password now, which ends all sessions, and tell an ' +
          'administrator of the server.',
      ],
      note: `${PRODUCT} tells you about each change of your password.`,
    });

  return {
    sendVerification,
    sendPasswordReset,
    requestPasswordReset,
    warnOfGuesses,
    noticeOfSignUp,
    tellPasswordChanged,
  };
}
