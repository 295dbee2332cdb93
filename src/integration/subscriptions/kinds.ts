/**
 * The kinds of events that applications can subscribe to. The OpenAPI text and the table in docs/developers/hearing.md come from
 * here.
 */
interface Kind {
  readonly when: string;
  readonly data: string;
  /** The scopes of which the team's admin must have granted one. */
  readonly scopes?: readonly string[];
}

const MESSAGES = ['messages:read'] as const;
const MESSAGE = { data: '`{team, message}`', scopes: MESSAGES } as const;
const HIGH_FIVE = {
  data: '`{team, message: {id}, user}`',
  scopes: [...MESSAGES, 'high_fives:read'],
} as const;
const REACTION = {
  data: '`{team, message: {id}, emoji, user}`',
  scopes: [...MESSAGES, 'reactions:read'],
} as const;
const PIN = { data: '`{team, message: {id}, user}`', scopes: MESSAGES } as const;
const SUBJECT = { data: '`{team, subject: {id, name}, user}`', scopes: MESSAGES } as const;
const DIRECT = { scopes: ['direct:app'] } as const;
const MEMBER = { data: '`{team, user}`' } as const;
const INSTALLATION = { data: '`{team, installation}`' } as const;

const kinds = {
  'message.posted': { ...MESSAGE, when: 'a message to a team, which answers no other' },
  'reply.posted': { ...MESSAGE, when: 'an answer to a message to a team' },
  mention: {
    ...MESSAGE,
    when: 'a message or an answer that mentions the application, in place of `message.posted` or `reply.posted`',
  },
  'link.posted': {
    data: '`{team, message, links: [{url}]}`',
    scopes: MESSAGES,
    when: 'a message or an answer with links to the application’s `link_prefixes`, in place of `message.posted` or `reply.posted`; in a `mention` the links are, too',
  },
  'message.edited': { ...MESSAGE, when: 'a message or an answer has another text, or other attachments' },
  'message.deleted': {
    data: '`{team, message: {id}}`',
    scopes: MESSAGES,
    when: 'a message or an answer was deleted',
  },
  'reaction.added': { ...REACTION, when: 'a user reacted to a message' },
  'reaction.removed': { ...REACTION, when: 'a user took it back' },
  'high_five.given': {
    ...HIGH_FIVE,
    when: 'a user reacted with 🙌; in place of `reaction.added`, where both are heard',
  },
  'high_five.withdrawn': { ...HIGH_FIVE, when: 'a user took it back; in place of `reaction.removed`' },
  'message.pinned': { ...PIN, when: 'a user pinned a message to its team' },
  'message.unpinned': {
    ...PIN,
    when: 'a user unpinned it; the deletion of a message does so without this event',
  },
  'subject.created': { ...SUBJECT, when: 'a message began a subject in a team' },
  'subject.renamed': { ...SUBJECT, when: 'a subject has another name; its id stays' },
  'subject.closed': { ...SUBJECT, when: 'a subject was closed' },
  'subject.reopened': { ...SUBJECT, when: 'a subject was opened again, by hand or by a message in it' },
  'member.joined': { ...MEMBER, when: 'a user joined a team' },
  'member.left': { ...MEMBER, when: 'a user left a team, or was removed' },
  'member.role_changed': { ...MEMBER, when: 'a member became an admin, or an admin a member' },
  'person.changed': {
    data: '`{team, user, status, do_not_disturb_until}`',
    scopes: ['members:read', 'members.email:read'],
    when: 'a member changed their status, or `do_not_disturb_until`; both are as they are when the event is sent, and null without one. No event is sent when either ends',
  },
  'object.opened': {
    data: '`{team, object, user}`',
    when: 'a user followed a link to an object of the application',
  },
  interaction: {
    data: '`{kind, team, user, id, response_url}`; of a click (`action`) and a question (`options`) `{message: {id}, block_id, action_id, value or values, state}`, of a `command` `{command, text}`, of a `shortcut` or `message_action` `{action_id, message?}`, of a `form` or `form_closed` `{form, state, message?}`',
    scopes: ['messages:read', 'messages:write', 'direct:app'],
    when: 'a user pressed or chose something in the blocks of a message of the application, types to find an option, gave it a command, chose one of its shortcuts, or submitted or closed one of its forms',
  },
  'application.opened': {
    data: '`{team, user, id, response_url}`',
    when: 'a user looks at the page of the application, which it publishes by `PUT /v1/applications/:application/homes/:user`',
  },
  'direct.posted': {
    ...DIRECT,
    data: '`{team, message, user}`',
    when: 'a user wrote to the application in a direct conversation: a message, or an answer (it has `reply_to`)',
  },
  'direct.edited': { ...DIRECT, data: '`{team, message, user}`', when: 'a user edited such a message' },
  'direct.deleted': {
    ...DIRECT,
    data: '`{team, message: {id}, user}`',
    when: 'a user deleted such a message',
  },
  'installation.created': { ...INSTALLATION, when: 'a team installed the application' },
  'installation.scopes_changed': { ...INSTALLATION, when: 'an admin granted other scopes' },
  'installation.removed': { ...INSTALLATION, when: 'a team uninstalled the application' },
} as const satisfies Record<string, Kind>;

/** The same for the documents. */
export const heardCatalogue: Readonly<Record<string, Kind>> = kinds;

export type HeardKind = keyof typeof kinds;

export const heardKinds = Object.keys(kinds) as HeardKind[];

export const scopesFor = (kind: HeardKind): readonly string[] | undefined => (kinds[kind] as Kind).scopes;

/** The scopes of a kind as the documents name them; empty for none. */
export const scopesText = ({ scopes = [] }: Pick<Kind, 'scopes'>): string =>
  scopes.map((scope) => `\`${scope}\``).join(' or ');

/** The kinds as the documents list them. */
export const kindsText = Object.entries(heardCatalogue)
  .map(
    ([kind, { data, when, scopes }]) =>
      `- \`${kind}\` ${data}: ${when}${scopes ? ` (scope ${scopesText({ scopes })})` : ''}`,
  )
  .join('\n');
