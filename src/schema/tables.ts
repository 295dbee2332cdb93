import type { Generated } from 'kysely';

/**
 * Every table, as both databases return its rows. Times are milliseconds since 1970, flags are 0 or 1, and columns
 * named `…_json` hold JSON as text: read back exactly as it was given, which PostgreSQL's jsonb would not do.
 */
export interface Tables {
  users: UserRow;
  sessions: SessionRow;
  user_images: UserImageRow;
  teams: TeamRow;
  memberships: MembershipRow;
  invitations: InvitationRow;
  invitation_mails: InvitationMailRow;
  join_links: JoinLinkRow;
  waiting_joins: WaitingJoinRow;
  removed_members: RemovedMemberRow;
  domain_rules: DomainRuleRow;
  people_groups: PeopleGroupRow;
  people_group_users: PeopleGroupUserRow;
  applications: ApplicationRow;
  application_secrets: ApplicationSecretRow;
  application_icons: ApplicationIconRow;
  application_steps: ApplicationStepRow;
  token_failures: TokenFailureRow;
  installations: InstallationRow;
  agreements: AgreementRow;
  oauth_grants: GrantRow;
  oauth_codes: CodeRow;
  access_tokens: AccessTokenRow;
  refresh_tokens: RefreshTokenRow;
  objects: ObjectRow;
  messages: MessageRow;
  message_recipients: RecipientRow;
  message_states: MessageStateRow;
  message_index: MessageIndexRow;
  message_index_queue: { message_id: string; queued_at: Milliseconds };
  message_index_jobs: MessageIndexJobRow;
  reactions: ReactionRow;
  saved_messages: SavedMessageRow;
  pins: PinRow;
  custom_emoji: CustomEmojiRow;
  conversations: ConversationRow;
  conversation_users: ConversationUserRow;
  sidebars: SidebarRow;
  sidebar_users: SidebarUserRow;
  read_marks: ReadMarkRow;
  subjects: SubjectRow;
  subject_cursors: SubjectCursorRow;
  events: EventRow;
  presence: PresenceRow;
  attachments: AttachmentRow;
  message_attachments: MessageAttachmentRow;
  message_versions: MessageVersionRow;
  unfurls: UnfurlRow;
  preview_jobs: PreviewJobRow;
  pictures: PictureRow;
  deliveries: DeliveryRow;
  callback_queues: CallbackQueueRow;
  delivery_attempts: DeliveryAttemptRow;
  interactions: InteractionRow;
  ephemeral_answers: EphemeralAnswerRow;
  forms: FormRow;
  homes: HomeRow;
  scheduled: ScheduledRow;
  command_choices: CommandChoiceRow;
  event_subscriptions: EventSubscriptionRow;
  event_consumers: EventConsumerRow;
  event_copies: EventCopyRow;
  event_cursors: EventCursorRow;
  incoming_webhooks: IncomingWebhookRow;
  mails: MailRow;
  notice_jobs: NoticeJobRow;
  inbox_entries: InboxEntryRow;
  mail_jobs: MailJobRow;
  mail_notifications: MailNotificationRow;
  mail_batches: MailBatchRow;
  mail_streams: MailStreamRow;
  mail_cursors: MailCursorRow;
  push_subscriptions: PushSubscriptionRow;
  pushes: PushRow;
  push_settings: PushSettingsRow;
  mutes: MuteRow;
  blocked_applications: BlockedApplicationRow;
  account_tokens: AccountTokenRow;
  sign_in_pace: PaceRow;
  idempotency_keys: IdempotencyRow;
  server_state: ServerStateRow;
  audit_log: AuditRow;
  erasures: ErasureRow;
  export_leases: ExportLeaseRow;
}

type Flag = number;
type Milliseconds = number;

export interface UserRow {
  id: string;
  username: string;
  username_key: string;
  email_id: string;
  email: string;
  /** The normalised form, which is unique. */
  email_key: string;
  email_verified: Flag;
  password_hash: string;
  first_name: string;
  last_name: string;
  /** First and last name in lower case, by which people are sorted and searched. */
  name_key: string;
  /** The words of names and user name, by which people are searched. */
  search_key: string;
  title: string;
  location: string;
  company: string;
  superuser: Flag;
  active: Flag;
  prefs_json: string;
  /** Version of the uploaded picture; null without one. */
  image_version: string | null;
  /** Others see the user online until then. An open stream of live events keeps renewing it; 0 while they are invisible. */
  online_until: Milliseconds;
  created_at: Milliseconds;
  updated_at: Milliseconds;
  /** When the account was deleted. From then on the row holds nothing personal. */
  deleted_at: Milliseconds | null;
  /** Replies in direct messages were read up to this id when the user marked everything as read. */
  all_read_up_to: string | null;
  /**
   * Set for the author of what an application or an incoming webhook writes as itself: no account. As with a deleted
   * account there is no password and no address, so it is not listed, counted, addressed or mailed.
   */
  is_application: Flag;
  /** Where they are, as Europe/Berlin; null until a client has said so. */
  time_zone: string | null;
  /** What they say of themselves for some time, with its end. */
  status_json: string | null;
  /** The end of the status; null for good. */
  status_until: Milliseconds | null;
  /** Nothing is pushed until then, which others see. */
  do_not_disturb_until: Milliseconds;
  is_invisible: Flag;
}

