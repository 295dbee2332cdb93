import type { Tables } from './tables.ts';

/** A domain, or a folder of src/ beside the domains. */
export type Owner =
  | 'users'
  | 'accounts'
  | 'teams'
  | 'applications'
  | 'icons'
  | 'callbacks'
  | 'commands'
  | 'installations'
  | 'subscriptions'
  | 'incoming'
  | 'objects'
  | 'oauth'
  | 'attachments'
  | 'emoji'
  | 'messages'
  | 'pictures'
  | 'previews'
  | 'live'
  | 'mutes'
  | 'scheduled'
  | 'notices'
  | 'inbox'
  | 'mails'
  | 'pushes'
  | 'audit'
  | 'backups'
  | 'erasure'
  | 'exports'
  | 'operations'
  | 'api'
  | 'process'
  | 'ops';

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
  direct_team_id: 'subject',
  user_id: 'subject',
  action_id: 'other',
  activity_id: 'other',
  application_id: 'other',
  direct_application_id: 'other',
  attachment_id: 'other',
  block_id: 'other',
  consumer_id: 'other',
  conversation_id: 'other',
  copy_id: 'other',
  delivery_id: 'other',
  email_id: 'other',
  grant_id: 'other',
  installation_id: 'other',
  invitation_id: 'other',
  link_id: 'other',
  mail_id: 'other',
  mention_id: 'other',
  message_id: 'other',
  newest_id: 'other',
  node_id: 'other',
  reacted_id: 'other',
  group_id: 'other',
  root_id: 'other',
  session_id: 'other',
  sidebar_id: 'other',
  subscription_id: 'other',
  object_id: 'other',
  picture_id: 'other',
  place_id: 'other',
  callback_id: 'other',
  form_id: 'other',
  submission_id: 'other',
} as const satisfies Record<IdColumn, 'subject' | 'other'>;

type ColumnOf<T extends keyof Tables> = Extract<keyof Tables[T], `${string}_id` | `${string}_by`>;
type IdColumn = { [T in keyof Tables]: ColumnOf<T> }[keyof Tables];
type SubjectColumn = {
  [C in IdColumn]: (typeof ID_COLUMNS)[C] extends 'subject' ? C : never;
}[IdColumn];

