import type { ColumnTypes, Migration } from '#platform/db/index.ts';

type Statements = (types: ColumnTypes, dialect: 'sqlite' | 'postgres') => string[];

/**
 * The schema of 0.1.0, which never changes: changes are made in `later.ts`. `../tables.ts` says what the columns hold,
 * `../owners.ts` which domain writes a table. `before-0001.ts` brings databases of the last earlier schema to this one.
 */
export const initial: Migration = {
  name: '0001-initial',
  up: (types, dialect) =>
    [
      people,
      teams,
      joining,
      groups,
      applications,
      subjects,
      conversations,
      blockedApplications,
      unfurls,
      previews,
      subjectIndexes,
      reactions,
      customEmoji,
      savedAndPinned,
      notices,
      hearing,
      interactions,
      commandChoices,
      scheduled,
      server,
      listIndexes,
    ].flatMap((statements) => statements(types, dialect)),
};

/** Accounts, their sessions and pictures. */
const people: Statements = ({ uuid, int, sortable }) => [
  // `all_read_up_to`: replies to direct messages up to this id are read.
  // `search_key`: the words by which people are found.
  `CREATE TABLE users (
    id ${uuid} PRIMARY KEY,
    username text NOT NULL,
    username_key ${sortable} NOT NULL UNIQUE,
    email_id ${uuid} NOT NULL,
    email text NOT NULL,
    email_key ${sortable} NOT NULL UNIQUE,
    email_verified ${int} NOT NULL,
    password_hash text NOT NULL,
    first_name text NOT NULL,
    last_name text NOT NULL,
    name_key ${sortable} NOT NULL,
    title text NOT NULL,
    location text NOT NULL,
    company text NOT NULL,
    superuser ${int} NOT NULL,
    active ${int} NOT NULL,
    prefs_json text NOT NULL,
    image_version text,
    online_until ${int} NOT NULL,
    created_at ${int} NOT NULL,
    updated_at ${int} NOT NULL,
    deleted_at ${int},
    all_read_up_to ${uuid},
    search_key text NOT NULL DEFAULT '',
    is_application ${int} NOT NULL DEFAULT 0,
    time_zone text,
    status_json text,
    status_until ${int},
    do_not_disturb_until ${int} NOT NULL DEFAULT 0,
    is_invisible ${int} NOT NULL DEFAULT 0
  )`,
  'CREATE INDEX users_by_standing ON users (active) WHERE deleted_at IS NULL',
  'CREATE INDEX users_superuser ON users (id) WHERE superuser = 1',
  'CREATE INDEX users_by_name ON users (name_key, id) WHERE deleted_at IS NULL',
  // `confirmed_at`: when the password was last shown in this session.
  `CREATE TABLE sessions (
    id ${uuid} PRIMARY KEY,
    user_id ${uuid} NOT NULL REFERENCES users,
    token_hash ${sortable} NOT NULL UNIQUE,
    user_agent text NOT NULL,
    address text NOT NULL,
    created_at ${int} NOT NULL,
    seen_at ${int} NOT NULL,
    expires_at ${int} NOT NULL,
    confirmed_at ${int} NOT NULL DEFAULT 0
  )`,
  'CREATE INDEX sessions_by_end ON sessions (expires_at)',
  'CREATE INDEX sessions_by_user ON sessions (user_id, id)',
  `CREATE TABLE user_images (
    user_id ${uuid} NOT NULL REFERENCES users,
    variant ${sortable} NOT NULL,
    content_type text NOT NULL,
    content text NOT NULL,
    PRIMARY KEY (user_id, variant)
  )`,
  `CREATE TABLE account_tokens (
    token_hash ${sortable} PRIMARY KEY,
    kind text NOT NULL,
    user_id ${uuid} NOT NULL REFERENCES users,
    email_key text NOT NULL,
    created_at ${int} NOT NULL,
    expires_at ${int} NOT NULL
  )`,
  'CREATE INDEX account_tokens_by_end ON account_tokens (expires_at)',
  'CREATE INDEX account_tokens_by_user ON account_tokens (user_id, kind)',
  // How far a caller is ahead of the pace at which passwords may be tried. Keys are signatures and name nobody.
  `CREATE TABLE sign_in_pace (
    key ${sortable} PRIMARY KEY,
    arrival_at ${int} NOT NULL
  )`,
  'CREATE INDEX sign_in_pace_by_end ON sign_in_pace (arrival_at)',
];

/** Teams, who is in them, and who is invited. */
const teams: Statements = ({ uuid, int, sortable }) => [
  `CREATE TABLE teams (
    id ${uuid} PRIMARY KEY,
    name text NOT NULL,
    color text NOT NULL,
    icon text NOT NULL,
    num_members ${int} NOT NULL,
    active ${int} NOT NULL,
    message_seq ${int} NOT NULL,
    created_at ${int} NOT NULL,
    updated_at ${int} NOT NULL,
    deleted_at ${int},
    erasing ${int} NOT NULL DEFAULT 0,
    erased_at ${int},
    description text NOT NULL DEFAULT '',
    is_open ${int} NOT NULL DEFAULT 0,
    programs_notify ${int} NOT NULL DEFAULT 0,
    link_previews text NOT NULL DEFAULT 'people'
  )`,
  'CREATE INDEX teams_open ON teams (id) WHERE is_open = 1',
  'CREATE INDEX teams_to_erase ON teams (deleted_at) WHERE active = 0 AND erasing = 0',
  // `all_read_up_to`: replies of the team up to this id are read, also those from before the member joined.
  `CREATE TABLE memberships (
    team_id ${uuid} NOT NULL REFERENCES teams,
    user_id ${uuid} NOT NULL REFERENCES users,
    membership_type ${int} NOT NULL,
    is_muted ${int} NOT NULL,
    is_favorite ${int} NOT NULL,
    inviter_id ${uuid} REFERENCES users,
    read_seq ${int} NOT NULL,
    created_at ${int} NOT NULL,
    updated_at ${int} NOT NULL,
    all_read_up_to ${uuid},
    subjects_read ${int} NOT NULL DEFAULT 0,
    PRIMARY KEY (team_id, user_id)
  )`,
  'CREATE INDEX memberships_by_user ON memberships (user_id, team_id)',
  'CREATE INDEX memberships_by_time ON memberships (team_id, created_at)',
  `CREATE TABLE invitations (
    id ${uuid} PRIMARY KEY,
    team_id ${uuid} NOT NULL REFERENCES teams,
    email text NOT NULL,
    email_key text NOT NULL,
    token_hash ${sortable} NOT NULL UNIQUE,
    membership_type ${int} NOT NULL,
    inviter_id ${uuid} NOT NULL REFERENCES users,
    created_at ${int} NOT NULL,
    expires_at ${int} NOT NULL,
    accepted_at ${int},
    user_id ${uuid} REFERENCES users
  )`,
  'CREATE INDEX invitations_by ON invitations (inviter_id) WHERE accepted_at IS NULL',
  // Invitations end with the rights of their inviter.
  'CREATE INDEX invitations_to ON invitations (team_id, email_key) WHERE accepted_at IS NULL',
  'CREATE INDEX invitations_by_email ON invitations (email_key)',
  'CREATE INDEX invitations_by_team ON invitations (team_id, id)',
];