export interface SessionRow {
  id: string;
  user_id: string;
  token_hash: string;
  user_agent: string;
  address: string;
  created_at: Milliseconds;
  seen_at: Milliseconds;
  expires_at: Milliseconds;
  /** When the password was last entered in this session. */
  confirmed_at: Milliseconds;
}

/** A caller's use of their pace; see src/people/accounts/pace.ts. */
export interface PaceRow {
  key: string;
  arrival_at: Milliseconds;
}

export interface UserImageRow {
  user_id: string;
  variant: string;
  content_type: string;
  /** Base64: pictures are small, squared and re-encoded. */
  content: string;
}

export interface TeamRow {
  id: string;
  name: string;
  color: string;
  icon: string;
  num_members: number;
  active: Flag;
  /** The place of the team's newest message; places are given without gaps in the order of commits. */
  message_seq: number;
  created_at: Milliseconds;
  updated_at: Milliseconds;
  /** Null while it is active. */
  deleted_at: Milliseconds | null;
  /** Set when the erasing of its contents begins: from then on it cannot be restored. */
  erasing: Flag;
  erased_at: Milliseconds | null;
  /** What the team is for, in the words of its admins. */
  description: string;
  /** Everybody on the server finds it and may join. */
  is_open: Flag;
  /** `@team` and the names of groups call people also where a program wrote them. */
  programs_notify: Flag;
  /** Whose messages here get previews of foreign pages. */
  link_previews: 'off' | 'people' | 'all';
}

export interface MembershipRow {
  team_id: string;
  user_id: string;
  membership_type: number;
  is_muted: Flag;
  is_favorite: Flag;
  inviter_id: string | null;
  /** Everything up to this place is read, but for the exceptions in read_marks. */
  read_seq: number;
  /** The team's replies up to this id are read: those from before the member joined, or marked everything as read. */
  all_read_up_to: string | null;
  /** How many messages beyond `read_seq` the member's cursors of subjects cover. */
  subjects_read: number;
  created_at: Milliseconds;
  updated_at: Milliseconds;
}

export interface InvitationRow {
  id: string;
  team_id: string;
  email: string;
  email_key: string;
  token_hash: string;
  membership_type: number;
  inviter_id: string;
  created_at: Milliseconds;
  expires_at: Milliseconds;
  accepted_at: Milliseconds | null;
  /** The account that was invited, by name or by the address of somebody whom the inviter knows; null for an address alone. */
  user_id: string | null;
}

/** A link by which many may join a team, within its limits. */
export interface JoinLinkRow {
  id: string;
  team_id: string;
  /** The admin who made it. It ends with their right to invite. */
  created_by: string;
  token_hash: string;
  membership_type: number;
  /** The domains of the addresses that may use it; empty for all. */
  domains_json: string;
  /** Null without a limit. */
  max_uses: number | null;
  uses: number;
  created_at: Milliseconds;
  expires_at: Milliseconds | null;
}

/** Whoever proves an address in the domain becomes a member of the team. It belongs to the server, not to who made it. */
export interface DomainRuleRow {
  id: string;
  /** In lower case and ASCII. */
  domain: string;
  team_id: string;
  created_at: Milliseconds;
}

/** Somebody who has used a link, and becomes a member once their address is proved. */
export interface WaitingJoinRow {
  team_id: string;
  user_id: string;
  link_id: string;
}

/** Somebody whom an admin has removed, until they are a member again. */
export interface RemovedMemberRow {
  team_id: string;
  user_id: string;
  removed_at: Milliseconds;
}

/** Members of a team who are called together. */
export interface PeopleGroupRow {
  id: string;
  team_id: string;
  name: string;
  /** In lower case. */
  name_key: string;
  created_at: Milliseconds;
  updated_at: Milliseconds;
}

export interface PeopleGroupUserRow {
  group_id: string;
  user_id: string;
  /** Of the group. */
  team_id: string;
}

/** A mail with an invitation, counted for a day. */
export interface InvitationMailRow {
  id: string;
  team_id: string;
  inviter_id: string;
  email_key: string;
  created_at: Milliseconds;
}

/** Why somebody else may act for an application than its teams agreed to. */
export type HandsChange = 'owner_changed' | 'owner_closed' | 'owner_reset';

export interface ApplicationRow {
  /** The client id. */
  id: string;
  owner_id: string;
  name: string;
  description: string;
  icon: string;
  base_url: string;
  preinstall_url: string;
  uninstall_url: string | null;
  team_update_url: string | null;
  redirect_uris_json: string;
  scopes_json: string;
  /** The beginnings of links that it hears of. */
  link_prefixes_json: string;
  /** Its commands, each with the time since when it has had it. */
  commands_json: string;
  /** Its shortcuts, in teams and for messages. */
  shortcuts_json: string;
  /** Whether it shows a page of its own. */
  has_home: Flag;
  listed: Flag;
  active: Flag;
  /** Whether `authorize` requires PKCE; off for an old client without support for it. */
  require_pkce: Flag;
  /** The address to which opening leads, without a code, for an application that starts `authorize` itself. */
  initiate_login_uri: string | null;
  /** How it proves at the token route who it is (RFC 7591 §2); `none` has no secret. */
  token_endpoint_auth_method: string;
  /** The author of what it writes as itself; null until it first did. */
  author_id: string | null;
  /** Since when the operator has it suspended. */
  suspended_at: Milliseconds | null;
  /** Since when it sleeps until its owner takes it over, because others may have its secrets. */
  awaits_owner_since: Milliseconds | null;
  awaits_owner_why: HandsChange | null;
  /** When it last woke, so that what waited meanwhile is not taken for too old. */
  woken_at: Milliseconds;
  created_at: Milliseconds;
  updated_at: Milliseconds;
}

