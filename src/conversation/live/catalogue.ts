import type { UserProfile, UserSummary } from '../../people/users/index.ts';
import type { Message, Sidebar } from '../messages/index.ts';

/**
 * Every live event: what its row stores, who gets it and what clients are sent. The OpenAPI text of the stream, the table in
 * docs/developers.md and the names that the web application listens to come from here.
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

/** The receivers of an event. */
export type Audience = Team | User | ConnectionsOf;

/** A row that is gone, or hidden from its receiver, is sent as its id alone. */
type Shown<T extends { id: string }> = Partial<T> & { id: string };

interface MessageEvent {
  audience: Team | User;
  stored: { message: string; author: string };
  /** `beside` is the message at which a sidebar stands. */
  sent: { message: Shown<Message>; beside?: string };
}

interface Stored<Audience, Data> {
  audience: Audience;
  stored: Data;
  sent: Data;
}

interface Kinds {
  'message.created': MessageEvent;
  'message.updated': MessageEvent;
  'message.state': {
    audience: User;
    stored: { message: string; viewer: string };
    sent: { message: Message | { id: string } };
  };
  'sidebar.created': { audience: User; stored: { sidebar: string }; sent: { sidebar: Shown<Sidebar> } };
  read: Stored<User, { team: string | null }>;
  'team.updated': Stored<Team, { team: string; change: string }>;
  'team.members': Stored<Team | User, { team: string; user: string; change: string }>;
  'user.updated': {
    audience: User | ConnectionsOf;
    stored: { user: string };
    sent: { user: Shown<UserSummary> & { image?: UserProfile['image'] } };
  };
  'installation.updated': {
    audience: Team;
    stored: { installation: string };
    sent: { installation: { id: string; team: string } };
  };
  presence: Stored<ConnectionsOf, { user: string; online: boolean }>;
}

export type EventKind = keyof Kinds;

/** The data sent to clients, by kind. */
export type SentEvents = { [K in EventKind]: Kinds[K]['sent'] };

/** An event as it is stored. What clients are sent is read when it is sent, once for all who get it. */
export type NewEvent<K extends EventKind = EventKind> = {
  [Kind in K]: {
    readonly kind: Kind;
    readonly audience: Kinds[Kind]['audience'];
    readonly data: Readonly<Kinds[Kind]['stored']>;
  };
}[K];

/** An event with its place in the order of all events. */
export type PlacedEvent<K extends EventKind = EventKind> = NewEvent<K> & { readonly place: number };

/**
 * Larger teams get no `presence`: ten thousand people who come in the morning would be a hundred million events. Clients can
 * ask there who is online.
 */
export const MOST_WATCHED = 200;

export const catalogue: Readonly<Record<EventKind, { readonly data: string; readonly when: string }>> = {
  'message.created': {
    data: '`{message}`, in a sidebar `{message, beside}`',
    when: 'a message, a reply (it has `reply_to`), or one in a sidebar of yours (it has `sidebar`; `beside` is the id of the message that the sidebar stands at)',
  },
  'message.updated': {
    data: 'as `message.created`',
    when: 'edited, deleted, replied to, high fives',
  },
  'message.state': {
    data: '`{message}`, as you see it',
    when: 'you marked it read or unread, muted it, or gave or took back a high five, with any client',
  },
  'sidebar.created': {
    data: '`{sidebar}`',
    when: 'somebody began a sidebar with you; what was said in it comes next',
  },
  read: {
    data: '`{team}`',
    when: 'you marked a team as read up to a message, or everything (`team` is null): ask for the counts',
  },
  'team.updated': { data: '`{team, change}`', when: '`changed`, `deleted` or `restored`' },
  'team.members': {
    data: '`{team, user, change}`',
    when: '`member_added`, `member_removed` or `role_changed`; the one removed is told, too',
  },
  'user.updated': {
    data: '`{user}`',
    when: 'a connection of yours has another name, user name, title or picture; or you changed anything of your own profile or preferences',
  },
  'installation.updated': {
    data: '`{installation}`',
    when: 'an application is being installed on the team, is installed, failed to be, or was uninstalled (`removed`)',
  },
  presence: {
    data: '`{user, online}`',
    when: `one of your connections came or went; only people with whom you share a team of at most ${MOST_WATCHED} members, so ask for the others`,
  },
};

export const eventKinds = Object.keys(catalogue) as EventKind[];
