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

interface Ownership {
  /** Only its stores write the table. */
  readonly owner: Owner;
  /** Domains that read the table in SQL of their own, with the reason. */
  readonly readers?: Partial<Record<Owner, string>>;
  /** For a table that several domains write, each its own rows: which rows. */
  readonly writers?: Partial<Record<Owner, string>>;
}

/** SQLite keeps the words of the search index in a table of its own, and PostgreSQL the shared rate limits. */
type Table = keyof Tables | 'message_words' | 'rate_counts';

/** The owner of each table. `test/tables.unit.test.ts` compares this with the statements. */
export const OWNERS: Record<Table, Ownership> = {
  users: {
    owner: 'users',
    readers: {
      accounts: 'signing in reads the session and its user in one statement',
      teams: 'members and invitations are listed with their names, sorted by them',
      installations: 'who installed is listed with the installation',
      oauth: 'a token is valid while its user is active',
      attachments: 'uploads of one user take turns, so that the quota holds',
      messages: 'authors, addressees and mentions are shown with a message',
      live: 'active members of a team are who gets an event',
      mails: 'addresses, names and preferences of recipients',
      operations: 'counts',
    },
  },
  user_images: { owner: 'users' },
  sessions: { owner: 'accounts' },
  account_tokens: { owner: 'accounts' },
  sign_in_pace: { owner: 'accounts' },
  teams: {
    owner: 'teams',
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
    readers: { users: 'keys of addresses are renewed at the start after an upgrade' },
  },
  applications: {
    owner: 'applications',
    readers: {
      icons: 'where an icon is fetched from',
      installations: 'applications are listed with the installations of a team',
      oauth: 'consent, grants and tokens go with the application in one statement',
      objects: 'an object is shown with its application',
      messages: 'messages that an application posted show its name',
      operations: 'counts',
      process: 'each application gets a new secret when the encryption key is lost',
    },
  },
  application_secrets: { owner: 'applications' },
  application_steps: { owner: 'applications' },
  application_icons: { owner: 'icons' },
  deliveries: {
    owner: 'callbacks',
    readers: { applications: 'an application is listed with its newest call' },
  },
  delivery_attempts: { owner: 'callbacks' },
  callback_queues: {
    owner: 'callbacks',
    readers: { applications: 'an application is shown with how its calls fare' },
  },
  installations: {
    owner: 'installations',
    readers: {
      applications: 'an application is listed with the number of its installations',
      callbacks: 'a developer sees the calls about teams where the application is installed',
      oauth: 'a token is valid while its application is installed',
      operations: 'counts',
    },
  },
  objects: { owner: 'objects' },
  agreements: { owner: 'oauth' },
  oauth_grants: {
    owner: 'oauth',
    readers: { api: 'for whom applications got the answers that a deletion forgets' },
  },
  oauth_codes: { owner: 'oauth' },
  access_tokens: { owner: 'oauth' },
  refresh_tokens: { owner: 'oauth' },
  attachments: { owner: 'attachments', readers: { operations: 'counts' } },
  message_attachments: { owner: 'attachments' },
  messages: {
    owner: 'messages',
    readers: {
      teams: 'who joins has read what is older than the newest message',
      mails: 'what is told in a mail, and whether it is read by then',
    },
  },
  message_recipients: { owner: 'messages' },
  message_states: { owner: 'messages', readers: { mails: 'muted and read conversations are not mailed' } },
  message_versions: { owner: 'messages' },
  message_index: { owner: 'messages', readers: { operations: 'how far the search index is behind' } },
  message_index_queue: { owner: 'messages', readers: { operations: 'how far the search index is behind' } },
  message_words: { owner: 'messages' },
  high_fives: { owner: 'messages' },
  sidebars: { owner: 'messages', readers: { mails: 'who is told of a message in a sidebar' } },
  sidebar_users: { owner: 'messages', readers: { mails: 'who is told of a message in a sidebar' } },
  read_marks: { owner: 'messages', readers: { teams: 'unread counts of all teams come from one statement' } },
  events: { owner: 'live', readers: { operations: 'counts' } },
  presence: { owner: 'live' },
  mails: { owner: 'mails' },
  mail_jobs: { owner: 'mails' },
  mail_notifications: { owner: 'mails' },
  mail_batches: { owner: 'mails' },
  invitation_mails: { owner: 'mails' },
  audit_log: { owner: 'audit' },
  erasures: { owner: 'erasure' },
  export_leases: { owner: 'exports' },
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