/** Joining a team by a link, and who may not. */
export const joining: Statements = ({ uuid, int, sortable }) => [
  // Links by which many may join a team. `uses` and the limits are compared in the statement that uses a link.
  `CREATE TABLE join_links (
    id ${uuid} PRIMARY KEY,
    team_id ${uuid} NOT NULL REFERENCES teams,
    created_by ${uuid} NOT NULL REFERENCES users,
    token_hash ${sortable} NOT NULL UNIQUE,
    membership_type ${int} NOT NULL,
    domains_json text NOT NULL,
    max_uses ${int},
    uses ${int} NOT NULL,
    created_at ${int} NOT NULL,
    expires_at ${int}
  )`,
  'CREATE INDEX join_links_by ON join_links (created_by)',
  'CREATE INDEX join_links_by_team ON join_links (team_id, id)',
  // Who has signed up by a link that asks for a proved address, and joins once theirs is.
  `CREATE TABLE waiting_joins (
    team_id ${uuid} NOT NULL REFERENCES teams,
    user_id ${uuid} NOT NULL REFERENCES users,
    link_id ${uuid} NOT NULL REFERENCES join_links ON DELETE CASCADE,
    PRIMARY KEY (team_id, user_id)
  )`,
  'CREATE INDEX waiting_joins_by_link ON waiting_joins (link_id)',
  'CREATE INDEX waiting_joins_by_user ON waiting_joins (user_id)',
  // Who was removed from a team by an admin: no link lets them in again, an invitation does.
  `CREATE TABLE removed_members (
    team_id ${uuid} NOT NULL REFERENCES teams,
    user_id ${uuid} NOT NULL REFERENCES users,
    removed_at ${int} NOT NULL,
    PRIMARY KEY (team_id, user_id)
  )`,
  'CREATE INDEX removed_members_by_user ON removed_members (user_id)',
  // Whoever proves an address in the domain joins the team.
  `CREATE TABLE domain_rules (
    id ${uuid} PRIMARY KEY,
    domain ${sortable} NOT NULL,
    team_id ${uuid} NOT NULL REFERENCES teams,
    created_at ${int} NOT NULL
  )`,
  'CREATE UNIQUE INDEX domain_rules_by_domain ON domain_rules (domain, team_id)',
  'CREATE INDEX domain_rules_by_team ON domain_rules (team_id)',
];

/** Groups of a team's members, who are called by the name of the group. */
export const groups: Statements = ({ uuid, int, sortable }) => [
  `CREATE TABLE people_groups (
    id ${uuid} PRIMARY KEY,
    team_id ${uuid} NOT NULL REFERENCES teams,
    name text NOT NULL,
    name_key ${sortable} NOT NULL,
    created_at ${int} NOT NULL,
    updated_at ${int} NOT NULL
  )`,
  'CREATE UNIQUE INDEX people_groups_by_name ON people_groups (team_id, name_key)',
  `CREATE TABLE people_group_users (
    group_id ${uuid} NOT NULL REFERENCES people_groups ON DELETE CASCADE,
    user_id ${uuid} NOT NULL REFERENCES users,
    team_id ${uuid} NOT NULL REFERENCES teams,
    PRIMARY KEY (group_id, user_id)
  )`,
  'CREATE INDEX people_group_users_of ON people_group_users (user_id, team_id)',
];