/** A picture that an application has as its icon. */
export interface ApplicationIconRow {
  application_id: string;
  /** The address it is fetched from. */
  source: string;
  /** WebP in base64; null until it is fetched. */
  content: string | null;
  /** Attempts that failed since the last success. */
  num_failures: number;
  /** Null when it is not tried any more. */
  next_fetch_at: Milliseconds | null;
  lease_until: Milliseconds;
}

export interface ApplicationSecretRow {
  id: string;
  application_id: string;
  ciphertext: string;
  created_at: Milliseconds;
  /** Null for the current secret; the end of the overlap for one that was rotated out. */
  expires_at: Milliseconds | null;
}

/** Requests for a token of an application that failed in the same way. */
export interface TokenFailureRow {
  application_id: string;
  grant_type: string;
  reason: string;
  num: number;
  first_at: Milliseconds;
  last_at: Milliseconds;
}

/** The first time that something succeeded with an application. */
export interface ApplicationStepRow {
  application_id: string;
  step:
    | 'callback_answered'
    | 'installed'
    | 'code_exchanged'
    | 'token_used'
    | 'object_made'
    | 'message_posted';
  done_at: Milliseconds;
}

export interface InstallationRow {
  id: string;
  application_id: string;
  team_id: string;
  status: 'pending' | 'active' | 'failed' | 'removed';
  /** Why it failed. */
  reason: string | null;
  scopes_json: string;
  installed_by: string;
  created_at: Milliseconds;
  updated_at: Milliseconds;
  /** A pending installation that outlives this was interrupted, and has failed. */
  pending_until: Milliseconds;
  /** Calls that announced it to the application. */
  num_calls: number;
  /** Scopes that it asks for and an admin has declined. */
  declined_json: string;
  /** What admins decided about its scopes, the oldest first. */
  scope_history_json: string;
  /** Since when it sleeps until an admin of the team agrees to the hands that the application is in. */
  asleep_since: Milliseconds | null;
  woken_at: Milliseconds;
  /** What an admin decided about the links that it hears of. */
  link_prefixes_json: string;
}

/** A person's consent to an application in a team. Recorded before anything that leads to a token. */
export interface AgreementRow {
  id: string;
  user_id: string;
  application_id: string;
  team_id: string;
  /** The content scopes that the person agreed to. */
  scopes_json: string;
  created_at: Milliseconds;
  /** When content scopes were last granted. */
  agreed_at: Milliseconds;
  /** When it last yielded a token. */
  used_at: Milliseconds | null;
}

/** Everything issued for one authorization code: all tokens of a grant end together (RFC 6749 §10.4's "family"). */
export interface GrantRow {
  id: string;
  application_id: string;
  user_id: string;
  team_id: string;
  scopes_json: string;
  created_at: Milliseconds;
  revoked_at: Milliseconds | null;
  /** Of an application itself: when its tokens were last told of in the audit log, and from where. */
  told_at: Milliseconds;
  told_address: string | null;
}

export interface CodeRow {
  code_hash: string;
  application_id: string;
  user_id: string;
  team_id: string;
  redirect_uri: string;
  code_challenge: string | null;
  scopes_json: string;
  created_at: Milliseconds;
  expires_at: Milliseconds;
  used_at: Milliseconds | null;
  grant_id: string | null;
}

export interface AccessTokenRow {
  token_hash: string;
  grant_id: string;
  expires_at: Milliseconds;
}

export interface RefreshTokenRow {
  token_hash: string;
  grant_id: string;
  expires_at: Milliseconds;
  rotated_at: Milliseconds | null;
  /** From which, and from the token itself, its successor is made; null before it is rotated and after its grace. */
  successor_salt: string | null;
}

export interface ObjectRow {
  id: string;
  application_id: string;
  team_id: string;
  type: string;
  name: string;
  url: string;
  created_at: Milliseconds;
  deleted_at: Milliseconds | null;
  /** Messages that were posted before show the name as it is now. */
  renamed_at: Milliseconds | null;
}

