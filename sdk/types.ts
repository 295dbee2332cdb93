/** The resources of the interface, with the names and types in which they are sent. Times are Unix seconds. */

export interface UserSummary {
  id: string;
  first_name: string;
  last_name: string;
  title: string;
  relationship: number;
  active: boolean;
  online: boolean | null;
  images: unknown[];
  email: string;
}

export interface UserProfile {
  id: string;
  first_name: string;
  last_name: string;
  title: string;
  online: boolean | null;
  email: string;
  image: Record<'default' | 'original' | 'fullwidth' | 'square300' | 'icon', string>;
}

export interface SessionUser {
  id: string;
  username: string;
  first_name: string;
  last_name: string;
  title: string;
  location: string;
  company: string;
  superuser: boolean;
  developer: boolean;
  active: boolean;
  online: boolean;
  created_at: number;
  updated_at: number;
  primary_email: { id: string; user_id: string; address: string; verified: boolean; company: string | null };
  unread_counts: {
    teams: Record<string, number>;
    user: { total: number; direct: number };
    tags: Record<'_sent' | '_other' | '_inbox' | '_direct' | '_unread', number>;
  };
  /** What the user wants mail about; applications respect it where it applies. */
  prefs: Record<string, boolean>;
}

export interface Team {
  id: string;
  name: string;
  color: string;
  icon: string;
  num_members: number;
  unread_count: number;
  active: boolean;
  created_at: number;
  updated_at: number;
}

export interface Membership {
  /** 1 admin, 2 member. */
  membership_type: number;
  is_muted: number;
  is_favorite: number;
  created_at: number;
  updated_at: number;
  userid: string;
  user: UserSummary;
  team: Team;
  inviter: UserSummary | null;
}

export interface Mention {
  type: 'appobject';
  /** The id that creating the object gave. */
  id: string;
  name: string;
}

export interface NewMessage {
  /** Holds `{0}` where the mentioned object's link belongs. */
  text: string;
  /** At most one team; then no users. */
  addressed_teams?: string[];
  addressed_users?: string[] | { ids?: string[]; emails?: string[] };
  mentions?: Mention[];
  attachments?: unknown;
}

export interface Message {
  id: string;
  text: string;
  subject: string | null;
  author: UserSummary;
  author_type: string;
  addressed_users: string[];
  addressed_teams: string[];
  attachments: unknown[];
  mentions: (Mention & { url: string | null })[];
  tags: string[];
  via_app: { id: string; name: string; icon: string; url: string } | null;
  created_at: number;
  updated_at: number;
  read: boolean;
}

export interface NewObject {
  name: string;
  /** A team that has the application installed. */
  team: string;
  /** A category of your own. */
  type: string;
  /** Relative to the application's base address. */
  url: string;
}

/** RFC 6749 §5.1. */
export interface Tokens {
  access_token: string;
  token_type: string;
  /** Seconds. */
  expires_in: number;
  refresh_token: string;
}

/** The body of a call that the platform makes to the application. */
export interface Callback {
  /** `team` when a team installs it; `uninstall` and `team_update` afterwards. */
  type: 'team' | 'uninstall' | 'team_update';
  team: Partial<Team> & { id: string };
  /** Only when it is installed. */
  installer?: SessionUser;
  /** Only when it is installed: the members. */
  users?: (UserSummary & Pick<UserProfile, 'image'>)[];
  client_secret: string;
}
