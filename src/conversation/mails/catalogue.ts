import type { Language, PrefName } from '../../people/users/index.ts';
import { arabic, commonInArabic, titlesInArabic } from './arabic.ts';
import {
  type Common,
  type Facts,
  type MailKind,
  type MessageSummary,
  namesOfRest,
  type Rest,
  type Text,
} from './mail.facts.ts';
import { type Link, type MailContent, PRODUCT, type Quote } from './mail.template.ts';

interface Entry<K extends MailKind> {
  readonly to: string;
  readonly when: string;
  /** The preferences that switch it off; none for mails about the account itself. */
  readonly switches: readonly PrefName[];
  readonly texts: Readonly<Record<Language, (facts: Facts[K]) => Text>>;
}

const MEMBERSHIP_TIMES =
  'at once; another change of the same membership after <!-- value: membership-mails-every --><!-- /value -->, as it is then, at most <!-- value: membership-mails-a-day --><!-- /value --> daily <!-- claim: membership-mails-collapse -->';

/**
 * Every mail: its receiver, its time, the preferences that switch it off, and its texts in every language. The table in
 * docs/operations/mail.md and the kinds in the OpenAPI document come from here.
 */
export const catalogue: { readonly [K in MailKind]: Entry<K> } = {
  email_verification: {
    to: 'the person who signs up, or asks for another link',
    when: 'at once',
    switches: [],
    texts: {
      en: ({ name, at, from }) => ({
        subject: 'Is this your address?',
        paragraphs: [
          `An account on ${PRODUCT} was made with this address at ${at}, for ${name}. If it is yours, please confirm the address.`,
          ...(from === undefined ? [] : [`The network address ${from} asked for this mail.`]),
        ],
        action: 'Confirm the address',
        footer:
          'If you did not make the account, choose “I did not create this account” on that page, which closes it, or ignore this mail.',
      }),
      de: ({ name, at, from }) => ({
        subject: 'Ist das deine Adresse?',
        paragraphs: [
          `Mit dieser Adresse wurde ein Konto bei ${PRODUCT} angelegt: ${at}, für ${name}. Ist es deines, bestätige bitte die Adresse.`,
          ...(from === undefined ? [] : [`Diese Mail wurde von der Netzadresse ${from} aus verlangt.`]),
        ],
        action: 'Adresse bestätigen',
        footer:
          'Hast du es nicht angelegt, wähle auf der Seite „Dieses Konto habe ich nicht angelegt“, was es schließt, oder ignoriere diese Mail.',
      }),
      ar: arabic.email_verification,
    },
  },
  password_reset: {
    to: 'the account, if the address has one',
    when: 'at once',
    switches: [],
    texts: {
      en: ({ name }) => ({
        subject: 'Set a new password',
        paragraphs: [`Hello ${name},`, `somebody, most likely you, asked for a new password on ${PRODUCT}.`],
        action: 'Set a new password',
        footer: 'The link works once, for a short time. If it was not you, ignore this mail.',
      }),
      de: ({ name }) => ({
        subject: 'Neues Passwort setzen',
        paragraphs: [
          `Hallo ${name},`,
          `jemand, wahrscheinlich du, hat ein neues Passwort für ${PRODUCT} angefordert.`,
        ],
        action: 'Neues Passwort setzen',
        footer:
          'Der Link funktioniert einmal und nur kurze Zeit. Wenn du es nicht warst, ignoriere diese Mail.',
      }),
      ar: arabic.password_reset,
    },
  },
  invitation: {
    to: 'the invited address; within the limits in [security.md](security.md#invitations)',
    when: 'at once',
    switches: ['email_on_team_invite'],
    texts: {
      en: ({ from, team }) => ({
        subject: `${from} invites you to ${team}`,
        paragraphs: [`${from} invites you to join the team ${team} on ${PRODUCT}.`],
        action: 'Join the team',
        footer: 'The link works once. If you do not know who invites you, ignore this mail.',
      }),
      de: ({ from, team }) => ({
        subject: `${from} lädt dich zu ${team} ein`,
        paragraphs: [`${from} lädt dich ein, dem Team ${team} bei ${PRODUCT} beizutreten.`],
        action: 'Dem Team beitreten',
        footer: 'Der Link funktioniert einmal. Wenn du nicht weißt, wer dich einlädt, ignoriere diese Mail.',
      }),
      ar: arabic.invitation,
    },
  },
  security: {
    to: 'the account: after a new password (the address must be proved); after many wrong passwords, and, with a mail server, after a sign-up with its address, at most one in <!-- value: wrong-passwords-notice-every --><!-- /value --> each',
    when: 'at once',
    switches: [],
    texts: {
      en: (facts) => ({
        ...securityInEnglish(facts),
        action: 'Set a new password',
      }),
      de: (facts) => ({
        ...securityInGerman(facts),
        action: 'Neues Passwort setzen',
      }),
      ar: arabic.security,
    },
  },
  team_removed: {
    to: 'the former member, unless they left by themselves',
    when: MEMBERSHIP_TIMES,
    switches: ['email_on_team_removed'],
    texts: {
      en: ({ actor, team }) => ({
        subject: `You are no longer in ${team}`,
        paragraphs: [`${actor} removed you from the team ${team}.`],
        footer: `${PRODUCT} tells you about changes of your memberships.`,
      }),
      de: ({ actor, team }) => ({
        subject: `Du bist nicht mehr in ${team}`,
        paragraphs: [`${actor} hat dich aus dem Team ${team} entfernt.`],
        footer: `${PRODUCT} informiert dich über Änderungen deiner Mitgliedschaften.`,
      }),
      ar: arabic.team_removed,
    },
  },
  team_role_changed: {
    to: 'the member, unless they did it themselves',
    when: MEMBERSHIP_TIMES,
    switches: ['email_on_team_role_changed'],
    texts: {
      en: ({ actor, team, admin }) => ({
        subject: `You are now ${admin ? 'an admin' : 'a member'} of ${team}`,
        paragraphs: [`${actor} made you ${admin ? 'an admin' : 'a member'} of the team ${team}.`],
        action: `Open ${PRODUCT}`,
        footer: `${PRODUCT} tells you about changes of your memberships.`,
      }),
      de: ({ actor, team, admin }) => ({
        subject: admin ? `Du verwaltest jetzt ${team}` : `Du bist jetzt Mitglied von ${team}`,
        paragraphs: [
          admin
            ? `${actor} hat dir die Verwaltung des Teams ${team} gegeben.`
            : `${actor} hat dich zum einfachen Mitglied des Teams ${team} gemacht.`,
        ],
        action: `${PRODUCT} öffnen`,
        footer: `${PRODUCT} informiert dich über Änderungen deiner Mitgliedschaften.`,
      }),
      ar: arabic.team_role_changed,
    },
  },
  calls_paused: {
    to: 'the owner of an application whose calls failed for a while',
    when: 'when the calls pause',
    switches: [],
    texts: {
      en: ({ application, since }) => ({
        subject: `${application} does not answer`,
        paragraphs: [
          `Calls to your application ${application} have failed since ${since}.`,
          `${PRODUCT} now pauses between its attempts, and goes on as soon as one succeeds. A test callback that succeeds ends the pause at once.`,
        ],
        action: 'Show the calls',
        footer: `${PRODUCT} tells you because the application is yours.`,
      }),
      de: ({ application, since }) => ({
        subject: `${application} antwortet nicht`,
        paragraphs: [
          `Aufrufe deiner Anwendung ${application} schlagen seit ${since} fehl.`,
          `${PRODUCT} macht jetzt zwischen den Versuchen Pausen und fährt fort, sobald einer gelingt. Ein gelungener Testaufruf beendet die Pause sofort.`,
        ],
        action: 'Aufrufe anzeigen',
        footer: `${PRODUCT} informiert dich, weil die Anwendung dir gehört.`,
      }),
      ar: arabic.calls_paused,
    },
  },
  messages: {
    to: 'those concerned by messages, as their preferences (`prefs`) say',
    when: 'collected for `MAIL_BATCH_SECONDS`',
    switches: [
      'email_on_team_message',
      'email_on_direct_message',
      'email_on_reply_to_your_message',
      'email_on_reply_to_your_direct_message',
      'email_on_reply_to_message_you_replied_to',
      'email_on_at_mention',
      'email_on_sidebar_message',
    ],
    texts: {
      en: ({ count, more, rest, first, author, team }) => ({
        subject: subjectOfMessages(count, titleOf('en', first), {
          all: `${count} new messages`,
          from: author && `${count} new messages from ${author}`,
          in: team && `${count} new messages in ${team}`,
        }),
        paragraphs: [],
        ...(more > 0 && { action: `And ${more} more${namesOfRest(rest, ', ', restInEnglish)}` }),
        footer: `${PRODUCT} tells you about messages that you have not read yet.`,
      }),
      de: ({ count, more, rest, first, author, team }) => ({
        subject: subjectOfMessages(count, titleOf('de', first), {
          all: `${count} neue Nachrichten`,
          from: author && `${count} neue Nachrichten von ${author}`,
          in: team && `${count} neue Nachrichten in ${team}`,
        }),
        paragraphs: [],
        ...(more > 0 && { action: `Und ${more} weitere${namesOfRest(rest, ', ', restInGerman)}` }),
        footer: `${PRODUCT} informiert dich über Nachrichten, die du noch nicht gelesen hast.`,
      }),
      ar: arabic.messages,
    },
  },
};