export interface MessageRow {
  id: string;
  /** Null for a direct message. */
  team_id: string | null;
  /** The place in the team's stream; null for a direct message. */
  seq: number | null;
  author_id: string;
  /** The application that posted it on the author's behalf. */
  application_id: string | null;
  text: string;
  addressed_users_json: string;
  attachments_json: string;
  mentions_json: string;
  num_replies: number;
  num_high_fives: number;
  created_at: Milliseconds;
  updated_at: Milliseconds;
  /** The message that it answers; null for what opens a conversation. */
  root_id: string | null;
  /** The place among the replies, from 1. */
  reply_seq: number | null;
  sidebar_id: string | null;
  /** The place in the sidebar, from 1. */
  sidebar_seq: number | null;
  /** The message's history: edits or the deletion. The texts before the edits are in `message_versions`. */
  events_json: string;
  deleted_at: Milliseconds | null;
  /** Of a direct message: a hash of its author and addressees, or of team, application and person. Null for all others, and for replies. */
  conversation_id: string | null;
  /** Whether cards of links are looked for. Where an application was uninstalled, there may be none any more. */
  has_unfurls: Flag;
  /** Whether a person has saved it; stays when they remove it again. */
  was_saved: Flag;
  is_pinned: Flag;
  /** When the text was written, and its links. Null where it has none, and in what is left from before 0.1.0. */
  links_json: string | null;
  /** How many people reacted how, as `[["👍", 2]]`, in the order of the first of each. Null where nobody did. */
  reactions_json: string | null;
  /** Of what opens a conversation in a team; its replies have none of their own. */
  subject_id: string | null;
  /** Null where the text has formatting. */
  format: 'plain' | null;
  /** What an application shows in its place, as it was sent. */
  blocks_json: string | null;
  /** Of what a person and an application write to each other, replies too: the team in which it is installed. */
  direct_team_id: string | null;
  direct_application_id: string | null;
}

/** A card of a link in a message. */
export interface UnfurlRow {
  id: string;
  message_id: string;
  /** Null in a direct conversation. */
  team_id: string | null;
  /** Whose card it is; null for ours, of a foreign page. */
  application_id: string | null;
  /** As it stands in the text. */
  url: string;
  /** What it shows; empty once a member removed it. */
  card_json: string;
  /** Set by a member: the link gets no card from there again. */
  removed_at: Milliseconds | null;
  picture_id: string | null;
}

/** A foreign page that a link in a message leads to, to be looked at once. */
export interface PreviewJobRow {
  id: string;
  message_id: string;
  /** The author, whose pages wait for each other. */
  source: string;
  url: string;
  /** What the address leads to: the page of a link, or a picture of a block. */
  kind: 'page' | 'picture';
  /** Whether a program wrote the link. */
  by_program: Flag;
  num_attempts: number;
  /** While it is looked at, when that is to be tried again; null once there was nothing to show. */
  due_at: Milliseconds | null;
  created_at: Milliseconds;
}

/** A picture of foreign origin, encoded again. */
export interface PictureRow {
  id: string;
  /** The message that it is shown with. */
  place_id: string;
  /** `arriving`: its bytes may not be stored yet. `removed`: they are about to be deleted. */
  status: 'arriving' | 'shown' | 'removed';
  file: string;
  size: number;
  width: number;
  height: number;
  /** Of a picture in blocks: where they say it is. */
  source_url: string | null;
  /** Since when it is not shown, or arriving. */
  released_at: Milliseconds;
}

/** All direct messages between the same people. */
export interface ConversationRow {
  id: string;
  /** The newest message or reply. */
  newest_id: string;
}

/** The people do not change: others make another conversation. */
export interface ConversationUserRow {
  user_id: string;
  conversation_id: string;
}

/** A message's text before an edit. */
export interface MessageVersionRow {
  message_id: string;
  /** From 1, in the order of edits; the oldest versions are removed. */
  place: number;
  text: string;
  format: 'plain' | null;
  blocks_json: string | null;
  /** The names that the text calls, in lower case; null where it calls none. */
  names_json: string | null;
  replaced_at: Milliseconds;
}

/** One user's decisions about a message and how far they have read it. Created on first use. */
export interface MessageStateRow {
  user_id: string;
  message_id: string;
  is_muted: Flag;
  /**
   * Set for an own message that the user marked unread. In a team it may have been read since: the cursor decides.
   */
  is_unread: Flag;
  /** The replies up to this place are read. */
  replies_read: number;
  /** The `all_read_up_to` included in `replies_read`; a later one counts as well. */
  read_up_to: string | null;
}

export interface SavedMessageRow {
  user_id: string;
  message_id: string;
  saved_at: Milliseconds;
}

/** A message that a team has pinned, and who did it. */
export interface PinRow {
  team_id: string;
  message_id: string;
  user_id: string;
  pinned_at: Milliseconds;
}

export interface ReactionRow {
  user_id: string;
  message_id: string;
  /** In no skin tone. */
  emoji: string;
  /** In the skin tone that the person chose. */
  given: string;
  created_at: Milliseconds;
}

export interface CustomEmojiRow {
  /** Folded, without colons. */
  name: string;
  /** In the addresses of its pictures. */
  version: string;
  created_by: string;
  created_at: Milliseconds;
  animated: number;
  /** Base64 of WebP: the first frame. */
  still: string;
  /** The same of all frames; null where there is one. */
  moving: string | null;
}

/** A private conversation beside a message. */
export interface SidebarRow {
  id: string;
  message_id: string;
  team_id: string | null;
  created_by: string;
  /** The place of its newest message. */
  message_seq: number;
  created_at: Milliseconds;
}

export interface SidebarUserRow {
  sidebar_id: string;
  user_id: string;
  read_seq: number;
}