/** Applications, their installations, calls to them, their objects, and OAuth 2.0 (RFC 6749). */
const applications: Statements = ({ uuid, int, sortable }) => [
  `CREATE TABLE applications (
    id ${uuid} PRIMARY KEY,
    owner_id ${uuid} NOT NULL REFERENCES users,
    name text NOT NULL,
    description text NOT NULL,
    icon text NOT NULL,
    base_url text NOT NULL,
    preinstall_url text NOT NULL,
    uninstall_url text,
    team_update_url text,
    redirect_uris_json text NOT NULL,
    scopes_json text NOT NULL,
    listed ${int} NOT NULL,
    active ${int} NOT NULL,
    created_at ${int} NOT NULL,
    updated_at ${int} NOT NULL,
    require_pkce integer NOT NULL DEFAULT 1,
    initiate_login_uri text,
    author_id ${uuid} REFERENCES users,
    link_prefixes_json text NOT NULL DEFAULT '[]',
    suspended_at ${int},
    awaits_owner_since ${int},
    awaits_owner_why text,
    woken_at ${int} NOT NULL DEFAULT 0,
    token_endpoint_auth_method text NOT NULL DEFAULT 'client_secret_basic',
    commands_json text NOT NULL DEFAULT '[]',
    shortcuts_json text NOT NULL DEFAULT '[]',
    has_home ${int} NOT NULL DEFAULT 0
  )`,
  'CREATE INDEX applications_by_owner ON applications (owner_id)',
  `CREATE TABLE application_secrets (
    id ${uuid} PRIMARY KEY,
    application_id ${uuid} NOT NULL REFERENCES applications,
    ciphertext text NOT NULL,
    created_at ${int} NOT NULL,
    expires_at ${int}
  )`,
  'CREATE INDEX application_secrets_by_application ON application_secrets (application_id)',
  // `num_calls`: calls that told the application of the installation.
  `CREATE TABLE installations (
    id ${uuid} PRIMARY KEY,
    application_id ${uuid} NOT NULL REFERENCES applications,
    team_id ${uuid} NOT NULL REFERENCES teams,
    status text NOT NULL,
    reason text,
    scopes_json text NOT NULL,
    installed_by ${uuid} NOT NULL REFERENCES users,
    created_at ${int} NOT NULL,
    updated_at ${int} NOT NULL,
    pending_until ${int} NOT NULL,
    num_calls ${int} NOT NULL DEFAULT 0,
    declined_json text NOT NULL DEFAULT '[]',
    scope_history_json text NOT NULL DEFAULT '[]',
    asleep_since ${int},
    woken_at ${int} NOT NULL DEFAULT 0,
    link_prefixes_json text NOT NULL DEFAULT '{"granted":[],"declined":[]}'
  )`,
  `CREATE INDEX installations_active ON installations (application_id) WHERE status = 'active'`,
  'CREATE INDEX installations_of_team ON installations (team_id, id)',
  'CREATE INDEX installations_of_application ON installations (application_id, id)',
  'CREATE INDEX installations_by_installer ON installations (installed_by, id)',
  `CREATE INDEX installations_pending ON installations (pending_until) WHERE status = 'pending'`,
  // Two admins who install at once get one installation.
  `CREATE UNIQUE INDEX installations_live ON installations (team_id, application_id) WHERE status IN ('pending', 'active')`,
  `CREATE TABLE oauth_grants (
    id ${uuid} PRIMARY KEY,
    application_id ${uuid} NOT NULL REFERENCES applications,
    user_id ${uuid} NOT NULL REFERENCES users,
    team_id ${uuid} NOT NULL REFERENCES teams,
    scopes_json text NOT NULL,
    created_at ${int} NOT NULL,
    revoked_at ${int},
    told_at ${int} NOT NULL DEFAULT 0,
    told_address text
  )`,
  'CREATE INDEX oauth_grants_by_user ON oauth_grants (user_id)',
  'CREATE INDEX oauth_grants_by_team ON oauth_grants (team_id, application_id)',
  `CREATE TABLE oauth_codes (
    code_hash ${sortable} PRIMARY KEY,
    application_id ${uuid} NOT NULL REFERENCES applications,
    user_id ${uuid} NOT NULL REFERENCES users,
    team_id ${uuid} NOT NULL REFERENCES teams,
    redirect_uri text NOT NULL,
    code_challenge text,
    scopes_json text NOT NULL,
    created_at ${int} NOT NULL,
    expires_at ${int} NOT NULL,
    used_at ${int},
    grant_id ${uuid}
  )`,
  'CREATE INDEX oauth_codes_by_team ON oauth_codes (team_id, application_id)',
  'CREATE INDEX oauth_codes_by_end ON oauth_codes (expires_at)',
  `CREATE TABLE access_tokens (
    token_hash ${sortable} PRIMARY KEY,
    grant_id ${uuid} NOT NULL REFERENCES oauth_grants,
    expires_at ${int} NOT NULL
  )`,
  'CREATE INDEX access_tokens_by_grant ON access_tokens (grant_id)',
  'CREATE INDEX access_tokens_by_end ON access_tokens (expires_at)',
  // `successor_salt`: given away with the old token for as long as its grace lasts: see docs/security.md.
  `CREATE TABLE refresh_tokens (
    token_hash ${sortable} PRIMARY KEY,
    grant_id ${uuid} NOT NULL REFERENCES oauth_grants,
    expires_at ${int} NOT NULL,
    rotated_at ${int},
    successor_salt text
  )`,
  'CREATE INDEX refresh_tokens_in_grace ON refresh_tokens (rotated_at) WHERE successor_salt IS NOT NULL',
  'CREATE INDEX refresh_tokens_by_grant ON refresh_tokens (grant_id)',
  'CREATE INDEX refresh_tokens_by_end ON refresh_tokens (expires_at)',
  `CREATE TABLE objects (
    id ${uuid} PRIMARY KEY,
    application_id ${uuid} NOT NULL REFERENCES applications,
    team_id ${uuid} NOT NULL REFERENCES teams,
    type text NOT NULL,
    name text NOT NULL,
    url text NOT NULL,
    created_at ${int} NOT NULL,
    deleted_at ${int},
    renamed_at ${int}
  )`,
  'CREATE INDEX objects_by_team ON objects (team_id, id)',
  // `num_failures`: attempts of the worker that failed: those by hand do not count.
  `CREATE TABLE deliveries (
    id ${uuid} PRIMARY KEY,
    application_id ${uuid} NOT NULL REFERENCES applications,
    team_id ${uuid} REFERENCES teams,
    kind text NOT NULL,
    url text NOT NULL,
    body_json text NOT NULL,
    status text NOT NULL,
    num_attempts ${int} NOT NULL,
    next_attempt_at ${int},
    lease_until ${int} NOT NULL,
    created_at ${int} NOT NULL,
    updated_at ${int} NOT NULL,
    num_failures ${int} NOT NULL DEFAULT 0,
    subscription_id ${uuid}
  )`,
  'CREATE INDEX deliveries_leased ON deliveries (application_id) WHERE lease_until > 0',
  // What waits for each application, and what is under way to it.
  'CREATE INDEX deliveries_waiting ON deliveries (application_id, next_attempt_at) WHERE next_attempt_at IS NOT NULL',
  'CREATE INDEX deliveries_by_team ON deliveries (team_id, id)',
  'CREATE INDEX deliveries_due ON deliveries (next_attempt_at) WHERE next_attempt_at IS NOT NULL',
  'CREATE INDEX deliveries_by_application ON deliveries (application_id, id)',
  `CREATE TABLE delivery_attempts (
    id ${uuid} PRIMARY KEY,
    delivery_id ${uuid} NOT NULL REFERENCES deliveries,
    number ${int} NOT NULL,
    started_at ${int} NOT NULL,
    duration_ms ${int} NOT NULL,
    request_headers_json text NOT NULL,
    status ${int},
    response_headers_json text,
    response_body text,
    reason text,
    url text NOT NULL DEFAULT ''
  )`,
  'CREATE INDEX delivery_attempts_by_delivery ON delivery_attempts (delivery_id, number)',
  `CREATE TABLE application_steps (
    application_id ${uuid} NOT NULL REFERENCES applications,
    step ${sortable} NOT NULL,
    done_at ${int} NOT NULL,
    PRIMARY KEY (application_id, step)
  )`,
  `CREATE TABLE agreements (
    id ${uuid} PRIMARY KEY,
    user_id ${uuid} NOT NULL REFERENCES users,
    application_id ${uuid} NOT NULL REFERENCES applications,
    team_id ${uuid} NOT NULL REFERENCES teams,
    scopes_json text NOT NULL,
    created_at ${int} NOT NULL,
    agreed_at ${int} NOT NULL,
    used_at ${int}
  )`,
  'CREATE INDEX agreements_by_team ON agreements (team_id, application_id)',
  'CREATE INDEX agreements_by_application ON agreements (application_id)',
  'CREATE UNIQUE INDEX agreements_of_person ON agreements (user_id, application_id, team_id)',
  `CREATE TABLE callback_queues (
    application_id ${uuid} PRIMARY KEY REFERENCES applications,
    called_at ${int} NOT NULL,
    num_failures ${int} NOT NULL,
    failing_since ${int},
    num_pauses ${int} NOT NULL,
    paused_until ${int} NOT NULL
  )`,
  // Pictures of applications, fetched so that browsers need not.
  `CREATE TABLE application_icons (
    application_id ${uuid} PRIMARY KEY REFERENCES applications,
    source text NOT NULL,
    content text,
    num_failures ${int} NOT NULL,
    next_fetch_at ${int},
    lease_until ${int} NOT NULL
  )`,
  'CREATE INDEX application_icons_due ON application_icons (next_fetch_at) WHERE next_fetch_at IS NOT NULL',
  `CREATE TABLE token_failures (
    application_id ${uuid} NOT NULL REFERENCES applications,
    grant_type ${sortable} NOT NULL,
    reason ${sortable} NOT NULL,
    num ${int} NOT NULL,
    first_at ${int} NOT NULL,
    last_at ${int} NOT NULL,
    PRIMARY KEY (application_id, grant_type, reason)
  )`,
];

/** The subjects of a team, and how far people have read each of them. */
export const subjects: Statements = ({ uuid, int, sortable }) => [
  `CREATE TABLE subjects (
    id ${uuid} PRIMARY KEY,
    team_id ${uuid} NOT NULL REFERENCES teams,
    name text NOT NULL,
    name_key ${sortable} NOT NULL,
    created_by ${uuid} NOT NULL REFERENCES users,
    created_at ${int} NOT NULL,
    closed_at ${int}
  )`,
  'CREATE UNIQUE INDEX subjects_by_name ON subjects (team_id, name_key)',
  'CREATE INDEX subjects_of_team ON subjects (team_id, id)',
  'CREATE INDEX subjects_by_maker ON subjects (created_by, id)',
  'CREATE INDEX subjects_open ON subjects (team_id) WHERE closed_at IS NULL',
  `CREATE TABLE subject_cursors (
    user_id ${uuid} NOT NULL REFERENCES users,
    team_id ${uuid} NOT NULL REFERENCES teams,
    subject_id ${uuid} NOT NULL REFERENCES subjects,
    read_seq ${int} NOT NULL,
    PRIMARY KEY (user_id, team_id, subject_id)
  )`,
  // Which of them are beyond the cursor of the team.
  'CREATE INDEX subject_cursors_ahead ON subject_cursors (user_id, team_id, read_seq)',
  'CREATE INDEX subject_cursors_of ON subject_cursors (subject_id, read_seq)',
];

export const blockedApplications: Statements = ({ uuid, int }) => [
  `CREATE TABLE blocked_applications (
    user_id ${uuid} NOT NULL REFERENCES users,
    application_id ${uuid} NOT NULL REFERENCES applications,
    created_at ${int} NOT NULL,
    PRIMARY KEY (user_id, application_id)
  )`,
];