export const common: Readonly<Record<Language, Common>> = {
  en: {
    unsubscribe: 'Stop mails of this kind',
    attachment: '(an attachment)',
    application: (name) => `${name} (app)`,
    stop: { title: 'Stop these mails?', button: 'Stop them' },
    stopped: {
      title: 'Done',
      text: 'You get no more mails of this kind. Your settings can bring them back.',
    },
  },
  de: {
    unsubscribe: 'Keine Mails dieser Art mehr',
    attachment: '(ein Anhang)',
    application: (name) => `${name} (App)`,
    stop: { title: 'Diese Mails abbestellen?', button: 'Abbestellen' },
    stopped: {
      title: 'Erledigt',
      text: 'Du bekommst keine Mails dieser Art mehr. In deinen Einstellungen kannst du sie wieder einschalten.',
    },
  },
  ar: commonInArabic,
};

/** The title of one message in a mail, by how it concerns the reader. */
const TITLES: Readonly<
  Record<Language, (author: string, team: string | null) => Record<MessageSummary['what'], string>>
> = {
  en: (author, team) => {
    const place = team === null ? '' : ` in ${team}`;
    return {
      mention: `${author} mentioned you${place}`,
      sidebar: `${author} wrote in a sidebar${place}`,
      reply: `${author} replied${place}`,
      direct: `${author} wrote to you`,
      message: `${author} wrote${place}`,
    };
  },
  de: (author, team) => {
    const place = team === null ? '' : ` in ${team}`;
    return {
      mention: `${author} hat dich${place} erwähnt`,
      sidebar: `${author} hat${place} in einem Nebengespräch geschrieben`,
      reply: `${author} hat${place} geantwortet`,
      direct: `${author} hat dir geschrieben`,
      message: `${author} hat${place} geschrieben`,
    };
  },
  ar: titlesInArabic,
};