/** Joins the full-text index to the messages, in the order in which they were posted. */
export interface MessageIndexRow {
  place: Generated<number>;
  message_id: string;
  /** The message's own. */
  created_at: Milliseconds;
  /** PostgreSQL's `tsvector`; SQLite has a table of its own for the words. */
  words: string;
}

/** An object whose new name the index lacks, or has just got. */
export interface MessageIndexJobRow {
  object_id: string;
  application_id: string;
  /** 1: another pass through the messages that mention it has to begin. */
  is_wanted: number;
  /** Where the pass under way goes on, from the newest messages to older ones; null while there is none. */
  place: number | null;
  /** How many messages the pass goes on to at most. */
  num_left: number;
  due_at: Milliseconds;
  lease_until: Milliseconds;
}

/** One row for each addressee of a direct message; a team message has none. */
export interface RecipientRow {
  user_id: string;
  message_id: string;
  read_at: Milliseconds | null;
}

/** An exception to the read cursors of a member: read beyond all of them, or unread before one. */
export interface ReadMarkRow {
  user_id: string;
  team_id: string;
  message_id: string;
  seq: number;
  is_read: Flag;
}

/** The subjects of a team: messages may name one. */
export interface SubjectRow {
  id: string;
  team_id: string;
  name: string;
  /** The name folded: no two of a team are the same. */
  name_key: string;
  created_by: string;
  created_at: Milliseconds;
  /** Null while it is open. */
  closed_at: Milliseconds | null;
}

/** How far a member has read a subject alone, as a place in the team's stream. */
export interface SubjectCursorRow {
  user_id: string;
  team_id: string;
  subject_id: string;
  read_seq: number;
}

/** An event for open streams and for clients that resume one. */
export interface EventRow {
  /** The order of events; their ids for clients. Read only where it is given. */
  place: number;
  /** One of src/conversation/live/catalogue.ts. */
  kind: string;
  /** `holder` is somebody whose access has ended: an account or an application. */
  audience: 'team' | 'user' | 'connectionsOf' | 'holder';
  audience_id: string;
  data_json: string;
  created_at: Milliseconds;
}

/** One node's word that a user has a stream open there. */
export interface PresenceRow {
  user_id: string;
  node_id: string;
  lease_until: Milliseconds;
}

/** An uploaded file. */
export interface AttachmentRow {
  id: string;
  /** The uploader. */
  user_id: string;
  /** The application that did so on the user's behalf. */
  application_id: string | null;
  /**
   * The row is written before the bytes are stored and deleted after them, so that every file has a row. Only `ready`
   * files are shown.
   */
  status: 'arriving' | 'ready' | 'removed';
  name: string;
  content_type: string;
  size: number;
  /** In pixels, as displayed; null unless it is a picture. */
  width: number | null;
  height: number | null;
  /** Its name in the file store. */
  file: string;
  thumbnail_file: string | null;
  num_messages: number;
  /** When the last message released the file; meaningless while a message holds it. */
  released_at: Milliseconds;
  created_at: Milliseconds;
}

export interface MessageAttachmentRow {
  message_id: string;
  attachment_id: string;
  /** Where the file is listed: the team, or the direct conversation; null beside direct messages. */
  place_id: string | null;
}

/** A call to an application that is due, under way or done; its body without the client secret. */
export interface DeliveryRow {
  id: string;
  application_id: string;
  team_id: string | null;
  kind: 'install' | 'uninstall' | 'team_update' | 'test' | 'events';
  url: string;
  /** Of `events`: their ids alone. What they say is read whenever they are sent. */
  body_json: string;
  /** `replaced`: a later call carries the same news. */
  status: 'pending' | 'delivered' | 'failed' | 'replaced';
  num_attempts: number;
  /** Attempts of the worker that failed; those by hand do not count. */
  num_failures: number;
  /** When the next attempt is due; null when there will be none. */
  next_attempt_at: Milliseconds | null;
  /**
   * An attempt is in progress while this lies ahead. Each lease expires at a distinct time, which identifies its
   * owner.
   */
  lease_until: Milliseconds;
  created_at: Milliseconds;
  updated_at: Milliseconds;
  /** Of `events`: the subscription that asked for them. */
  subscription_id: string | null;
}

/** The state of the calls to one application, shared by all nodes. */
export interface CallbackQueueRow {
  application_id: string;
  /** When the worker last called it: the application that has waited longest comes first. */
  called_at: Milliseconds;
  /** Failures since the last success. */
  num_failures: number;
  failing_since: Milliseconds | null;
  /** Pauses since the last success; each is longer than the one before. */
  num_pauses: number;
  /** The worker does not call it before this time. */
  paused_until: Milliseconds;
}

export interface DeliveryAttemptRow {
  id: string;
  delivery_id: string;
  number: number;
  /** Where it went: the address of the delivery may have changed since. */
  url: string;
  started_at: Milliseconds;
  duration_ms: number;
  request_headers_json: string;
  status: number | null;
  response_headers_json: string | null;
  response_body: string | null;
  reason: string | null;
}