/** Few messages have one: the others cost these indexes nothing. */
export const subjectIndexes: Statements = () => [
  'CREATE INDEX messages_of_subject ON messages (subject_id, id) WHERE subject_id IS NOT NULL',
  'CREATE INDEX messages_by_subject ON messages (subject_id, seq) WHERE subject_id IS NOT NULL',
];

/** Messages, replies, sidebars, direct messages, their files, their index, and live events. */
const conversations: Statements = ({ uuid, int, sortable }, dialect) => [
  `CREATE TABLE messages (
    id ${uuid} PRIMARY KEY,
    team_id ${uuid} REFERENCES teams,
    seq ${int},
    author_id ${uuid} NOT NULL REFERENCES users,
    application_id ${uuid} REFERENCES applications,
    text text NOT NULL,
    addressed_users_json text NOT NULL,
    attachments_json text NOT NULL,
    mentions_json text NOT NULL,
    num_replies ${int} NOT NULL,
    num_high_fives ${int} NOT NULL,
    created_at ${int} NOT NULL,
    updated_at ${int} NOT NULL,
    root_id ${uuid} REFERENCES messages,
    reply_seq ${int},
    sidebar_seq ${int},
    events_json text NOT NULL DEFAULT '[]',
    deleted_at ${int},
    conversation_id ${uuid},
    has_unfurls ${int} NOT NULL DEFAULT 0,
    links_json text,
    reactions_json text,
    subject_id ${uuid} REFERENCES subjects,
    format text,
    blocks_json text,
    direct_team_id ${uuid} REFERENCES teams,
    direct_application_id ${uuid} REFERENCES applications,
    was_saved ${int} NOT NULL DEFAULT 0,
    is_pinned ${int} NOT NULL DEFAULT 0
  )`,
  'CREATE INDEX messages_of_conversation ON messages (conversation_id, id) WHERE conversation_id IS NOT NULL',
  'CREATE INDEX messages_deleted ON messages (team_id, seq) WHERE deleted_at IS NOT NULL AND seq IS NOT NULL',
  // Replies and sidebars have no place in the stream. A team is erased by this and the next two.
  'CREATE INDEX messages_beside_stream ON messages (team_id, id) WHERE seq IS NULL',
  // What the lists show: what opens a conversation, by the id that orders them.
  'CREATE INDEX messages_of_team ON messages (team_id, id) WHERE seq IS NOT NULL',
  'CREATE INDEX messages_by_replier ON messages (root_id, author_id) WHERE root_id IS NOT NULL',
  'CREATE UNIQUE INDEX messages_by_root ON messages (root_id, reply_seq) WHERE root_id IS NOT NULL',
  'CREATE INDEX messages_by_author ON messages (author_id, id)',
  'CREATE UNIQUE INDEX messages_by_team ON messages (team_id, seq)',
  `CREATE TABLE message_recipients (
    user_id ${uuid} NOT NULL REFERENCES users,
    message_id ${uuid} NOT NULL REFERENCES messages,
    read_at ${int},
    PRIMARY KEY (user_id, message_id)
  )`,
  'CREATE INDEX message_recipients_by_message ON message_recipients (message_id)',
  'CREATE INDEX message_recipients_unread ON message_recipients (user_id, message_id) WHERE read_at IS NULL',
  `CREATE TABLE read_marks (
    user_id ${uuid} NOT NULL REFERENCES users,
    team_id ${uuid} NOT NULL REFERENCES teams,
    message_id ${uuid} NOT NULL REFERENCES messages,
    seq ${int} NOT NULL,
    is_read ${int} NOT NULL,
    PRIMARY KEY (user_id, team_id, seq)
  )`,
  'CREATE INDEX read_marks_unread ON read_marks (message_id) WHERE is_read = 0',
  `CREATE TABLE sidebars (
    id ${uuid} PRIMARY KEY,
    message_id ${uuid} NOT NULL REFERENCES messages,
    team_id ${uuid} REFERENCES teams,
    created_by ${uuid} NOT NULL REFERENCES users,
    message_seq ${int} NOT NULL,
    created_at ${int} NOT NULL
  )`,
  `ALTER TABLE messages ADD COLUMN sidebar_id ${uuid} REFERENCES sidebars`,
  'CREATE INDEX sidebars_by_message ON sidebars (message_id, id)',
  'CREATE UNIQUE INDEX messages_by_sidebar ON messages (sidebar_id, sidebar_seq) WHERE sidebar_id IS NOT NULL',
  `CREATE TABLE sidebar_users (
    sidebar_id ${uuid} NOT NULL REFERENCES sidebars,
    user_id ${uuid} NOT NULL REFERENCES users,
    read_seq ${int} NOT NULL,
    PRIMARY KEY (sidebar_id, user_id)
  )`,
  'CREATE INDEX sidebar_users_by_user ON sidebar_users (user_id, sidebar_id)',
  `CREATE TABLE message_states (
    user_id ${uuid} NOT NULL REFERENCES users,
    message_id ${uuid} NOT NULL REFERENCES messages,
    is_muted ${int} NOT NULL,
    is_unread ${int} NOT NULL,
    replies_read ${int} NOT NULL,
    read_up_to ${uuid},
    PRIMARY KEY (user_id, message_id)
  )`,
  // A team's erasure finds by it what former members left behind.
  'CREATE INDEX message_states_by_message ON message_states (message_id)',
  'CREATE INDEX message_states_unread ON message_states (user_id, message_id) WHERE is_unread = 1',
  // Messages that wait to be indexed. PostgreSQL has a number where SQLite has a rowid.
  `CREATE TABLE message_index_queue (
    message_id ${uuid} PRIMARY KEY REFERENCES messages,
    ${dialect === 'sqlite' ? '' : 'number bigserial,'}
    queued_at ${int} NOT NULL DEFAULT 0
  )`,
  ...(dialect === 'sqlite'
    ? []
    : ['CREATE INDEX message_index_queue_by_number ON message_index_queue (number)']),
  ...(dialect === 'sqlite' ? SQLITE_INDEX : POSTGRES_INDEX),
  'CREATE INDEX message_index_by_time ON message_index (created_at, place)',
  `CREATE TABLE attachments (
    id ${uuid} PRIMARY KEY,
    user_id ${uuid} NOT NULL REFERENCES users,
    status text NOT NULL,
    name text NOT NULL,
    content_type text NOT NULL,
    size ${int} NOT NULL,
    width ${int},
    height ${int},
    file text NOT NULL,
    thumbnail_file text,
    num_messages ${int} NOT NULL,
    released_at ${int} NOT NULL,
    created_at ${int} NOT NULL,
    application_id ${uuid} REFERENCES applications
  )`,
  'CREATE INDEX attachments_by_user ON attachments (user_id, size)',
  'CREATE INDEX attachments_released ON attachments (released_at) WHERE num_messages = 0',
  // Deferred: what a message holds is checked before the message's own row is written.
  `CREATE TABLE message_attachments (
    message_id ${uuid} NOT NULL REFERENCES messages DEFERRABLE INITIALLY DEFERRED,
    attachment_id ${uuid} NOT NULL REFERENCES attachments,
    place_id ${uuid},
    PRIMARY KEY (message_id, attachment_id)
  )`,
  'CREATE INDEX message_attachments_by_attachment ON message_attachments (attachment_id, message_id)',
  // The files of a team, or of a direct conversation, by their messages.
  'CREATE INDEX message_attachments_by_place ON message_attachments (place_id, message_id, attachment_id)',
  // PostgreSQL commits in another order than it numbers: places are given once events are committed.
  `CREATE TABLE events (
    ${dialect === 'sqlite' ? '' : 'id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,'}
    place ${dialect === 'sqlite' ? 'integer PRIMARY KEY AUTOINCREMENT' : 'bigint UNIQUE'},
    kind text NOT NULL,
    audience text NOT NULL,
    audience_id ${uuid} NOT NULL,
    data_json text NOT NULL,
    created_at ${int} NOT NULL
  )`,
  ...(dialect === 'sqlite' ? [] : ['CREATE INDEX events_unplaced ON events (id) WHERE place IS NULL']),
  `CREATE INDEX events_of_connections ON events (place) WHERE audience = 'connectionsOf'`,
  `CREATE INDEX events_of_users ON events (audience_id, place) WHERE audience = 'user'`,
  `CREATE INDEX events_of_teams ON events (audience_id, place) WHERE audience = 'team'`,
  'CREATE INDEX events_by_time ON events (created_at)',
  `CREATE TABLE presence (
    user_id ${uuid} NOT NULL REFERENCES users,
    node_id ${sortable} NOT NULL,
    lease_until ${int} NOT NULL,
    PRIMARY KEY (user_id, node_id)
  )`,
  'CREATE INDEX presence_by_end ON presence (lease_until)',
  'CREATE INDEX presence_by_node ON presence (node_id)',
  `CREATE TABLE message_versions (
    message_id ${uuid} NOT NULL REFERENCES messages,
    place ${int} NOT NULL,
    text text NOT NULL,
    replaced_at ${int} NOT NULL,
    format text,
    blocks_json text,
    names_json text,
    PRIMARY KEY (message_id, place)
  )`,
  `CREATE TABLE conversations (
    id ${uuid} PRIMARY KEY,
    newest_id ${uuid} NOT NULL
  )`,
  `CREATE TABLE conversation_users (
    user_id ${uuid} NOT NULL REFERENCES users,
    conversation_id ${uuid} NOT NULL REFERENCES conversations,
    PRIMARY KEY (user_id, conversation_id)
  )`,
  'CREATE INDEX conversation_users_by_conversation ON conversation_users (conversation_id)',
  `CREATE TABLE mutes (
    id ${uuid} PRIMARY KEY,
    user_id ${uuid} NOT NULL REFERENCES users,
    kind text NOT NULL,
    place_id ${uuid} NOT NULL,
    muted_until ${int},
    created_at ${int} NOT NULL,
    UNIQUE (user_id, place_id)
  )`,
  'CREATE INDEX mutes_that_end ON mutes (muted_until) WHERE muted_until IS NOT NULL',
  `CREATE TABLE message_index_jobs (
    object_id ${uuid} PRIMARY KEY REFERENCES objects,
    application_id ${uuid} NOT NULL REFERENCES applications,
    is_wanted ${int} NOT NULL,
    place ${int},
    num_left ${int} NOT NULL,
    due_at ${int} NOT NULL,
    lease_until ${int} NOT NULL
  )`,
  'CREATE INDEX message_index_jobs_of_application ON message_index_jobs (application_id, due_at)',
  'CREATE INDEX message_index_jobs_due ON message_index_jobs (due_at)',
];

