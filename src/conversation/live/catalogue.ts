import type { ShownStatus, UserProfile, UserSummary } from '../../people/users/index.ts';
import type {
  Interaction,
  Message,
  ShownInteraction,
  Sidebar,
  SubjectStep,
  Typing,
} from '../messages/index.ts';

/**
 * Every live event: what its row stores, who gets it and what clients are sent. The OpenAPI text of the stream, the table in
 * docs/developers/hearing.md and the names that the web application listens to come from here.
 */

interface Team {
  readonly team: string;
}
interface User {
  readonly user: string;
}
/** One user and everybody who shares a team with them. */
interface ConnectionsOf {
  readonly connectionsOf: string;
}

/** An account or an application whose access has ended in part: for the servers alone, which close its streams. */
interface Holder {
  readonly holder: string;
}

/** The receivers of an event. */
export type Audience = Team | User | ConnectionsOf | Holder;

/** A row that is gone, or hidden from its receiver, is sent as its id alone. */
type Shown<T extends { id: string }> = Partial<T> & { id: string };

interface MessageEvent<Stored> {
  audience: Team | User;
  stored: { message: string; author: string } & Stored;
  /** `beside` is the message at which a sidebar stands. */
  sent: { message: Shown<Message>; beside?: string };
}

interface Stored<Audience, Data> {
  audience: Audience;
  stored: Data;
  sent: Data;
}

export type InstallationStep = 'begun' | 'installed' | 'failed' | 'scopes' | 'standing' | 'removed';

interface Kinds {
  /** Comes before `message.created`. */
  posted: Stored<User, { key: string; message: string }>;
  /** `root` is the message that it answers. */
  'message.created': MessageEvent<{ root?: string }>;
  /** An edit made `version`; `user` reacted with `emoji` or took it back, or pinned the message or unpinned it. */
  'message.updated': MessageEvent<{
    change?: 'edited' | 'deleted' | 'reaction_added' | 'reaction_removed' | 'pinned' | 'unpinned';
    version?: number;
    user?: string;
    emoji?: string;
  }>;
  'message.state': {
    audience: User;
    stored: { message: string; viewer: string };
    sent: { message: Message | { id: string } };
  };
  'sidebar.created': { audience: User; stored: { sidebar: string }; sent: { sidebar: Shown<Sidebar> } };
  read: Stored<User, { team: string | null }>;
  inbox: Stored<User, { conversation: string }>;
  mute: Stored<User, { kind: string; id: string }>;
  scheduled: Stored<User, { id: string; kind: string; status: string }>;
  'subject.updated': Stored<
    Team,
    { team: string; subject: string; name: string; change: SubjectStep; user: string }
  >;
  invitation: Stored<User, { team: string }>;
  /** How a click of one's own went. */
  interaction: Stored<User, ShownInteraction>;
  /** One of one's own. */
  form: Stored<User, { id: string; change: 'changed' | 'closed' }>;
  home: Stored<User, { application: string; team: string }>;
  ephemeral_answers: Stored<User, { team: string }>;
  'team.updated': Stored<Team, { team: string; change: string }>;
  'team.members': Stored<Team | User, { team: string; user: string; change: string }>;
  'user.updated': {
    audience: User | ConnectionsOf | Team;
    stored: { user: string };
    sent: { user: Shown<UserSummary> & { image?: UserProfile['image'] } };
  };
  'installation.updated': {
    audience: Team;
    stored: { installation: string; application: string; change: InstallationStep };
    sent: { installation: { id: string; team: string; status: string; application: { id: string } } };
  };
  /** Its id alone: messages that mention it may be out of a member's sight. */
  'object.updated': Stored<Team, { object: string }>;
  presence: Stored<ConnectionsOf, { user: string; online: boolean }>;
  /** How somebody is. */
  'person.changed': Stored<
    ConnectionsOf,
    { user: string; status: ShownStatus | null; do_not_disturb_until: number | null }
  >;
  /** The same for the applications of one team. It has no words: an application is told how the person is by then. */
  whereabouts: { audience: Team; stored: { user: string }; sent: never };
  /** For its application alone: what a user opens is none of the team's business. */
  'object.opened': {
    audience: Team;
    stored: { object: string; application: string; user: string };
    sent: never;
  };
  /** A press or a choice in a message, for its application alone. */
  click: {
    audience: Team;
    stored: Omit<Interaction, 'team'>;
    sent: never;
  };
  /** A person's message in a conversation with an application, or its change; for the application alone. */
  direct: {
    audience: Team;
    stored: {
      message: string;
      application: string;
      user: string;
      change: 'posted' | 'edited' | 'deleted';
      version?: number;
    };
    sent: never;
  };
  /** A session, a secret or all access ended. Servers look whose streams may stay before they go on in the log. */
  'access.ended': { audience: Holder; stored: object; sent: never };
}

type StoredKind = keyof Kinds;

/** Are written to the log, and sent to no client. */
export const UNSENT = [
  'object.opened',
  'click',
  'direct',
  'whereabouts',
  'access.ended',
] as const satisfies readonly StoredKind[];

export type EventKind = Exclude<StoredKind, (typeof UNSENT)[number]>;

/** Tell of a moment: they are in no log, have no place, and nobody gets them later. */
interface PassingKinds {
  typing: Typing;
}

