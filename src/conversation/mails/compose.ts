import type { Cipher } from '#platform/crypto/index.ts';
import { type Reader, together } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { MailRow, UserRow } from '#schema';
import {
  findUser,
  findUserByEmail,
  type Language,
  languageOf,
  type PrefName,
  prefsOf,
} from '../../people/users/index.ts';
import { ADMIN, findMember, findOpenInvitation, invitationHash } from '../../teams/index.ts';
import { catalogue, write } from './catalogue.ts';
import { messagesContent } from './compose.messages.ts';
import type { MailKind } from './mail.facts.ts';
import { type MatterOf, matterOf } from './mail.matter.ts';
import { inertName, type MailContent, nameOf, oneLine } from './mail.template.ts';
import { findMembershipNames, findTroubledApplication } from './notification.store.ts';
import type { UnsubscribeLinks } from './unsubscribe.ts';

/** A mail as it is now, or why it is not sent. */
export type Composition = Composed | { readonly dropped: string };

export interface Composed {
  readonly to: string;
  readonly content: MailContent;
  /** A token in its links that only the recipient may see. */
  readonly secret?: string;
}

export type Compose = ReturnType<typeof composer>;

/** Finds the account that a link opens, while it works. */
export type FindLink = (
  reader: Reader,
  kind: 'email_verification' | 'password_reset',
  token: string,
) => Promise<string | undefined>;

const dropped = (reason: string) => ({ dropped: reason });
const OVER = 'Its link was used, has expired, or was replaced';
const CLOSED = 'The account was deactivated';
const UNWANTED = 'The recipient has switched such mails off';

/**
 * Composes a mail from what is true at this moment: each time that it is sent, and each time that an administrator looks
 * at it. Rights, preferences and texts may have changed since it was queued.
 * @param deps.enabled whether this server mails notifications
 */