/** Cards of links: an application's, or ours where there is none. */
export const unfurls: Statements = ({ uuid, int }) => [
  `CREATE TABLE unfurls (
    id ${uuid} PRIMARY KEY,
    message_id ${uuid} NOT NULL REFERENCES messages,
    team_id ${uuid} REFERENCES teams,
    application_id ${uuid} REFERENCES applications,
    url text NOT NULL,
    card_json text NOT NULL,
    removed_at ${int},
    picture_id ${uuid}
  )`,
  'CREATE INDEX unfurls_of_installation ON unfurls (application_id, team_id)',
  'CREATE INDEX unfurls_of_message ON unfurls (message_id)',
];

/** Pages that are to be looked at for previews, and pictures that are shown for others. */
export const previews: Statements = ({ uuid, int, sortable }) => [
  // `source`: whose turn it is. Without a due time it has been looked at, and there is nothing to show.
  `CREATE TABLE preview_jobs (
    id ${uuid} PRIMARY KEY,
    message_id ${uuid} NOT NULL REFERENCES messages,
    source ${sortable} NOT NULL,
    url text NOT NULL,
    kind text NOT NULL,
    by_program ${int} NOT NULL,
    num_attempts ${int} NOT NULL,
    due_at ${int},
    created_at ${int} NOT NULL
  )`,
  'CREATE INDEX preview_jobs_in_turn ON preview_jobs (source, due_at) WHERE due_at IS NOT NULL',
  'CREATE INDEX preview_jobs_due ON preview_jobs (due_at) WHERE due_at IS NOT NULL',
  'CREATE INDEX preview_jobs_of_message ON preview_jobs (message_id)',
  'CREATE INDEX preview_jobs_by_time ON preview_jobs (created_at)',
  // Shown with `place_id`, a message.
  `CREATE TABLE pictures (
    id ${uuid} PRIMARY KEY,
    place_id ${uuid} NOT NULL,
    status text NOT NULL,
    file text NOT NULL,
    size ${int} NOT NULL,
    width ${int} NOT NULL,
    height ${int} NOT NULL,
    source_url text,
    released_at ${int} NOT NULL
  )`,
  'CREATE INDEX pictures_of_place ON pictures (place_id)',
  `CREATE INDEX pictures_released ON pictures (released_at) WHERE status <> 'shown'`,
];

/** The words come from us, folded and cut: to "ascii" every letter beyond ASCII belongs to a word. */
/** Reactions of people to messages. `messages.reactions_json` counts them. */
export const reactions: Statements = ({ uuid, int, sortable }) => [
  // `given`: the emoji in the skin tone that the person chose.
  `CREATE TABLE reactions (
    user_id ${uuid} NOT NULL REFERENCES users,
    message_id ${uuid} NOT NULL REFERENCES messages,
    emoji ${sortable} NOT NULL,
    given text NOT NULL,
    created_at ${int} NOT NULL,
    PRIMARY KEY (user_id, message_id, emoji)
  )`,
  'CREATE INDEX reactions_by_time ON reactions (message_id, created_at, user_id, emoji)',
  'CREATE INDEX reactions_of_emoji ON reactions (message_id, emoji, created_at, user_id)',
];

/** Messages that a person has saved for later, and those that a team has pinned. */
export const savedAndPinned: Statements = ({ uuid, int }) => [
  `CREATE TABLE saved_messages (
    user_id ${uuid} NOT NULL REFERENCES users,
    message_id ${uuid} NOT NULL REFERENCES messages,
    saved_at ${int} NOT NULL,
    PRIMARY KEY (user_id, message_id)
  )`,
  'CREATE INDEX saved_messages_by_time ON saved_messages (user_id, saved_at, message_id)',
  'CREATE INDEX saved_messages_of_message ON saved_messages (message_id)',
  `CREATE TABLE pins (
    team_id ${uuid} NOT NULL REFERENCES teams,
    message_id ${uuid} NOT NULL REFERENCES messages,
    user_id ${uuid} NOT NULL REFERENCES users,
    pinned_at ${int} NOT NULL,
    PRIMARY KEY (team_id, message_id)
  )`,
  'CREATE INDEX pins_by_time ON pins (team_id, pinned_at, message_id)',
  'CREATE INDEX pins_of_message ON pins (message_id)',
  'CREATE INDEX pins_of_person ON pins (user_id, message_id)',
];