export const titleOf = (language: Language, { author, team, what }: MessageSummary): string =>
  TITLES[language](author, team)[what];

function restInEnglish({ team, isMention, count }: Rest): string {
  if (isMention)
    return `${count} ${count === 1 ? 'mention' : 'mentions'}${team === null ? '' : ` in ${team}`}`;
  return team === null ? `${count} direct` : `${count} in ${team}`;
}

function restInGerman({ team, isMention, count }: Rest): string {
  if (isMention)
    return `${count} ${count === 1 ? 'Erwähnung' : 'Erwähnungen'}${team === null ? '' : ` in ${team}`}`;
  return team === null ? `${count} direkt an dich` : `${count} in ${team}`;
}

function subjectOfMessages(
  count: number,
  title: string,
  texts: { all: string; from: string | undefined; in: string | undefined },
): string {
  return count === 1 ? title : (texts.from ?? texts.in ?? texts.all);
}

function securityInEnglish(facts: Facts['security']): Omit<Text, 'action'> {
  const hello = `Hello ${facts.name},`;
  if (facts.event === 'guesses') {
    return {
      subject: 'Wrong passwords for your account',
      paragraphs: [
        hello,
        `somebody has tried many wrong passwords for your account on ${PRODUCT}. None of them was right.`,
        'Further attempts are slowed down. Browsers in which you have signed in before are not affected. From another ' +
          'one you may have to wait, or set a new password by mail.',
      ],
      footer:
        'You get this mail at most once a day. If your password is long and used nowhere else, do nothing.',
    };
  }
  if (facts.event === 'sign_up') {
    return {
      subject: 'Somebody tried to sign up with your address',
      paragraphs: [
        hello,
        `somebody tried to make an account on ${PRODUCT} with this address. It has an account already, and nothing was changed.`,
        'If it was you: sign in, or set a new password if you forgot yours. If it was not you, do nothing.',
      ],
      footer: 'You get this mail at most once a day.',
    };
  }
  return {
    subject: 'Your password was changed',
    paragraphs: [
      hello,
      `the password of your account on ${PRODUCT} was changed at ${facts.at}.`,
      'If it was you, do nothing. If it was not you, set a new password now, which ends all sessions, and tell an ' +
        'administrator of the server.',
    ],
    footer: `${PRODUCT} tells you about each change of your password.`,
  };
}

