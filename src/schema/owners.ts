import type { Tables } from './tables.ts';

/** A domain, or a folder of src/ beside the domains. */
export type Owner =
  | 'users'
  | 'accounts'
  | 'teams'
  | 'applications'
  | 'icons'
  | 'callbacks'
  | 'installations'
  | 'objects'
  | 'oauth'
  | 'attachments'
  | 'messages'
  | 'live'
  | 'mails'
  | 'audit'
  | 'backups'
  | 'erasure'
  | 'exports'
  | 'operations'
  | 'api'
  | 'process'
  | 'cli';

/** Columns that hold an id, by whose id it is. A new column does not compile until it is here. */
const ID_COLUMNS = {
  actor_id: 'subject',
  audience_id: 'subject',
  author_id: 'subject',
  created_by: 'subject',
  installed_by: 'subject',
  inviter_id: 'subject',
  owner_id: 'subject',
  subject_id: 'subject',
  target_id: 'subject',
  team_id: 'subject',
  user_id: 'subject',
  application_id: 'other',
  attachment_id: 'other',
  delivery_id: 'other',
  email_id: 'other',
  grant_id: 'other',
  message_id: 'other',
  node_id: 'other',
  root_id: 'other',
  sidebar_id: 'other',
} as const satisfies Record<IdColumn, 'subject' | 'other'>;

type ColumnOf<T extends keyof Tables> = Extract<keyof Tables[T], `${string}_id` | `${string}_by`>;
type IdColumn = { [T in keyof Tables]: ColumnOf<T> }[keyof Tables];
type SubjectColumn = {
  [C in IdColumn]: (typeof ID_COLUMNS)[C] extends 'subject' ? C : never;
}[IdColumn];

/**
 * Where the rows are in a database that is spread over machines with the team as its key (docs/operations.md). `team`:
 * with their team. `everywhere`: a copy on each machine. `home`: on one machine, as they belong to no team. `apart`: on
 * that one too although they belong to a team, for this reason.
 */
type Spread = 'team' | 'everywhere' | 'home' | { readonly apart: string };

interface Ownership {
  /** Only its stores write the table. */
  readonly owner: Owner;
  readonly spread: Spread;
  /**
   * Of rows that are with their team: keys that hold across teams, and the team's column where it may be null. Each with
   * the reason.
   */
  readonly across?: Readonly<Record<string, string>>;
  /** Domains that read the table in SQL of their own, with the reason. */
  readonly readers?: Partial<Record<Owner, string>>;
  /** For a table that several domains write, each its own rows: which rows. */
  readonly writers?: Partial<Record<Owner, string>>;
  /** Whether steps of the erasure change the table, else why not. */
  readonly erased?: true | string;
  /** Whether a part of a person's archive reads the table, else why not. */
  readonly exported?: true | string;
}

/** A table with the id of a person or a team says what a deletion and an archive do with it. */
type OwnershipOf<T> = T extends keyof Tables
  ? ColumnOf<T> & SubjectColumn extends never
    ? Ownership
    : Ownership & Required<Pick<Ownership, 'erased' | 'exported'>>
  : Ownership;

/** SQLite keeps the words of the search index in a table of its own, and PostgreSQL the shared rate limits. */
type Table = keyof Tables | 'message_words' | 'rate_counts';

const OWN_ID = 'a UUIDv7, which no other machine gives; a row is looked up by it alone';
const OF_MESSAGE = 'the message is in the team of the mark';

