/** Addresses of a user's picture in its sizes. */
export type Image = Record<'default' | 'original' | 'fullwidth' | 'square300' | 'icon', string>;

/** A user as messages, memberships and connections show them (part 2.6 of the interface). */
export interface UserSummary {
  id: string;
  first_name: string;
  last_name: string;
  /** Mentions the user in a text, after an @. */
  username: string;
  title: string;
  relationship: number;
  active: boolean;
  /** Null when it is not known. */
  online: boolean | null;
  images: Image[];
  email: string;
}

/** A user by id (part 2.7). */
export interface UserProfile {
  id: string;
  first_name: string;
  last_name: string;
  /** Mentions the user in a text, after an @. */
  username: string;
  title: string;
  online: boolean | null;
  email: string;
  image: Image;
}

/** A user's mail address. */
export interface PrimaryEmail {
  id: string;
  user_id: string;
  address: string;
  verified: boolean;
  company: string | null;
}

/** Numbers of unread messages. */
export interface UnreadCounts {
  /** By team id. */
  teams: Record<string, number>;
  user: { total: number; direct: number };
  tags: Record<'_sent' | '_other' | '_inbox' | '_direct' | '_unread', number>;
}

/** The mails that the user wants; an application should respect them. */
export type Prefs = Record<
  | 'email_on_team_invite'
  | 'email_on_team_removed'
  | 'email_on_reply_to_your_direct_message'
  | 'email_on_at_mention'
  | 'email_on_shift_update'
  | 'email_on_direct_message'
  | 'email_on_sidebar_message'
  | 'email_on_team_role_changed'
  | 'email_on_team_message'
  | 'email_on_reply_to_message_you_replied_to'
  | 'email_on_reply_to_your_message',
  boolean
>;

/** The user who installed the application: the session user without private fields (part 2.9). */
export interface Installer {
  id: string;
  username: string;
  first_name: string;
  last_name: string;
  title: string;
  location: string;
  company: string;
  origin: string | null;
  type: number;
  relationship: number;
  /** Administers the server. */
  superuser: boolean;
  /** Owns at least one application. */
  developer: boolean;
  active: boolean;
  online: boolean;
  is_mutual_connection: boolean;
  /** Unix seconds, with a fraction. */
  created_at: number;
  /** Unix seconds, with a fraction. */
  updated_at: number;
  images: Image[];
  alternate_emails: unknown[];
  alternate_phone_numbers: unknown[];
  pending_domains: unknown[];
  companies: unknown[];
  /** Empty without one. */
  primary_phone_number: Record<string, unknown>;
  primary_email: PrimaryEmail;
}

/** All about the user on whose behalf the application acts (part 2.8). */
export interface SessionUser extends Installer {
  facebook_id: null;
  online_info: null;
  password: null;
  unread_counts: UnreadCounts;
  prefs: Prefs;
  /** Of mails: `en` or `de`. */
  language: string;
}