/** Pictures are small and re-encoded; they stand in base64 in the row, as those of people do. */
export const customEmoji: Statements = ({ uuid, int, sortable }) => [
  // `version`: another one each time that a name is given to a picture.
  `CREATE TABLE custom_emoji (
    name ${sortable} PRIMARY KEY,
    version ${uuid} NOT NULL,
    created_by ${uuid} NOT NULL REFERENCES users,
    created_at ${int} NOT NULL,
    animated ${int} NOT NULL,
    still text NOT NULL,
    moving text
  )`,
  'CREATE INDEX custom_emoji_by ON custom_emoji (created_by, name)',
  'CREATE INDEX custom_emoji_by_age ON custom_emoji (created_at, name)',
];

const SQLITE_INDEX = [
  `CREATE TABLE message_index (
    place integer PRIMARY KEY,
    message_id text NOT NULL UNIQUE REFERENCES messages,
    created_at integer NOT NULL
  )`,
  `CREATE VIRTUAL TABLE message_words USING fts5 (
    scope, words, content='', contentless_delete=1, tokenize='ascii', prefix='1 2 3'
  )`,
];

const POSTGRES_INDEX = [
  `CREATE TABLE message_index (
    place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    message_id uuid NOT NULL UNIQUE REFERENCES messages,
    words tsvector NOT NULL,
    created_at bigint NOT NULL
  )`,
  'CREATE INDEX message_index_words ON message_index USING gin (words)',
];

/** Inbox, mails and pushes: what reaches a person beside the conversation. */
const notices: Statements = ({ uuid, int, sortable }) => [
  `CREATE TABLE mails (
    id ${uuid} PRIMARY KEY,
    kind text NOT NULL,
    user_id ${uuid} REFERENCES users,
    recipient text NOT NULL,
    subject text NOT NULL,
    body_ciphertext text NOT NULL,
    message_id ${sortable} NOT NULL UNIQUE,
    status text NOT NULL,
    reason text,
    num_attempts ${int} NOT NULL,
    num_failures ${int} NOT NULL,
    next_attempt_at ${int},
    lease_until ${int} NOT NULL,
    created_at ${int} NOT NULL,
    updated_at ${int} NOT NULL
  )`,
  // A deleted person's mails are found by it.
  'CREATE INDEX mails_by_user ON mails (user_id)',
  'CREATE INDEX mails_by_recipient ON mails (lower(recipient), created_at)',
  'CREATE INDEX mails_by_age ON mails (created_at)',
  'CREATE INDEX mails_due ON mails (next_attempt_at) WHERE next_attempt_at IS NOT NULL',
  `CREATE TABLE mail_jobs (
    id ${uuid} PRIMARY KEY,
    kind text NOT NULL,
    message_id ${uuid} REFERENCES messages,
    email_key text,
    cursor text NOT NULL,
    num_failures ${int} NOT NULL,
    next_attempt_at ${int},
    created_at ${int} NOT NULL
  )`,
  'CREATE INDEX mail_jobs_due ON mail_jobs (next_attempt_at) WHERE next_attempt_at IS NOT NULL',
  `CREATE TABLE mail_notifications (
    user_id ${uuid} NOT NULL REFERENCES users,
    message_id ${uuid} NOT NULL REFERENCES messages,
    reason text NOT NULL,
    created_at ${int} NOT NULL,
    collected_at ${int},
    mail_id ${uuid},
    PRIMARY KEY (user_id, message_id)
  )`,
  'CREATE INDEX mail_notifications_of_mail ON mail_notifications (mail_id) WHERE mail_id IS NOT NULL',
  'CREATE INDEX mail_notifications_by_age ON mail_notifications (created_at)',
  'CREATE INDEX mail_notifications_waiting ON mail_notifications (user_id, message_id) WHERE collected_at IS NULL',
  `CREATE TABLE mail_batches (
    user_id ${uuid} PRIMARY KEY REFERENCES users,
    due_at ${int} NOT NULL
  )`,
  'CREATE INDEX mail_batches_due ON mail_batches (due_at)',
  // What was mailed within a day, so that nobody fills mailboxes with invitations.
  `CREATE TABLE invitation_mails (
    id ${uuid} PRIMARY KEY,
    team_id ${uuid} NOT NULL,
    inviter_id ${uuid} NOT NULL,
    email_key text NOT NULL,
    created_at ${int} NOT NULL
  )`,
  'CREATE INDEX invitation_mails_by_time ON invitation_mails (created_at)',
  // Whom a message concerns: found once, for the inbox, mails and pushes.
  `CREATE TABLE notice_jobs (
    id ${uuid} PRIMARY KEY,
    kind text NOT NULL,
    message_id ${uuid} NOT NULL REFERENCES messages,
    cursor text NOT NULL,
    num_failures ${int} NOT NULL,
    next_attempt_at ${int},
    created_at ${int} NOT NULL,
    lane ${int} NOT NULL DEFAULT 0,
    source text NOT NULL DEFAULT '-',
    call_json text
  )`,
  'CREATE INDEX notice_jobs_in_turn ON notice_jobs (lane, source, next_attempt_at) WHERE next_attempt_at IS NOT NULL',
  'CREATE INDEX notice_jobs_due ON notice_jobs (next_attempt_at) WHERE next_attempt_at IS NOT NULL',
  // A device is signed in: when its session ends, however that happens, it gets nothing more.
  `CREATE TABLE push_subscriptions (
    id ${uuid} PRIMARY KEY,
    user_id ${uuid} NOT NULL REFERENCES users,
    session_id ${uuid} NOT NULL REFERENCES sessions ON DELETE CASCADE,
    endpoint_hash ${sortable} NOT NULL UNIQUE,
    secret_ciphertext text NOT NULL,
    user_agent text NOT NULL,
    lane ${int} NOT NULL,
    num_failures ${int} NOT NULL,
    failing_since ${int},
    not_before ${int} NOT NULL,
    told_at ${int},
    created_at ${int} NOT NULL
  )`,
  'CREATE INDEX push_subscriptions_by_session ON push_subscriptions (session_id)',
  'CREATE INDEX push_subscriptions_by_user ON push_subscriptions (user_id)',
  `CREATE TABLE pushes (
    id ${uuid} PRIMARY KEY,
    subscription_id ${uuid} NOT NULL REFERENCES push_subscriptions ON DELETE CASCADE,
    user_id ${uuid} NOT NULL,
    topic ${sortable} NOT NULL,
    is_new ${int} NOT NULL,
    is_shown ${int} NOT NULL,
    message_id ${uuid},
    reason text NOT NULL,
    num_messages ${int} NOT NULL,
    next_attempt_at ${int},
    lease_until ${int} NOT NULL,
    created_at ${int} NOT NULL,
    message_ids text NOT NULL DEFAULT '',
    invitation_id ${uuid},
    UNIQUE (subscription_id, topic)
  )`,
  'CREATE INDEX pushes_by_age ON pushes (created_at)',
  'CREATE INDEX pushes_by_message ON pushes (message_id)',
  'CREATE INDEX pushes_shown ON pushes (user_id) WHERE is_shown = 1',
  'CREATE INDEX pushes_due ON pushes (next_attempt_at) WHERE next_attempt_at IS NOT NULL',
  `CREATE TABLE push_settings (
    user_id ${uuid} PRIMARY KEY REFERENCES users,
    settings_json text NOT NULL,
    wants_team ${int} NOT NULL
  )`,
  'CREATE INDEX push_settings_of_teams ON push_settings (user_id) WHERE wants_team = 1',
  `CREATE TABLE inbox_entries (
    user_id ${uuid} NOT NULL REFERENCES users,
    conversation_id ${uuid} NOT NULL,
    root_id ${uuid} NOT NULL REFERENCES messages,
    sidebar_id ${uuid} REFERENCES sidebars,
    team_id ${uuid} REFERENCES teams,
    place ${uuid} NOT NULL,
    activity_id ${uuid} NOT NULL,
    reasons text NOT NULL,
    mention_id ${uuid},
    root_concerns ${int} NOT NULL,
    reacted_id ${uuid},
    is_open ${int} NOT NULL,
    done_json text,
    PRIMARY KEY (user_id, conversation_id)
  )`,
  'CREATE INDEX inbox_entries_by_root ON inbox_entries (root_id)',
  'CREATE INDEX inbox_entries_by_place ON inbox_entries (user_id, place)',
  // After the one before: of two that serve a statement alike, SQLite takes the later one, and this one is shorter.
  'CREATE INDEX inbox_entries_open ON inbox_entries (user_id, place) WHERE is_open = 1',
  `CREATE TABLE mail_streams (
    team_id ${uuid} PRIMARY KEY REFERENCES teams,
    after_seq ${int} NOT NULL,
    up_to_seq ${int},
    cursor text NOT NULL,
    num_failures ${int} NOT NULL,
    due_at ${int},
    created_at ${int} NOT NULL
  )`,
  'CREATE INDEX mail_streams_due ON mail_streams (due_at) WHERE due_at IS NOT NULL',
  `CREATE TABLE mail_cursors (
    user_id ${uuid} NOT NULL REFERENCES users,
    team_id ${uuid} NOT NULL REFERENCES teams,
    told_seq ${int} NOT NULL,
    waits ${int} NOT NULL,
    PRIMARY KEY (user_id, team_id)
  )`,
];