/** A press or a choice in the blocks of a message. What was chosen is in the log alone. */
export interface InteractionRow {
  id: string;
  /** The message, the form or the home; of what was asked for by its name, the team. */
  place_id: string;
  surface: 'message' | 'team' | 'direct' | 'form' | 'home';
  /** Of a form, the message from which it was opened. */
  message_id: string | null;
  /** The form that the application has answered with. */
  form_id: string | null;
  team_id: string;
  application_id: string;
  user_id: string;
  /**
   * A press or choice; a question for the options that fit what somebody types; what was asked for by its name; a form that was
   * submitted or closed; a home that was opened.
   */
  kind: 'action' | 'options' | 'command' | 'shortcut' | 'message_action' | 'form' | 'form_closed' | 'opened';
  /** By which the person's client names it. */
  click: string;
  block_id: string;
  action_id: string;
  value_hash: string;
  status: 'pending' | 'done' | 'failed';
  /** Why it failed. */
  reason: 'not_installed' | 'suspended' | 'unreachable' | 'no_answer' | 'application_failed' | null;
  created_at: Milliseconds;
  /** When the person is told that nobody answered. */
  expires_at: Milliseconds;
  /** When to look whether it has ended; null once it has. */
  due_at: Milliseconds | null;
  /** Of its response address. */
  uses: number;
  /** What the application has offered. */
  options_json: string | null;
}

/** A form that an application has opened for one person. Closed, it is gone. */
export interface FormRow {
  id: string;
  /** The form at the bottom of its stack, and how high it lies in it, from 1. */
  root_id: string;
  level: number;
  user_id: string;
  team_id: string;
  application_id: string;
  /** From which it was opened. */
  message_id: string | null;
  title: string;
  submit: string | null;
  close: string | null;
  /** The application's own, given back to it. */
  callback_id: string | null;
  metadata: string | null;
  notify_on_close: Flag;
  blocks_json: string;
  /** What the application found wrong, by the ids of blocks. */
  errors_json: string | null;
  /** Another one after each change. */
  hash: string;
  /** The interaction that its application has to answer. */
  submission_id: string | null;
  created_at: Milliseconds;
}

/** The page of an application for one person in one team. */
export interface HomeRow {
  id: string;
  installation_id: string;
  application_id: string;
  team_id: string;
  user_id: string;
  blocks_json: string;
  hash: string;
  published_at: Milliseconds;
}

/** A message or a reminder that is sent at a later time. */
export interface ScheduledRow {
  id: string;
  /** Its author. */
  user_id: string;
  kind: 'message' | 'reminder';
  /** The application and the team of the token that scheduled it; null for a session. */
  through: string | null;
  grant_id: string | null;
  /** The conversation in which it is counted. */
  place: string;
  /** The scopes that a token needs to write there, those about a team with its id; empty where it needs none. */
  to_write: string;
  /** Those that it needs to read there. */
  to_read: string;
  /** The wall time, as 2026-12-01T09:00. */
  local_time: string;
  zone: string;
  /** The instant that the wall time meant when it was stored. */
  send_at: Milliseconds;
  /** As it was asked for; null once it is sent. */
  body_json: string | null;
  status: 'pending' | 'sent' | 'failed' | 'late';
  reason: string | null;
  /** The message that it became. */
  message_id: string | null;
  num_failures: number;
  /** Null unless it is pending. */
  due_at: Milliseconds | null;
  settled_at: Milliseconds | null;
  created_at: Milliseconds;
}

/** The application that has a command in a team, by the decision of an admin. */
export interface CommandChoiceRow {
  team_id: string;
  /** Commands with the same look are one: `lookOf` of the name. */
  look: string;
  application_id: string;
  chosen_at: Milliseconds;
}

/** An answer of an application for one person alone, below a message or to a command. */
export interface EphemeralAnswerRow {
  id: string;
  message_id: string | null;
  team_id: string;
  application_id: string;
  user_id: string;
  text: string;
  blocks_json: string | null;
  created_at: Milliseconds;
}

/** The events that an application asks for. */
export interface EventSubscriptionRow {
  id: string;
  application_id: string;
  kinds_json: string;
  /** Null for all teams that have the application. */
  teams_json: string | null;
  mentions_only: Flag;
  object_type: string | null;
  /** Whether it also hears of what its application wrote as itself. */
  own_messages: Flag;
  /** Whether it hears of what is for its application alone: one is made for each application that listens. */
  is_own: Flag;
  /** The place in the log at which it was made. */
  begins_at: number;
  webhook_url: string | null;
  /** The most events in one call. */
  batch: number;
  /** The key that signs calls, encrypted; and the one before, while it is good. */
  key_ciphertext: string | null;
  previous_key_ciphertext: string | null;
  previous_key_until: Milliseconds | null;
  /** Why its webhook is not called; null while it is. */
  ended: 'gone' | 'failed' | 'paused' | null;
  /** Failed calls of the webhook since the last success. */
  num_failures: number;
  failing_since: Milliseconds | null;
  num_pauses: number;
  paused_until: Milliseconds;
  /** When the worker last called it: the one that has waited longest comes first. */
  called_at: Milliseconds;
  created_at: Milliseconds;
  updated_at: Milliseconds;
}

/** A reader of a subscription: its webhook, the replay of a range to the webhook, or a group of the application's own. */
export interface EventConsumerRow {
  id: string;
  subscription_id: string;
  kind: 'webhook' | 'replay' | 'group';
  name: string;
  /** What comes after this place is unread, except where a cursor says more about a team. */
  place: number;
  /** Of a replay: the last place. */
  up_to: number | null;
  /** When somebody last read with it. */
  used_at: Milliseconds;
  created_at: Milliseconds;
}