/**
 * Where the rows are in a database that is spread over machines with the team as its key (docs/operations/postgres.md). `team`:
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

/** The owner of each table. `test/schema/tables.unit.test.ts` compares this with the statements. */
export const OWNERS: { readonly [T in Table]: OwnershipOf<T> } = {
  users: {
    owner: 'users',
    spread: 'everywhere',
    // The deletion of an account empties its row at once; the names of webhooks go with their team.
    erased: true,
    exported: true,
    readers: {
      process: 'whether the embedded database has accounts that an empty PostgreSQL lacks',
      ops: 'doctor says since when a backup may be missing',
      backups: 'since when a server has had accounts, and may miss a backup',
      accounts: 'signing in reads the session and its user in one statement',
      teams: 'members and invitations are listed with their names, sorted by them',
      applications: 'an application whose owner is gone is put to sleep',
      installations: 'who installed is listed with the installation',
      oauth:
        'a token is valid while its user is active; the author of an application is made with its first token',
      attachments: 'uploads of one user take turns, so that the quota holds',
      messages: 'authors, addressees and mentions are shown with a message',
      notices: 'names that a message calls, and the preferences of those whom it concerns',
      mails: 'addresses, names and preferences of recipients',
      pushes: 'the language of notifications, and nothing for closed accounts',
      previews: 'whether the author of a link, or a program, wants its page looked at',
      inbox: 'who reacted last to a message, for a notification',
      subscriptions: 'an application hears how the members of its teams are',
      operations: 'counts',
    },
  },
  user_images: {
    owner: 'users',
    spread: 'home',
    // A person's at once, with the account; an incoming webhook's with it, or with its team.
    erased: true,
    exported: true,
  },
  sessions: {
    owner: 'accounts',
    spread: 'home',
    erased: 'ended with the account, at once',
    exported: true,
    readers: { pushes: 'a device gets notifications while its session lasts' },
  },
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
      incoming: 'a webhook posts while its team exists',
      oauth: 'a token is valid while its team is active',
      messages: 'messages of deleted teams are hidden; unread counts subtract from the place of the newest',
      live: 'members of active teams hear of each other',
      notices: 'nobody is told of messages in a deleted team',
      mails: 'names of teams, and none of deleted ones',
      pushes: 'the name of the team in a notification',
      users: 'how a person is, those see who share a team that is not deleted',
      previews: 'whether the team wants pages looked at that its messages link to',
      subscriptions: 'applications hear nothing of deleted teams',
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
      inbox: 'which messages of a team are unread and have an entry',
      notices: 'a message concerns no one outside of its team, and hardly those who muted it',
      pushes: 'which teams have a member to whom every message is pushed',
      mails: 'how far a recipient has read their team; the role that a mail names',
      subscriptions: 'an application hears how the members of its teams are',
      users:
        'nobody takes the name of a group in a team of theirs; how a person is, those see who share a team',
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
  join_links: {
    owner: 'teams',
    spread: 'team',
    across: {
      join_links_pkey: OWN_ID,
      join_links_token_hash_key: 'the link names no team',
    },
    erased: true,
    exported: 'ways into a team, not what a person wrote',
  },
  waiting_joins: {
    owner: 'teams',
    spread: 'team',
    across: { waiting_joins_link_id_fkey: 'the link is one of the same team' },
    erased: true,
    exported: 'a membership to come, until the address is proved',
  },
  removed_members: {
    owner: 'teams',
    spread: 'team',
    erased: true,
    exported: 'what the team decided',
  },
  domain_rules: {
    owner: 'teams',
    spread: 'team',
    across: { domain_rules_pkey: OWN_ID },
    erased: true,
    exported: 'what the administrators of the server decided',
  },
  people_groups: {
    owner: 'teams',
    spread: 'team',
    across: { people_groups_pkey: OWN_ID },
    erased: true,
    exported: 'what the team decided',
    readers: {
      users: 'nobody takes the name of a group in a team of theirs',
    },
  },
  people_group_users: {
    owner: 'teams',
    spread: 'team',
    across: {
      people_group_users_group_id_fkey: 'the group is one of the same team',
      people_group_users_pkey: OWN_ID,
    },
    erased: true,
    exported: 'what the team decided',
  },
  applications: {
    owner: 'applications',
    spread: 'everywhere',
    erased: 'the owner gives them away before the account is deleted',
    exported: true,
    readers: {
      callbacks: 'an application that sleeps is not called',
      commands: 'the commands of the applications of a team',
      icons: 'where an icon is fetched from',
      mails: 'the owner is told that calls fail, while it is theirs',
      installations: 'applications are listed with the installations of a team',
      oauth: 'consent, grants and tokens go with the application in one statement',
      objects: 'an object is shown with its application',
      messages: 'messages that an application posted show its name',
      subscriptions: 'the scopes that an application asks for bound what it hears',
      operations: 'counts',
    },
  },
  application_secrets: { owner: 'applications', spread: 'home' },
  application_steps: { owner: 'applications', spread: 'home' },
  token_failures: { owner: 'oauth', spread: 'home' },
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
    readers: {
      applications: 'an application is shown with how its calls fare',
      mails: 'the owner is told that calls fail, while they do',
    },
  },
  event_subscriptions: {
    owner: 'subscriptions',
    spread: 'home',
    readers: {
      applications: 'an application is shown with the address that its clicks are sent to',
      mails: 'the owner is told that calls fail, while they do',
    },
  },
  event_consumers: { owner: 'subscriptions', spread: 'home' },
  event_copies: { owner: 'subscriptions', spread: 'home' },
  event_cursors: {
    owner: 'subscriptions',
    spread: { apart: 'a consumer reads the teams of all machines' },
    erased: true,
    exported: 'how far applications have read is theirs',
  },
  incoming_webhooks: {
    owner: 'incoming',
    spread: 'team',
    across: {
      incoming_webhooks_pkey: OWN_ID,
      incoming_webhooks_secret_hash_key: 'the address of a webhook names no team',
    },
    erased: true,
    exported: 'an address at which others post is of the team',
    readers: { messages: 'a webhook posts as long as it is there' },
  },
  installations: {
    owner: 'installations',
    spread: 'team',
    across: { installations_pkey: OWN_ID },
    erased: "an id alone; who installed is part of the team's record",
    exported: true,
    readers: {
      applications: 'an application is listed with the number of its installations',
      commands: 'a team has the commands of what it has installed',
      callbacks: 'a developer sees the calls about teams where the application is installed',
      messages: 'an application posts as itself, and shows homes, as long as it is installed',
      oauth: 'a token is valid while its application is installed',
      objects: 'an application whose owner has changed sees those of the teams that agreed',
      operations: 'counts',
      subscriptions: 'what an application hears of a team depends on its installation',
    },
  },
  objects: {
    owner: 'objects',
    spread: 'team',
    across: { objects_pkey: OWN_ID },
    erased: true,
    exported: 'objects are those of applications',
    readers: { subscriptions: 'a message may be wanted for the type of an object that it mentions' },
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
    readers: {
      messages: 'lists of files are of those that the viewer sees',
      operations: 'counts',
      ops: 'a restore from a copy brings the files that the database names, before any program opens it',
      process: 'a start and doctor look for some of the files that the database names',
    },
  },
  message_attachments: {
    owner: 'attachments',
    spread: { apart: 'joins messages to uploads, which belong to people and go with them from team to team' },
    readers: { messages: 'lists of files are of those that the viewer sees' },
  },
  messages: {
    owner: 'messages',
    spread: 'team',
    across: {
      team_id: 'a direct message has no team: such rows need a place of their own',
      messages_pkey: OWN_ID,
      messages_direct_team_id_fkey: 'a conversation with an application is a direct one, and names its team',
      messages_by_root: 'the root is in the team of its replies',
      messages_root_id_fkey: 'the root is in the team of its replies',
      messages_by_sidebar: 'a sidebar is in the team of its message',
      messages_sidebar_id_fkey: 'a sidebar is in the team of its message',
      messages_subject_id_fkey: 'a subject is in the team of its messages',
    },
    erased: true,
    exported: true,
    readers: {
      ops: 'all of them wait for search in a copy of the database',
      teams: 'who joins has read what is older than the newest message; open teams tell when it was written',
      inbox: 'what is unread in the conversations of an inbox',
      notices: 'whom a message concerns',
      mutes: 'which messages are in a muted conversation',
      mails: 'what is told in a mail, and whether it is read by then',
      pushes: 'the team of what is told in a notification',
      previews: 'whether a message still links to a page, and who may see it',
    },
  },
  message_recipients: {
    owner: 'messages',
    spread: { apart: 'direct messages have no team' },
    erased: 'ids alone; who got a message is also in the message of others',
    exported: 'the addressees are in the messages',
  },
  conversations: {
    owner: 'messages',
    spread: 'home',
  },
  conversation_users: {
    owner: 'messages',
    spread: 'home',
    erased: 'ids alone; who wrote to whom is also in the messages of others',
    exported: 'the addressees are in the messages',
  },
  blocked_applications: { owner: 'messages', spread: 'home', erased: true, exported: true },
  message_states: {
    owner: 'messages',
    spread: { apart: 'also for direct messages; found by person and message' },
    erased: true,
    exported: true,
    readers: {
      notices: 'of a muted conversation only mentions are told',
      mails: 'muted and read conversations are not mailed',
    },
  },
  message_versions: {
    owner: 'messages',
    spread: { apart: 'also for direct messages; read with one message' },
  },
  unfurls: {
    owner: 'messages',
    spread: 'team',
    across: {
      team_id: 'a direct message has no team',
      unfurls_pkey: OWN_ID,
      unfurls_message_id_fkey: 'the message is in the team of the card',
    },
    erased: true,
    exported: true,
  },
  preview_jobs: { owner: 'previews', spread: { apart: 'a queue of all teams, empty a moment later' } },
  pictures: {
    owner: 'pictures',
    // What shows a picture need not be in a team.
    spread: 'home',
    readers: {
      ops: 'a restore from a copy brings the files that the database names',
      messages: 'which pictures of its blocks a message has',
    },
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
    writers: { ops: 'a copy of the database queues all messages, whose index it lacks' },
  },
  message_index_jobs: {
    owner: 'messages',
    spread: { apart: 'a queue of all teams, empty some seconds later' },
  },
  message_words: { owner: 'messages', spread: 'home' },
  custom_emoji: {
    owner: 'emoji',
    spread: 'home',
    erased: 'emoji belong to the server; the row keeps the id of an account without a name',
    exported: true,
  },
  reactions: {
    owner: 'messages',
    spread: { apart: 'also for direct messages; read with one message' },
    erased: true,
    exported: true,
    readers: { inbox: 'who reacted last to a message, for a notification' },
  },
  saved_messages: {
    owner: 'messages',
    spread: {
      apart: 'also direct messages; a person reads what they have saved in all their teams together',
    },
    erased: true,
    exported: true,
  },
  pins: {
    owner: 'messages',
    spread: 'team',
    across: { pins_message_id_fkey: 'the message is in the team of the pin' },
    erased: true,
    exported: true,
  },
  interactions: {
    owner: 'messages',
    spread: { apart: 'a click is found by its person and message, and is gone a day later' },
    erased: true,
    exported: 'what somebody pressed is told to the application, and its row is gone a day later',
  },
  ephemeral_answers: {
    owner: 'messages',
    spread: { apart: 'found by the person alone who sees it, and gone a day later' },
    erased: true,
    exported: 'written for open windows, and gone a day later',
  },
  forms: {
    owner: 'messages',
    spread: { apart: 'found by the person alone who fills it in, and gone a day later' },
    erased: true,
    exported: 'written by an application for an open window, and gone a day later',
  },
  homes: {
    owner: 'messages',
    spread: { apart: 'found by the person alone who sees it' },
    erased: true,
    exported: 'written by an application, which shows it again',
  },
  scheduled: {
    owner: 'scheduled',
    spread: 'home',
    erased: true,
    exported: true,
  },
  command_choices: {
    owner: 'commands',
    spread: 'team',
    erased: 'ids of a team and an application alone',
    exported: 'what the team decided',
  },
  sidebars: {
    owner: 'messages',
    spread: { apart: 'also beside direct messages' },
    erased: 'ids alone; who took part is deleted',
    exported: true,
    readers: {
      inbox: 'the message beside which an unread sidebar is',
      notices: 'who is told of a message in a sidebar',
      mutes: 'which sidebars are beside a muted conversation',
      mails: 'whether the conversation beside which it is was muted',
    },
  },
  sidebar_users: {
    owner: 'messages',
    spread: { apart: 'with the sidebar' },
    erased: true,
    exported: true,
    readers: {
      inbox: 'who talks in a sidebar, and how far they have read',
      notices: 'who is told of a message in a sidebar',
    },
  },
  read_marks: {
    owner: 'messages',
    spread: 'team',
    across: { read_marks_message_id_fkey: OF_MESSAGE },
    erased: true,
    exported: 'how far somebody read is left out',
    readers: {
      teams: 'unread counts of all teams come from one statement',
      mails: 'what of a stream a person has not read, beside their cursor',
      inbox: 'what is unread in a team beside the entries of an inbox',
    },
  },
  subjects: {
    owner: 'messages',
    spread: 'team',
    across: { subjects_pkey: OWN_ID },
    erased: true,
    exported: true,
    readers: {
      mutes: 'who leaves a team has no muted subjects in it any more',
    },
  },
  subject_cursors: {
    owner: 'messages',
    spread: 'team',
    across: { subject_cursors_subject_id_fkey: 'the subject is one of the same team' },
    erased: true,
    exported: 'how far somebody read is left out',
    readers: {
      teams: 'unread counts of all teams come from one statement',
      mails: 'what of a stream a person has not read, beside their cursor',
    },
  },
  events: {
    owner: 'live',
    spread: { apart: 'one order of all teams, by which a client resumes its stream' },
    erased: true,
    exported: 'copies of what other parts hold, for some days',
    readers: {
      operations: 'counts',
      ops: 'in a copy of the database all of them have a place',
      subscriptions: 'whether something is unread by a webhook',
    },
  },
  presence: {
    owner: 'live',
    spread: 'home',
    erased: true,
    exported: 'a lease',
    readers: { pushes: 'who has a window open is told there first' },
  },
  mails: { owner: 'mails', spread: 'home', erased: true, exported: 'mails are left out' },
  notice_jobs: { owner: 'notices', spread: { apart: 'a queue of all teams, empty a moment later' } },
  inbox_entries: {
    owner: 'inbox',
    spread: { apart: 'a person reads the conversations of all their teams together' },
    erased: true,
    exported: true,
  },
  mail_jobs: {
    owner: 'mails',
    spread: { apart: 'a queue; its jobs about messages are those of notices now' },
  },
  mail_notifications: {
    owner: 'mails',
    spread: { apart: 'collected for a person over all their teams' },
    erased: true,
    exported: 'mails are left out',
  },
  mail_streams: {
    owner: 'mails',
    spread: { apart: 'a queue of all teams' },
    erased: 'a place in the stream, until the members were gone through',
    exported: 'mails are left out',
  },
  mail_cursors: {
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
  push_subscriptions: {
    owner: 'pushes',
    spread: 'home',
    erased: 'goes with the session, which the deletion ends',
    exported: 'secrets; the devices are in `sessions`',
  },
  pushes: {
    owner: 'pushes',
    spread: 'home',
    erased: 'goes with the device, and so with the session',
    exported: 'copies of what other parts hold, for some days',
  },
  mutes: {
    owner: 'mutes',
    spread: 'home',
    erased: true,
    exported: true,
  },
  push_settings: { owner: 'pushes', spread: 'home', erased: true, exported: true },
  audit_log: {
    owner: 'audit',
    readers: {
      ops: 'doctor says how old the last backup is, also of a database that no program may open yet',
      backups: 'when the last backup was made',
    },
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
      pushes: 'its row of the key by which push services know the server',
      backups: 'its row of the scheduled backups',
    },
    readers: { ops: 'doctor says how old the last backup is' },
  },
};

/** The actions whose statements are recorded by `test/postgres/spread.test.ts`. */
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