/** Presses and choices in the blocks of messages, and what one person alone was answered. */
export const interactions: Statements = ({ uuid, int, sortable }) => [
  // `place_id`: of the message, team, direct conversation, form or home, as `surface` says. `message_id`: of a form, the message
  // from which it was opened. `form_id`: the form that answered it. `value_hash`: the same value again is the same click while
  // it is pending. `due_at`: when to look whether it has ended.
  `CREATE TABLE interactions (
    id ${uuid} PRIMARY KEY,
    place_id ${uuid} NOT NULL,
    surface text NOT NULL,
    message_id ${uuid} REFERENCES messages,
    form_id ${uuid},
    team_id ${uuid} NOT NULL REFERENCES teams,
    application_id ${uuid} NOT NULL REFERENCES applications,
    user_id ${uuid} NOT NULL REFERENCES users,
    kind text NOT NULL,
    click ${uuid} NOT NULL,
    block_id ${sortable} NOT NULL,
    action_id ${sortable} NOT NULL,
    value_hash text NOT NULL,
    status text NOT NULL,
    reason text,
    created_at ${int} NOT NULL,
    expires_at ${int} NOT NULL,
    due_at ${int},
    uses ${int} NOT NULL,
    options_json text,
    UNIQUE (user_id, place_id, block_id, action_id, click)
  )`,
  "CREATE INDEX interactions_pending ON interactions (place_id, user_id) WHERE status = 'pending'",
  "CREATE INDEX interactions_unanswered ON interactions (application_id, team_id) WHERE status = 'pending'",
  'CREATE INDEX interactions_due ON interactions (due_at) WHERE due_at IS NOT NULL',
  'CREATE INDEX interactions_of_message ON interactions (message_id)',
  'CREATE INDEX interactions_of_place ON interactions (place_id, kind)',
  'CREATE INDEX interactions_of_application ON interactions (application_id)',
  'CREATE INDEX interactions_by_time ON interactions (created_at)',
  `CREATE TABLE ephemeral_answers (
    id ${uuid} PRIMARY KEY,
    message_id ${uuid} REFERENCES messages,
    team_id ${uuid} NOT NULL REFERENCES teams,
    application_id ${uuid} NOT NULL REFERENCES applications,
    user_id ${uuid} NOT NULL REFERENCES users,
    text text NOT NULL,
    blocks_json text,
    created_at ${int} NOT NULL
  )`,
  'CREATE INDEX ephemeral_answers_of_user ON ephemeral_answers (user_id, team_id, id)',
  'CREATE INDEX ephemeral_answers_of_message ON ephemeral_answers (message_id, user_id)',
  'CREATE INDEX ephemeral_answers_of_installation ON ephemeral_answers (application_id, team_id)',
  'CREATE INDEX ephemeral_answers_by_time ON ephemeral_answers (created_at)',
  // `root_id`: the form at the bottom of its stack. `submission_id`: of the submission that its application has to answer.
  `CREATE TABLE forms (
    id ${uuid} PRIMARY KEY,
    root_id ${uuid} NOT NULL,
    level ${int} NOT NULL,
    user_id ${uuid} NOT NULL REFERENCES users,
    team_id ${uuid} NOT NULL REFERENCES teams,
    application_id ${uuid} NOT NULL REFERENCES applications,
    message_id ${uuid} REFERENCES messages,
    title text NOT NULL,
    submit text,
    close text,
    callback_id text,
    metadata text,
    notify_on_close ${int} NOT NULL,
    blocks_json text NOT NULL,
    errors_json text,
    hash text NOT NULL,
    submission_id ${uuid},
    created_at ${int} NOT NULL,
    UNIQUE (root_id, level)
  )`,
  'CREATE INDEX forms_of_user ON forms (user_id, application_id, id)',
  'CREATE INDEX forms_of_installation ON forms (application_id, team_id)',
  'CREATE INDEX forms_of_message ON forms (message_id) WHERE message_id IS NOT NULL',
  'CREATE INDEX forms_submitted ON forms (submission_id) WHERE submission_id IS NOT NULL',
  'CREATE INDEX forms_by_time ON forms (created_at)',
  // A page of an application for one person in one team, shown while the installation that published it is active.
  `CREATE TABLE homes (
    id ${uuid} PRIMARY KEY,
    installation_id ${uuid} NOT NULL REFERENCES installations,
    application_id ${uuid} NOT NULL REFERENCES applications,
    team_id ${uuid} NOT NULL REFERENCES teams,
    user_id ${uuid} NOT NULL REFERENCES users,
    blocks_json text NOT NULL,
    hash text NOT NULL,
    published_at ${int} NOT NULL,
    UNIQUE (installation_id, user_id)
  )`,
  'CREATE INDEX homes_of_user ON homes (user_id)',
];