export function composer(deps: {
  clock: Clock;
  cipher: Cipher;
  links: UnsubscribeLinks;
  baseUrl: () => string;
  findLink: FindLink;
  enabled: boolean;
}) {
  const { clock, cipher, links, baseUrl, findLink, enabled } = deps;

  /** A mail to an account, which must be open. */
  interface ToAccount<Kind extends MailKind> {
    readonly row: MailRow;
    readonly user: UserRow;
    readonly language: Language;
    readonly matter: MatterOf<Kind>;
  }
  type Content = MailContent | { readonly dropped: string };
  type AccountKind = Exclude<MailKind, 'invitation'>;

  const ofAccount: {
    readonly [Kind in AccountKind]: (reader: Reader, mail: ToAccount<Kind>) => Promise<Content>;
  } = {
    email_verification: async (reader, { user, language, matter: { kind, secret, from } }) => {
      if (user.email_verified === 1) return dropped('The address is confirmed already');
      if ((await findLink(reader, kind, secret)) !== user.id) return dropped(OVER);
      const action = `${baseUrl()}/email_verifications/${secret}`;
      const name = nameOf(user.first_name, user.last_name);
      const at = new Date(user.created_at).toISOString();
      return write(kind, language, { name, at, from }, { action });
    },

    password_reset: async (reader, { user, language, matter: { kind, secret } }) => {
      if ((await findLink(reader, kind, secret)) !== user.id) return dropped(OVER);
      const action = `${baseUrl()}/password_resets/${secret}`;
      return write(kind, language, { name: oneLine(user.first_name) }, { action });
    },

    /** Tells what has happened, which stays true. */
    security: async (_reader, { row, user, language, matter: { kind, event } }) => {
      const facts = { name: inertName(user.first_name), event, at: new Date(row.created_at).toISOString() };
      return write(kind, language, facts, { action: `${baseUrl()}/password_resets` });
    },

    team_removed: async (reader, { user, language, matter }) => {
      const { kind, standing, actorId, teamName } = matter;
      if (isOff(user, 'email_on_team_removed')) return dropped(UNWANTED);
      const names = await findMembershipNames.first(reader, {
        teamId: standing.team,
        userId: user.id,
        actorId,
      });
      if (!names) return dropped('The team was deleted');
      if (names.membership_type !== null) return dropped('The person is a member again');
      const facts = { actor: actorIn(names), team: inertName(teamName) };
      return write(kind, language, facts, { unsubscribe: links.url(user.id, ['email_on_team_removed']) });
    },

    team_role_changed: async (reader, { user, language, matter }) => {
      const { kind, standing, actorId, admin } = matter;
      if (isOff(user, 'email_on_team_role_changed')) return dropped(UNWANTED);
      const names = await findMembershipNames.first(reader, {
        teamId: standing.team,
        userId: user.id,
        actorId,
      });
      if (!names) return dropped('The team was deleted');
      if (names.membership_type === null) return dropped('The person is no longer a member');
      if ((names.membership_type === ADMIN) !== admin) return dropped('The role has changed since');
      const facts = { actor: actorIn(names), team: inertName(names.team_name), admin };
      const unsubscribe = links.url(user.id, ['email_on_team_role_changed']);
      return write(kind, language, facts, { action: baseUrl(), unsubscribe });
    },

    calls_paused: async (reader, { user, language, matter: { kind, applicationId } }) => {
      const found = await findTroubledApplication.first(reader, { id: applicationId });
      if (found?.owner_id !== user.id) return dropped('The application is no longer theirs');
      const since = found.calls_since ?? found.webhook_since;
      if (since === null) return dropped('Calls to the application succeed again');
      const facts = { application: inertName(found.name), since: new Date(Number(since)).toISOString() };
      return write(kind, language, facts, { action: `${baseUrl()}/developers/${applicationId}/deliveries` });
    },

    messages: async (reader, { row: { id }, user, language, matter }) =>
      (await messagesContent({ links, baseUrl }, reader, { id, user, language, matter })) ??
      dropped(
        'Nothing is left to tell: the messages were read, muted or deleted, or may not be seen any more',
      ),
  };

  /** To an address, which may have no account: then the language is that of the person who invites. */
  async function invitation(reader: Reader, { secret }: MatterOf<'invitation'>): Promise<Composition> {
    const open = await findOpenInvitation.first(reader, { tokenHash: invitationHash(secret), now: clock() });
    if (!open) return dropped('The invitation has ended');
    const [inviter, user] = await together([
      findUser.first(reader, { id: open.inviter_id }),
      findUserByEmail.first(reader, { emailKey: open.email_key }),
    ]);
    if (!inviter) return dropped('The invitation has ended');
    if (user && user.active !== 1) return dropped(CLOSED);
    if (user && isOff(user, 'email_on_team_invite')) return dropped(UNWANTED);
    if (user && (await findMember.first(reader, { teamId: open.team_id, userId: user.id })))
      return dropped('The person is a member already');
    const facts = {
      from: nameOf(inviter.first_name, inviter.last_name),
      team: inertName(open.team_name),
    };
    const content = write('invitation', languageOf(user ?? inviter), facts, {
      action: `${baseUrl()}/invitations/${secret}`,
      ...(user && { unsubscribe: links.url(user.id, ['email_on_team_invite']) }),
    });
    return { to: open.email, content, secret };
  }

  return async function compose(reader: Reader, row: MailRow): Promise<Composition> {
    const matter = matterOf(cipher, row);
    if (!matter) return dropped('It was written before version 0.1.0');
    if (!enabled && isNotification(matter.kind)) return dropped('This server mails no notifications');
    if (matter.kind === 'invitation') return invitation(reader, matter);
    const user = row.user_id === null ? undefined : await findUser.first(reader, { id: row.user_id });
    if (user?.active !== 1) return dropped(CLOSED);
    const composeKind = ofAccount[matter.kind] as (
      reader: Reader,
      mail: ToAccount<AccountKind>,
    ) => Promise<Content>;
    const made = await composeKind(reader, { row, user, language: languageOf(user), matter });
    if ('dropped' in made) return made;
    return { to: user.email, content: made, ...('secret' in matter && { secret: matter.secret }) };
  };
}

const isOff = (user: UserRow, pref: PrefName) => !prefsOf(user)[pref];

/** Mails about the account itself, and invitations, go in any case. */
const isNotification = (kind: MailKind) =>
  kind === 'calls_paused' || (kind !== 'invitation' && catalogue[kind].switches.length > 0);

const actorIn = (names: { actor_first_name: string; actor_last_name: string }) =>
  nameOf(names.actor_first_name, names.actor_last_name);