/** A stream that shares the work of a group. It has the teams that name it, until its lease ends. */
export interface EventCopyRow {
  id: string;
  consumer_id: string;
  lease_until: Milliseconds;
}

/** An address at which other programs post to a team, each under a name and a picture of its own. */
export interface IncomingWebhookRow {
  id: string;
  team_id: string;
  /** Has its name and picture. The author stays when the webhook is withdrawn: its messages do. */
  author_id: string;
  created_by: string;
  /** The SHA-256 of the last part of its address. */
  secret_hash: string;
  /** The key with which calls must be signed, encrypted; null where they need not be. */
  key_ciphertext: string | null;
  created_at: Milliseconds;
  updated_at: Milliseconds;
  /** When it last posted, to about a minute. */
  used_at: Milliseconds | null;
}

/** How far a consumer has read the events of one team. */
export interface EventCursorRow {
  id: string;
  consumer_id: string;
  team_id: string;
  place: number;
  /** Of a group: the stream that is sent the team's events. */
  copy_id: string | null;
  /** Of a webhook: a call is under way while this lies ahead. */
  lease_until: Milliseconds;
  /** No call before this time. */
  due_at: Milliseconds;
  /** Failed attempts of the call that is to be repeated. */
  num_failures: number;
  failing_since: Milliseconds | null;
  /** The last place in that call. */
  sent_to: number | null;
  delivery_id: string | null;
}

/**
 * A mail that is due, was sent or failed; `kept` where there is no mail server to send it; `dropped` where nothing was
 * left to tell.
 */
export interface MailRow {
  id: string;
  /** One of src/conversation/mails/catalogue.ts. */
  kind: string;
  /** The recipient's account; null if they have none. */
  user_id: string | null;
  /** The address of the last attempt; before the first one, that of the recipient when it was queued. */
  recipient: string;
  /** Of the last attempt; empty before the first one, and of mails about messages. */
  subject: string;
  /** The ids of what the mail is about, and the secret in its link, encrypted. */
  body_ciphertext: string;
  /** Stable across attempts, so that a receiver can detect duplicates. */
  message_id: string;
  status: 'pending' | 'sent' | 'failed' | 'kept' | 'dropped';
  /** The mail server's answer to the last failed attempt, or why the mail was dropped. */
  reason: string | null;
  num_attempts: number;
  /** Failed attempts since it was last requested; determines the back-off. */
  num_failures: number;
  /** When the next attempt is due; null when there will be none. */
  next_attempt_at: Milliseconds | null;
  lease_until: Milliseconds;
  created_at: Milliseconds;
  updated_at: Milliseconds;
}

/** A message of which people are told after its transaction, some at a time. */
export interface NoticeJobRow {
  id: string;
  /** It was posted or edited, somebody reacted to it, or it is a note that its author had scheduled. */
  kind: 'message' | 'reaction' | 'edit' | 'reminder';
  message_id: string;
  /** 0: whom it names, addresses or answers. 1: the members who want every message of their team. */
  lane: number;
  /** Who caused it: authors take turns. */
  source: string;
  /** The last person who was dealt with, in the order of ids. */
  cursor: string;
  num_failures: number;
  /** When it is due; null after too many failures. */
  next_attempt_at: Milliseconds | null;
  created_at: Milliseconds;
  /** Of an edit: the names that it brought, and whether a program made it. */
  call_json: string | null;
}

/** A conversation that concerns a user. Whether there is anything new in it follows from how far they have read it. */
export interface InboxEntryRow {
  user_id: string;
  /** The id of the message that opened it, or of the sidebar. */
  conversation_id: string;
  /** The message that opened it; of a sidebar, the one beside which it is. */
  root_id: string;
  sidebar_id: string | null;
  /** The team in which it can be read. */
  team_id: string | null;
  /** The order of entries: the id of the newest message that concerns the user, or one of the time of a high five. */
  place: string;
  /** The newest message that concerns the user. */
  activity_id: string;
  /** Why it does, separated by commas. */
  reasons: string;
  /** The newest message that mentions them. */
  mention_id: string | null;
  /** Whether the message that opened it concerns them, and not only answers to it. */
  root_concerns: Flag;
  /** A message of theirs that was given a high five since they read the conversation. */
  reacted_id: string | null;
  /** 0 where nothing in it can be new: few rows are left to look at. */
  is_open: Flag;
  /** What was new in it when they marked it as done. */
  done_json: string | null;
}

/** A request for a mail, carried out after the transaction that made it. */
export interface MailJobRow {
  id: string;
  kind: 'password_reset';
  /** The address for a password reset, in lower case. It may belong to no account. */
  email_key: string;
  /** Not used. */
  cursor: string;
  num_failures: number;
  /** When it is due; null after too many failures. */
  next_attempt_at: Milliseconds | null;
  created_at: Milliseconds;
}