/** The data sent to clients, by kind. */
export type SentEvents = { [K in EventKind]: Kinds[K]['sent'] } & PassingKinds;
type SentKind = keyof SentEvents;

/** An event as it is stored. What clients are sent is read when it is sent, once for all who get it. */
export type NewEvent<K extends StoredKind = StoredKind> = {
  [Kind in K]: {
    readonly kind: Kind;
    readonly audience: Kinds[Kind]['audience'];
    readonly data: Readonly<Kinds[Kind]['stored']>;
  };
}[K];

/** An event with its place in the order of all events. */
export type PlacedEvent<K extends StoredKind = StoredKind> = NewEvent<K> & { readonly place: number };

/** Events that larger teams do not get. */
export const WATCHED = ['presence', 'person.changed'] as const satisfies readonly StoredKind[];

/**
 * Larger teams get no `presence`: ten thousand people who come in the morning would be a hundred million events. Clients can
 * ask there who is online.
 */
export const MOST_WATCHED = 200;

export const catalogue: Readonly<Record<SentKind, { readonly data: string; readonly when: string }>> = {
  posted: {
    data: '`{key, message}`',
    when: 'a session of yours posted a message with an `Idempotency-Key`: the id of what comes next as `message.created`, before the answer perhaps',
  },
  'message.created': {
    data: '`{message}`, in a sidebar `{message, beside}`',
    when: 'a message, a reply (it has `reply_to`), or one in a sidebar of yours (it has `sidebar`; `beside` is the id of the message that the sidebar stands at)',
  },
  'message.updated': {
    data: 'as `message.created`',
    when: 'edited, deleted, replied to, pinned or unpinned, moved to another subject, previews of links; reactions, which come together twice a second at most',
  },
  'message.state': {
    data: '`{message}`, as you see it',
    when: 'you marked it read or unread, muted it, saved it or not any more, reacted or took a reaction back, with any client',
  },
  'sidebar.created': {
    data: '`{sidebar}`',
    when: 'somebody began a sidebar with you; what was said in it comes next',
  },
  read: {
    data: '`{team}`',
    when: 'you marked a team as read up to a message, or a subject of it, undid that, or marked everything as read (`team` is null): ask for the counts',
  },
  inbox: {
    data: '`{conversation}`',
    when: 'a conversation has something new for you, or is done: ask for your inbox',
  },
  mute: {
    data: '`{kind, id}`',
    when: 'you muted or unmuted a team, a message, a subject or a direct conversation for a time, or the time is over: ask for your mutes; or you blocked or unblocked an application: ask for your conversations',
  },
  scheduled: {
    data: '`{id, kind, status}`',
    when: 'a message or a reminder (`kind`) that you scheduled is new, changed, deleted, `sent`, `failed` or `late`: ask for your list',
  },
  'subject.updated': {
    data: '`{team, subject, name, change, user}`',
    when: 'a subject of a team is `created`, `renamed`, `closed` or `reopened`: ask for its subjects',
  },
  invitation: {
    data: '`{team}`',
    when: 'you are invited to a team, or an invitation of yours is gone: ask for your invitations',
  },
  interaction: {
    data: '`{id, status, reason?}`',
    when: 'a click of yours in the blocks of a message is `done`, or has `failed`: its application cannot be reached (`unreachable`), has not answered (`no_answer`), says that it could not do it (`application_failed`), is uninstalled (`not_installed`) or suspended (`suspended`)',
  },
  form: {
    data: '`{id, change}`',
    when: 'a form that is open for you was `changed` by its application, or is `closed`',
  },
  home: {
    data: '`{application, team}`',
    when: 'an application has published what you see on its page',
  },
  ephemeral_answers: {
    data: '`{team}`',
    when: 'an application has answered you alone, or such an answer is gone: ask for your ephemeral answers',
  },
  'team.updated': { data: '`{team, change}`', when: '`changed`, `deleted` or `restored`' },
  'team.members': {
    data: '`{team, user, change}`',
    when: '`member_added`, `member_removed` or `role_changed`; the one removed is told, too',
  },
  'user.updated': {
    data: '`{user}`',
    when: 'a connection of yours has another name, user name, title or picture, or an incoming webhook of a team another name or picture; or you changed anything of your own profile or preferences',
  },
  'installation.updated': {
    data: '`{installation}`',
    when: 'an application is being installed on the team, is installed, failed to be, or was uninstalled (`removed`)',
  },
  'object.updated': {
    data: '`{object}`',
    when: 'an application changed or deleted an object of the team: ask for the messages that mention it',
  },
  'person.changed': {
    data: '`{user, status, do_not_disturb_until}`',
    when: 'a connection of yours (in teams as for `presence`), or you in another window, changed their status or `do_not_disturb_until`; no event is sent when either ends',
  },
  presence: {
    data: '`{user, online}`',
    when: `one of your connections came or went; only people with whom you share a team of at most ${MOST_WATCHED} members, so ask for the others`,
  },
  typing: {
    data: '`{user, team, message?, subject?}`, in direct conversations `{user, conversation, message?}`, in a sidebar with `sidebar` in place of `message`',
    when: 'somebody types there, in the thread of `message`, or a message about `subject`; show it for six seconds. The event has no `id` and is not repeated after a resume. It names at most three people in a place at a time',
  },
};

export const eventKinds = Object.keys(catalogue) as SentKind[];