/** The owner of each table. `test/tables.unit.test.ts` compares this with the statements. */
export const OWNERS: { readonly [T in Table]: OwnershipOf<T> } = {
  users: {
    owner: 'users',
    spread: 'everywhere',
    erased: 'the deletion of the account empties the row at once',
    exported: true,
    readers: {
      accounts: 'signing in reads the session and its user in one statement',
      teams: 'members and invitations are listed with their names, sorted by them',
      installations: 'who installed is listed with the installation',
      oauth: 'a token is valid while its user is active',
      attachments: 'uploads of one user take turns, so that the quota holds',
      messages: 'authors, addressees and mentions are shown with a message',
      mails: 'addresses, names and preferences of recipients',
      operations: 'counts',
    },
  },
  user_images: {
    owner: 'users',
    spread: 'home',
    erased: 'deleted with the account, at once',
    exported: true,
  },
  sessions: { owner: 'accounts', spread: 'home', erased: 'ended with the account, at once', exported: true },
  account_tokens: {
    owner: 'accounts',
    spread: 'home',
    erased: true,
    exported: 'links that open the account',
  },
  sign_in_pace: { owner: 'accounts', spread: 'home' },
  teams: {
    owner: 'teams',
    spread: 'team',
    erased: true,
    exported: true,
    readers: {
      callbacks: 'a developer sees the calls about the active teams that they lead',
      installations: 'teams are listed with the installations in them',
      oauth: 'a token is valid while its team is active',
      messages: 'messages of deleted teams are hidden; unread counts subtract from the place of the newest',
      live: 'members of active teams hear of each other',
      mails: 'names of teams, and none of deleted ones',
      operations: 'counts',
    },
  },
  memberships: {
    owner: 'teams',
    spread: 'team',
    erased: true,
    exported: true,
    readers: {
      callbacks: 'a developer sees the calls about the active teams that they lead',
      oauth: 'a token is valid while its user is a member',
      messages: 'who may see a message, and how far they have read their team',
      live: 'who gets an event of a team',
      mails: 'who is told of a message, and how far they have read their team',
    },
  },
  invitations: {
    owner: 'teams',
    spread: 'team',
    across: {
      invitations_pkey: OWN_ID,
      invitations_token_hash_key: 'the link of an invitation names no team',
    },
    erased: true,
    exported: 'what others sent; addresses of others',
  },
  applications: {
    owner: 'applications',
    spread: 'everywhere',
    erased: 'the owner gives them away before the account is deleted',
    exported: true,
    readers: {
      icons: 'where an icon is fetched from',
      installations: 'applications are listed with the installations of a team',
      oauth: 'consent, grants and tokens go with the application in one statement',
      objects: 'an object is shown with its application',
      messages: 'messages that an application posted show its name',
      operations: 'counts',
    },
  },
  application_secrets: { owner: 'applications', spread: 'home' },
  application_steps: { owner: 'applications', spread: 'home' },
  application_icons: { owner: 'icons', spread: 'home' },
  deliveries: {
    owner: 'callbacks',
    spread: {
      apart:
        'a worker takes the calls of all teams in turn, application by application; a call that tries one out has no team',
    },
    erased: true,
    exported: 'calls of applications are theirs',
    readers: { applications: 'an application is listed with its newest call' },
  },
  delivery_attempts: { owner: 'callbacks', spread: { apart: 'with its call' } },
  callback_queues: {
    owner: 'callbacks',
    spread: 'home',
    readers: { applications: 'an application is shown with how its calls fare' },
  },
  installations: {
    owner: 'installations',
    spread: 'team',
    across: { installations_pkey: OWN_ID },
    erased: "an id alone; who installed is part of the team's record",
    exported: true,
    readers: {
      applications: 'an application is listed with the number of its installations',
      callbacks: 'a developer sees the calls about teams where the application is installed',
      oauth: 'a token is valid while its application is installed',
      operations: 'counts',
    },
  },
  objects: {
    owner: 'objects',
    spread: 'team',
    across: { objects_pkey: OWN_ID },
    erased: true,
    exported: 'objects are those of applications',
  },
  agreements: {
    owner: 'oauth',
    spread: 'team',
    across: { agreements_pkey: OWN_ID },
    erased: true,
    exported: true,
  },
  oauth_grants: {
    owner: 'oauth',
    spread: 'team',
    across: { oauth_grants_pkey: OWN_ID },
    erased: true,
    exported: 'tokens; what they allow is in `agreements`',
    readers: { api: 'for whom applications got the answers that a deletion forgets' },
  },
  oauth_codes: {
    owner: 'oauth',
    spread: 'team',
    across: { oauth_codes_pkey: 'an application exchanges a code without naming the team' },
    erased: true,
    exported: 'secrets',
  },
  access_tokens: {
    owner: 'oauth',
    spread: { apart: 'a request shows the token alone: its row leads to the grant, and so to the team' },
  },
  refresh_tokens: {
    owner: 'oauth',
    spread: { apart: 'a request shows the token alone: its row leads to the grant, and so to the team' },
  },
  attachments: {
    owner: 'attachments',
    spread: 'home',
    erased: true,
    exported: true,
    readers: { operations: 'counts' },
  },
  message_attachments: {
    owner: 'attachments',
    spread: { apart: 'joins messages to uploads, which belong to people and go with them from team to team' },
  },
  messages: {
    owner: 'messages',
    spread: 'team',
    across: {
      team_id: 'a direct message has no team: such rows need a place of their own',
      messages_pkey: OWN_ID,
      messages_by_root: 'the root is in the team of its replies',
      messages_root_id_fkey: 'the root is in the team of its replies',
      messages_by_sidebar: 'a sidebar is in the team of its message',
      messages_sidebar_id_fkey: 'a sidebar is in the team of its message',
    },
    erased: true,
    exported: true,
    readers: {
      teams: 'who joins has read what is older than the newest message',
      mails: 'what is told in a mail, and whether it is read by then',
    },
  },
  message_recipients: {
    owner: 'messages',
    spread: { apart: 'direct messages have no team' },
    erased: 'ids alone; who got a message is also in the message of others',
    exported: 'the addressees are in the messages',
  },
  message_states: {
    owner: 'messages',
    spread: { apart: 'also for direct messages; found by person and message' },
    erased: true,
    exported: true,
    readers: { mails: 'muted and read conversations are not mailed' },
  },
  message_versions: {
    owner: 'messages',
    spread: { apart: 'also for direct messages; read with one message' },
  },
  message_index: {
    owner: 'messages',
    spread: { apart: 'one index of all teams: a person searches their teams together' },
    readers: { operations: 'how far the search index is behind' },
  },
  message_index_queue: {
    owner: 'messages',
    spread: { apart: 'a queue of all teams, empty a moment later' },
    readers: { operations: 'how far the search index is behind' },
  },
  message_words: { owner: 'messages', spread: 'home' },
  high_fives: {
    owner: 'messages',
    spread: { apart: 'also for direct messages; read with one message' },
    erased: true,
    exported: true,
  },
  sidebars: {
    owner: 'messages',
    spread: { apart: 'also beside direct messages' },
    erased: 'ids alone; who took part is deleted',
    exported: true,
    readers: { mails: 'who is told of a message in a sidebar' },
  },
  sidebar_users: {
    owner: 'messages',
    spread: { apart: 'with the sidebar' },
    erased: true,
    exported: true,
    readers: { mails: 'who is told of a message in a sidebar' },
  },
  read_marks: {
    owner: 'messages',
    spread: 'team',
    across: { read_marks_message_id_fkey: OF_MESSAGE },
    erased: true,
    exported: 'how far somebody read is left out',
    readers: { teams: 'unread counts of all teams come from one statement' },
  },
  events: {
    owner: 'live',
    spread: { apart: 'one order of all teams, by which a client resumes its stream' },
    erased: true,
    exported: 'copies of what other parts hold, for a day',
    readers: { operations: 'counts' },
  },
  presence: { owner: 'live', spread: 'home', erased: true, exported: 'a lease' },
  mails: { owner: 'mails', spread: 'home', erased: true, exported: 'mails are left out' },
  mail_jobs: { owner: 'mails', spread: { apart: 'a queue of all teams, empty a moment later' } },
  mail_notifications: {
    owner: 'mails',
    spread: { apart: 'collected for a person over all their teams' },
    erased: true,
    exported: 'mails are left out',
  },
  mail_batches: { owner: 'mails', spread: 'home', erased: true, exported: 'mails are left out' },
  invitation_mails: {
    owner: 'mails',
    spread: 'team',
    across: { invitation_mails_pkey: OWN_ID },
    erased: true,
    exported: 'mails are left out',
  },
  audit_log: {
    owner: 'audit',
    spread: { apart: 'read by time over all teams; much of it has no team' },
    erased: true,
    exported: true,
  },
  erasures: {
    owner: 'erasure',
    spread: 'home',
    erased: 'the queue of the steps',
    exported: 'the account is deleted by then',
  },
  export_leases: {
    owner: 'exports',
    spread: 'home',
    erased: 'a lease of seconds',
    exported: 'the lease of the archive itself',
  },
  idempotency_keys: { owner: 'api', spread: 'home' },
  rate_counts: { owner: 'api', spread: 'home' },
  server_state: {
    owner: 'process',
    spread: 'home',
    writers: {
      users: 'its row `first_account`',
      accounts: 'its row of the link for the first account',
    },
  },
};

/** What is done most. */
export type HotPath = 'post' | 'list' | 'reply' | 'read';

const BY_ID = 'a request names a message by its id: only the row tells the team';
const SIDEBARS = 'what is said beside a message is counted with its sidebars, which are apart';

/**
 * Statements of a hot path on rows that are with their team which do not name it, by what they do to which table first: a
 * spread database asks each machine for them. With the reason.
 */
export const UNNAMED: { readonly [P in HotPath]: Readonly<Record<string, string>> } = {
  post: {},
  list: {
    'select messages': 'the rows of a page are read by the ids that were found with the team',
    'select sidebar_users': SIDEBARS,
  },
  reply: {
    'select messages': BY_ID,
    'update messages':
      'counts the reply at its message, by its id; no reply may be older than the newest message of all',
    'select sidebar_users': SIDEBARS,
  },
  read: { 'select messages': BY_ID, 'select sidebar_users': SIDEBARS },
};
