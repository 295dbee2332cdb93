import type { UserSummary } from './users.ts';

/** An application object that a message links to; at most one in a message (part 4.3 of the interface, rule 5). */
export interface Mention {
  type: 'appobject';
  /** The id that creating the object gave. */
  id: string;
  name: string;
}

/** Additional content of a message. */
export interface Attachments {
  links?: { url: string; title?: string }[];
  /** Other keys are stored unchanged. */
  [other: string]: unknown;
}

/** A message to post (part 2.4). Requires a text or attachments, and at least one addressee. */
export interface NewMessage {
  /** Several texts become lines. Contains `{0}` where the mentioned object's link belongs. */
  text?: string | string[];
  /** At most one team, and then no users. */
  addressed_teams?: string[];
  /** Ids, or ids and addresses of existing users. */
  addressed_users?: string[] | { ids?: string[]; emails?: string[] };
  mentions?: Mention[];
  attachments?: Attachments | unknown[];
}

/** The application through which a message was posted. */
export interface ApplicationReference {
  id: string;
  name: string;
  icon: string;
  url: string;
}

/** A message as one user sees it (part 2.4). */
export interface Message {
  id: string;
  /** Contains `{0}`, which the display replaces with the object's link. */
  text: string;
  subject: string | null;
  author: UserSummary;
  author_type: string;
  /** Ids. */
  addressed_users: string[];
  /** Ids. */
  addressed_teams: string[];
  attachments: unknown[];
  /** `url` is the object's absolute address, or null once it is deleted. */
  mentions: (Mention & { url: string | null })[];
  sidebars: unknown[];
  events: unknown[];
  /** `_inbox`, `_sent` and so on. */
  tags: string[];
  via_app: ApplicationReference | null;
  /** Unix seconds, with a fraction. */
  created_at: number;
  /** Unix seconds, with a fraction. */
  updated_at: number;
  num_replies: number;
  num_high_fives: number;
  read: boolean;
  muted: boolean;
  is_muted: boolean;
  subscribed_to: boolean;
  resurface_html: boolean;
  unread_sidebar: boolean;
  unread_reply: boolean;
  user_high_fived: boolean;
  user_replied: boolean;
  user_replied_to_sidebar: boolean;
  /** Unix seconds, or null when it is read. */
  unread_since: number | null;
}