/** A message to announce to one recipient. The key makes it happen once. */
export interface MailNotificationRow {
  user_id: string;
  message_id: string;
  /** The name of the preference that asks for it. */
  reason: string;
  created_at: Milliseconds;
  /** When it was included in a mail, or left out because it was read; null while it waits. */
  collected_at: Milliseconds | null;
  /** The mail that tells of it. */
  mail_id: string | null;
}

/** A team with messages of which its members are still to be mailed. */
export interface MailStreamRow {
  team_id: string;
  /** The place in the team's stream after which they are. */
  after_seq: number;
  /** Up to where the members are gone through at present; null before that begins. */
  up_to_seq: number | null;
  /** The last member who was looked at, in the order of ids. */
  cursor: string;
  num_failures: number;
  /** When it is due; null after too many failures. */
  due_at: Milliseconds | null;
  created_at: Milliseconds;
}

/** How far a person was told of a team's stream by mail. */
export interface MailCursorRow {
  user_id: string;
  team_id: string;
  told_seq: number;
  /** Whether the messages after it wait for the person's next mail. */
  waits: Flag;
}

/** Users with waiting notifications, and until when they wait. */
export interface MailBatchRow {
  user_id: string;
  due_at: Milliseconds;
}

/** A link that was mailed to an account's address. */
export interface AccountTokenRow {
  token_hash: string;
  kind: 'password_reset' | 'email_verification';
  user_id: string;
  /** The address that it was mailed to: it proves no other. */
  email_key: string;
  created_at: Milliseconds;
  expires_at: Milliseconds;
}

export interface IdempotencyRow {
  /** The caller: keys of different callers do not collide. */
  scope: string;
  key: string;
  request_hash: string;
  /** Encrypted: an answer may hold a secret that is shown once. */
  answer: string;
  expires_at: Milliseconds;
}

export interface ServerStateRow {
  name: string;
  value: string;
}

/** An action that others may need to know about; ids only, no name and no secret. */
export interface AuditRow {
  id: string;
  at: Milliseconds;
  actor_id: string | null;
  actor_kind: 'user' | 'operator' | 'system' | 'application';
  action: string;
  target_kind: string | null;
  target_id: string | null;
  team_id: string | null;
  /** The network address of the actor. */
  address: string | null;
  detail_json: string;
}

/** What is erased or told of a person, a team or an application, batch by batch. */
export interface ErasureRow {
  subject_id: string;
  /**
   * `withdrawal`: a team was deleted, which may be restored, and devices still show what was said in it. `whereabouts`: a
   * person in many teams has changed how they are. `uninstallation`: an application of many teams was deleted.
   * `standing`: such an application sleeps, or does not sleep any more.
   */
  kind: 'person' | 'team' | 'withdrawal' | 'whereabouts' | 'uninstallation' | 'standing';
  step: number;
  /** The step's cursor: the key of the last row processed. */
  place: string;
  due_at: Milliseconds;
  lease_until: Milliseconds;
}

/** Users whose data is being exported. */
export interface ExportLeaseRow {
  user_id: string;
  token: string;
  expires_at: Milliseconds;
}

/** A device that gets notifications while its session lasts. */
export interface PushSubscriptionRow {
  id: string;
  user_id: string;
  session_id: string;
  endpoint_hash: string;
  /** Endpoint and keys, encrypted: to know them is to be able to push. */
  secret_ciphertext: string;
  user_agent: string;
  /** 0 while its push service answers well; 1 before it has, and while it is slow or fails. */
  lane: number;
  /** Failed attempts since the last one that succeeded. */
  num_failures: number;
  failing_since: Milliseconds | null;
  /** No attempt before then. */
  not_before: Milliseconds;
  /** When the push service last took a message. */
  told_at: Milliseconds | null;
  created_at: Milliseconds;
}

/** A notification of one conversation on one device, waiting or shown. */
/** An application that may not write to a person. */
export interface BlockedApplicationRow {
  user_id: string;
  application_id: string;
  created_at: Milliseconds;
}

/** A mute that ends, or that of a direct conversation. */
export interface MuteRow {
  id: string;
  user_id: string;
  kind: string;
  /** The id of the team, of the message that opened the conversation, or of the direct conversation. */
  place_id: string;
  /** Null for a mute without an end. */
  muted_until: Milliseconds | null;
  created_at: Milliseconds;
}

export interface PushRow {
  id: string;
  subscription_id: string;
  user_id: string;
  /** The conversation, as push services and devices know it. */
  topic: string;
  /** The push service does not have the newest message yet. */
  is_new: Flag;
  /** The push service has one: it is withdrawn when the conversation was read. */
  is_shown: Flag;
  /** The newest message; null for an invitation and for a test. */
  message_id: string | null;
  /** The invitation that it tells of, in place of messages. */
  invitation_id: string | null;
  /** Why it concerns the user. */
  reason: string;
  /** How many messages there were since the device was last clear of the conversation. */
  num_messages: number;
  /** The ids of the newest of them, each with a comma after it. */
  message_ids: string;
  /** When the next attempt is due; null when there is nothing to do. */
  next_attempt_at: Milliseconds | null;
  lease_until: Milliseconds;
  created_at: Milliseconds;
}

/** A person's choice of notifications, and of the times for them. */
export interface PushSettingsRow {
  user_id: string;
  settings_json: string;
  /** Whether every message of a team is wanted. */
  wants_team: Flag;
}