/** What people and applications have had scheduled: messages, and reminders. */
export const scheduled: Statements = ({ uuid, int }) => [
  // `through`: the application and the team of the token. `to_write`, `to_read`: the scopes that a token needs there. `due_at`:
  // null unless it is pending. `body_json` is last: SQLite reads what stands before a long column without it.
  `CREATE TABLE scheduled (
    id ${uuid} PRIMARY KEY,
    user_id ${uuid} NOT NULL REFERENCES users,
    kind text NOT NULL,
    through text,
    grant_id ${uuid},
    place text NOT NULL,
    to_write text NOT NULL,
    to_read text NOT NULL,
    local_time text NOT NULL,
    zone text NOT NULL,
    send_at ${int} NOT NULL,
    status text NOT NULL,
    reason text,
    message_id ${uuid},
    num_failures ${int} NOT NULL,
    due_at ${int},
    settled_at ${int},
    created_at ${int} NOT NULL,
    body_json text
  )`,
  "CREATE INDEX scheduled_unsent ON scheduled (user_id) WHERE status <> 'sent'",
  'CREATE INDEX scheduled_of_user ON scheduled (user_id, send_at, id)',
  'CREATE INDEX scheduled_due ON scheduled (due_at) WHERE due_at IS NOT NULL',
  "CREATE INDEX scheduled_sent ON scheduled (settled_at) WHERE status = 'sent'",
];

/** Admins' decisions about commands that several applications of a team have. */
/** Lists begin at what is there, however much was deleted before. */
export const listIndexes: Statements = () => [
  'CREATE INDEX objects_of_application ON objects (application_id, id) WHERE deleted_at IS NULL',
  'CREATE INDEX objects_of_team ON objects (team_id, id) WHERE deleted_at IS NULL',
  "CREATE INDEX attachments_of_user ON attachments (user_id, id) WHERE status = 'ready'",
];

export const commandChoices: Statements = ({ uuid, int, sortable }) => [
  // `look`: commands with the same look are one.
  `CREATE TABLE command_choices (
    team_id ${uuid} NOT NULL REFERENCES teams,
    look ${sortable} NOT NULL,
    application_id ${uuid} NOT NULL REFERENCES applications,
    chosen_at ${int} NOT NULL,
    PRIMARY KEY (team_id, look)
  )`,
];

/** Subscriptions to events, and incoming webhooks. */
const hearing: Statements = ({ uuid, int, sortable }) => [
  `CREATE TABLE event_subscriptions (
    id ${uuid} PRIMARY KEY,
    application_id ${uuid} NOT NULL REFERENCES applications,
    kinds_json text NOT NULL,
    teams_json text,
    mentions_only ${int} NOT NULL,
    object_type text,
    begins_at ${int} NOT NULL,
    webhook_url text,
    batch ${int} NOT NULL,
    key_ciphertext text,
    previous_key_ciphertext text,
    previous_key_until ${int},
    ended text,
    num_failures ${int} NOT NULL,
    failing_since ${int},
    num_pauses ${int} NOT NULL,
    paused_until ${int} NOT NULL,
    called_at ${int} NOT NULL,
    created_at ${int} NOT NULL,
    updated_at ${int} NOT NULL,
    own_messages ${int} NOT NULL DEFAULT 0,
    is_own ${int} NOT NULL DEFAULT 0
  )`,
  'CREATE INDEX event_subscriptions_of_application ON event_subscriptions (application_id)',
  'CREATE UNIQUE INDEX event_subscriptions_own ON event_subscriptions (application_id) WHERE is_own = 1',
  `CREATE TABLE event_consumers (
    id ${uuid} PRIMARY KEY,
    subscription_id ${uuid} NOT NULL REFERENCES event_subscriptions,
    kind ${sortable} NOT NULL,
    name ${sortable} NOT NULL,
    place ${int} NOT NULL,
    up_to ${int},
    used_at ${int} NOT NULL,
    created_at ${int} NOT NULL,
    UNIQUE (subscription_id, kind, name)
  )`,
  `CREATE TABLE event_copies (
    id ${uuid} PRIMARY KEY,
    consumer_id ${uuid} NOT NULL REFERENCES event_consumers,
    lease_until ${int} NOT NULL
  )`,
  'CREATE INDEX event_copies_of_consumer ON event_copies (consumer_id)',
  `CREATE TABLE event_cursors (
    id ${uuid} PRIMARY KEY,
    consumer_id ${uuid} NOT NULL REFERENCES event_consumers,
    team_id ${uuid} NOT NULL REFERENCES teams,
    place ${int} NOT NULL,
    copy_id ${uuid},
    lease_until ${int} NOT NULL,
    due_at ${int} NOT NULL,
    num_failures ${int} NOT NULL,
    failing_since ${int},
    sent_to ${int},
    delivery_id ${uuid},
    UNIQUE (consumer_id, team_id)
  )`,
  'CREATE INDEX event_cursors_of_copy ON event_cursors (copy_id) WHERE copy_id IS NOT NULL',
  'CREATE INDEX event_cursors_of_team ON event_cursors (team_id)',
  `CREATE TABLE incoming_webhooks (
    id ${uuid} PRIMARY KEY,
    team_id ${uuid} NOT NULL REFERENCES teams,
    author_id ${uuid} NOT NULL REFERENCES users,
    created_by ${uuid} NOT NULL REFERENCES users,
    secret_hash ${sortable} NOT NULL UNIQUE,
    key_ciphertext text,
    created_at ${int} NOT NULL,
    updated_at ${int} NOT NULL,
    used_at ${int}
  )`,
  'CREATE INDEX incoming_webhooks_of_author ON incoming_webhooks (author_id)',
  'CREATE INDEX incoming_webhooks_of_team ON incoming_webhooks (team_id)',
];

/** Audit log, deletion, exports, limits, and what the server remembers. */
const server: Statements = ({ uuid, int, sortable }, dialect) => [
  `CREATE TABLE idempotency_keys (
    scope ${sortable} NOT NULL,
    key ${sortable} NOT NULL,
    request_hash text NOT NULL,
    answer text NOT NULL,
    expires_at ${int} NOT NULL,
    PRIMARY KEY (scope, key)
  )`,
  'CREATE INDEX idempotency_keys_by_end ON idempotency_keys (expires_at)',
  `CREATE TABLE server_state (
    name ${sortable} PRIMARY KEY,
    value text NOT NULL
  )`,
  // No foreign keys: the log outlives what it tells of.
  `CREATE TABLE audit_log (
    id ${uuid} PRIMARY KEY,
    at ${int} NOT NULL,
    actor_id ${uuid},
    actor_kind text NOT NULL,
    action ${sortable} NOT NULL,
    target_kind text,
    target_id ${uuid},
    team_id ${uuid},
    address text,
    detail_json text NOT NULL
  )`,
  'CREATE INDEX audit_log_by_action ON audit_log (action, at, id)',
  'CREATE INDEX audit_log_by_target ON audit_log (target_id, at, id)',
  'CREATE INDEX audit_log_by_team ON audit_log (team_id, at, id)',
  'CREATE INDEX audit_log_by_actor ON audit_log (actor_id, at, id)',
  'CREATE INDEX audit_log_by_time ON audit_log (at, id)',
  `CREATE TABLE erasures (
    subject_id ${uuid} PRIMARY KEY,
    kind text NOT NULL,
    step ${int} NOT NULL,
    place text NOT NULL,
    due_at ${int} NOT NULL,
    lease_until ${int} NOT NULL
  )`,
  'CREATE INDEX erasures_due ON erasures (due_at)',
  `CREATE TABLE export_leases (
    user_id ${uuid} PRIMARY KEY,
    token text NOT NULL,
    expires_at ${int} NOT NULL
  )`,
  ...(dialect === 'postgres' ? SHARED_COUNTS : []),
];

/** Not logged: counts of a minute need to survive no crash. SQLite has one process, which counts by itself. */
const SHARED_COUNTS = [
  `CREATE UNLOGGED TABLE rate_counts (
    window_id bigint NOT NULL,
    key text COLLATE "C" NOT NULL,
    node text COLLATE "C" NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (window_id, key, node)
  )`,
];