function securityInGerman(facts: Facts['security']): Omit<Text, 'action'> {
  const hello = `Hallo ${facts.name},`;
  if (facts.event === 'guesses') {
    return {
      subject: 'Falsche Passwörter für dein Konto',
      paragraphs: [
        hello,
        `jemand hat viele falsche Passwörter für dein Konto bei ${PRODUCT} versucht. Keines davon war richtig.`,
        'Weitere Versuche werden verlangsamt. Browser, in denen du schon angemeldet warst, sind nicht betroffen. In ' +
          'einem anderen musst du vielleicht warten, oder du setzt per Mail ein neues Passwort.',
      ],
      footer:
        'Du bekommst diese Mail höchstens einmal am Tag. Ist dein Passwort lang und nirgends sonst in Gebrauch, musst du nichts tun.',
    };
  }
  if (facts.event === 'sign_up') {
    return {
      subject: 'Jemand wollte sich mit deiner Adresse registrieren',
      paragraphs: [
        hello,
        `jemand wollte mit dieser Adresse ein Konto bei ${PRODUCT} anlegen. Sie hat bereits eines, und nichts wurde geändert.`,
        'Warst du es: Melde dich an, oder setze ein neues Passwort, wenn du deines vergessen hast. Warst du es nicht, musst du nichts tun.',
      ],
      footer: 'Du bekommst diese Mail höchstens einmal am Tag.',
    };
  }
  return {
    subject: 'Dein Passwort wurde geändert',
    paragraphs: [
      hello,
      `das Passwort deines Kontos bei ${PRODUCT} wurde geändert: ${facts.at}.`,
      'Warst du es, musst du nichts tun. Warst du es nicht, setze jetzt ein neues Passwort, was alle Sitzungen beendet, ' +
        'und sage es jemandem, der den Server verwaltet.',
    ],
    footer: `${PRODUCT} informiert dich über jede Änderung deines Passworts.`,
  };
}

interface Links {
  readonly action?: string;
  readonly unsubscribe?: string;
  readonly quotes?: readonly Quote[];
}

/** A mail's text in the reader's language, with its links. */
export function write<K extends MailKind>(
  kind: K,
  language: Language,
  facts: Facts[K],
  { action: url, unsubscribe, quotes }: Links,
): MailContent {
  const { subject, paragraphs, action, footer } = catalogue[kind].texts[language](facts);
  const link = (label: string, to: string): Link => ({ label, url: to });
  return {
    language,
    subject,
    paragraphs,
    ...(quotes && { quotes }),
    ...(action !== undefined && url !== undefined && { action: link(action, url) }),
    footer: [footer],
    ...(unsubscribe !== undefined && { unsubscribe: link(common[language].unsubscribe, unsubscribe) }),
  };
}
