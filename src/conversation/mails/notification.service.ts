import type { Cipher } from '#platform/crypto/index.ts';
import type { Tx } from '#platform/db/index.ts';
import { type Clock, newId } from '#platform/ids.ts';
import type { UserRow } from '#schema';
import { findUser, findUserByEmail, languageOf, prefsOf } from '../../people/users/index.ts';
import type { InvitationListener } from '../../teams/index.ts';
import { write } from './catalogue.ts';
import type { invitationLimits } from './invitation-limits.ts';
import { insertJob } from './job.store.ts';
import type { MailService } from './mail.service.ts';
import { inertName, nameOf, oneLine } from './mail.template.ts';
import { membershipMails } from './membership.ts';
import type { UnsubscribeLinks } from './unsubscribe.ts';

/** Calls to an application failed for a while, and pause. */
interface CallsPaused {
  readonly application: { readonly id: string; readonly owner_id: string; readonly name: string };
  readonly failingSince: number;
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
  mails: MailService;
  links: UnsubscribeLinks;
  baseUrl: () => string;
  enabled: boolean;
  canSend: boolean;
  /** Whether one more invitation may be mailed, which is counted. */
  mayInvite: ReturnType<typeof invitationLimits>;
}) {
  const { clock, cipher, mails, links, baseUrl, enabled, canSend, mayInvite } = deps;

  /**
   * An address without an account has no preferences. Its mail is in the language of the one who invites.
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
      content: write(
        'invitation',
        languageOf(user ?? inviter),
        { from, team },
        { action: invitation.url, ...(user && { unsubscribe: links.url(user.id, [pref]) }) },
      ),
    });
    return canSend;
  };

  /** Mails the owner at once, once for each time in which the application fails. */
  const onCallsPaused = async (tx: Tx, { application, failingSince }: CallsPaused): Promise<void> => {
    if (!enabled) return;
    const owner = await findUser.first(tx, { id: application.owner_id });
    if (owner?.active !== 1) return;
    const facts = { application: inertName(application.name), since: new Date(failingSince).toISOString() };
    const action = `${baseUrl()}/developers/${application.id}/deliveries`;
    await mails.enqueue(tx, {
      kind: 'calls_paused',
      to: { email: owner.email, userId: owner.id },
      content: write('calls_paused', languageOf(owner), facts, { action }),
    });
  };

  return {
    onTeamChange: enabled ? membershipMails({ clock, cipher, mails, links, baseUrl }) : async () => undefined,
    onInvite,
    onCallsPaused,
  };
}

/** The account that a mail is about. */
type Recipient = Pick<UserRow, 'id' | 'email' | 'first_name' | 'prefs_json'>;

/** The mails about an account itself. They have no switch and go at once. */
export function accountMails(deps: {
  clock: Clock;
  mails: MailService;
  baseUrl: () => string;
  canSend: boolean;
}) {
  const { clock, mails, baseUrl, canSend } = deps;

  const sendVerification = (tx: Tx, user: Recipient, token: string) =>
    sendLink(tx, 'email_verification', user, token);

  const sendPasswordReset = (tx: Tx, user: Recipient, token: string) =>
    sendLink(tx, 'password_reset', user, token);

  async function sendLink(
    tx: Tx,
    kind: 'email_verification' | 'password_reset',
    user: Recipient,
    token: string,
  ): Promise<void> {
    const facts = { name: oneLine(user.first_name) };
    await mails.enqueue(tx, {
      kind,
      to: { email: user.email, userId: user.id },
      secret: token,
      content: write(kind, languageOf(user), facts, { action: `${baseUrl()}/${kind}s/${token}` }),
    });
  }

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

  type Warning =
    | { readonly event: 'guesses' }
    | { readonly event: 'sign_up' }
    | { readonly event: 'password_changed'; readonly at: string };

  /** About the safety of the account, with the way to a new password. */
  function warn(tx: Tx, user: Recipient, warning: Warning): Promise<void> {
    const facts = { name: inertName(user.first_name), ...warning };
    return mails.enqueue(tx, {
      kind: 'security',
      to: { email: user.email, userId: user.id },
      content: write('security', languageOf(user), facts, { action: `${baseUrl()}/password_resets` }),
    });
  }

  const warnOfGuesses = (tx: Tx, user: Recipient) => warn(tx, user, { event: 'guesses' });

  /** Not written without a mail server, because an administrator has no use for it. */
  const noticeOfSignUp = async (tx: Tx, user: Recipient): Promise<void> => {
    if (canSend) await warn(tx, user, { event: 'sign_up' });
  };

  /** The address must be proved: changing a password must not mail a stranger. */
  const tellPasswordChanged = (tx: Tx, user: Recipient) =>
    warn(tx, user, { event: 'password_changed', at: new Date(clock()).toISOString() });

  return {
    sendVerification,
    sendPasswordReset,
    requestPasswordReset,
    warnOfGuesses,
    noticeOfSignUp,
    tellPasswordChanged,
  };
}
