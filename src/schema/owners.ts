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

interface Ownership {
  /** Only its stores write the table. */
  readonly owner: Owner;
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

/** The owner of each table. `test/tables.unit.test.ts` compares this with the statements. */
export const OWNERS: { readonly [T in Table]: OwnershipOf<T> } = {
  users: {
    owner: 'users',
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
  user_images: { owner: 'users', erased: 'deleted with the account, at once', exported: true },
  sessions: { owner: 'accounts', erased: 'ended with the account, at once', exported: true },
  account_tokens: { owner: 'accounts', erased: true, exported: 'links that open the account' },
  sign_in_pace: { owner: 'accounts' },
  teams: {
    owner: 'teams',
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
    erased: true,
    exported: 'what others sent; addresses of others',
  },
  applications: {
    owner: 'applications',
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
  application_secrets: { owner: 'applications' },
  application_steps: { owner: 'applications' },
  application_icons: { owner: 'icons' },
  deliveries: {
    owner: 'callbacks',
    erased: true,
    exported: 'calls of applications are theirs',
    readers: { applications: 'an application is listed with its newest call' },
  },
  delivery_attempts: { owner: 'callbacks' },
  callback_queues: {
    owner: 'callbacks',
    readers: { applications: 'an application is shown with how its calls fare' },
  },
  installations: {
    owner: 'installations',
    erased: "an id alone; who installed is part of the team's record",
    exported: true,
    readers: {
      applications: 'an application is listed with the number of its installations',
      callbacks: 'a developer sees the calls about teams where the application is installed',
      oauth: 'a token is valid while its application is installed',
      operations: 'counts',
    },
  },
  objects: { owner: 'objects', erased: true, exported: 'objects are those of applications' },
  agreements: { owner: 'oauth', erased: true, exported: true },
  oauth_grants: {
    owner: 'oauth',
    erased: true,
    exported: 'tokens; what they allow is in `agreements`',
    readers: { api: 'for whom applications got the answers that a deletion forgets' },
  },
  oauth_codes: { owner: 'oauth', erased: true, exported: 'secrets' },
  access_tokens: { owner: 'oauth' },
  refresh_tokens: { owner: 'oauth' },
  attachments: { owner: 'attachments', erased: true, exported: true, readers: { operations: 'counts' } },
  message_attachments: { owner: 'attachments' },
  messages: {
    owner: 'messages',
    erased: true,
    exported: true,
    readers: {
      teams: 'who joins has read what is older than the newest message',
      mails: 'what is told in a mail, and whether it is read by then',
    },
  },
  message_recipients: {
    owner: 'messages',
    erased: 'ids alone; who got a message is also in the message of others',
    exported: 'the addressees are in the messages',
  },
  message_states: {
    owner: 'messages',
    erased: true,
    exported: true,
    readers: { mails: 'muted and read conversations are not mailed' },
  },
  message_versions: { owner: 'messages' },
  message_index: { owner: 'messages', readers: { operations: 'how far the search index is behind' } },
  message_index_queue: { owner: 'messages', readers: { operations: 'how far the search index is behind' } },
  message_words: { owner: 'messages' },
  high_fives: { owner: 'messages', erased: true, exported: true },
  sidebars: {
    owner: 'messages',
    erased: 'ids alone; who took part is deleted',
    exported: true,
    readers: { mails: 'who is told of a message in a sidebar' },
  },
  sidebar_users: {
    owner: 'messages',
    erased: true,
    exported: true,
    readers: { mails: 'who is told of a message in a sidebar' },
  },
  read_marks: {
    owner: 'messages',
    erased: true,
    exported: 'how far somebody read is left out',
    readers: { teams: 'unread counts of all teams come from one statement' },
  },
  events: {
    owner: 'live',
    erased: true,
    exported: 'copies of what other parts hold, for a day',
    readers: { operations: 'counts' },
  },
  presence: { owner: 'live', erased: true, exported: 'a lease' },
  mails: { owner: 'mails', erased: true, exported: 'mails are left out' },
  mail_jobs: { owner: 'mails' },
  mail_notifications: { owner: 'mails', erased: true, exported: 'mails are left out' },
  mail_batches: { owner: 'mails', erased: true, exported: 'mails are left out' },
  invitation_mails: { owner: 'mails', erased: true, exported: 'mails are left out' },
  audit_log: { owner: 'audit', erased: true, exported: true },
  erasures: {
    owner: 'erasure',
    erased: 'the queue of the steps',
    exported: 'the account is deleted by then',
  },
  export_leases: {
    owner: 'exports',
    erased: 'a lease of seconds',
    exported: 'the lease of the archive itself',
  },
  idempotency_keys: { owner: 'api' },
  rate_counts: { owner: 'api' },
  server_state: {
    owner: 'process',
    writers: {
      users: 'its row `first_account`',
      accounts: 'its row of the link for the first account',
    },
  },
};
