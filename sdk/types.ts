import type { components, operations } from './interface.ts';

type Schemas = components['schemas'];
type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : never;
type Answer<Id extends keyof operations> = Json<operations[Id]['responses'][200]>;
type Items<Id extends keyof operations> = Answer<Id> extends { data: (infer Item)[] } ? Item : never;
type Body<Id extends keyof operations> = operations[Id] extends { requestBody: infer Given }
  ? Json<Given>
  : never;
type Query<Id extends keyof operations> = operations[Id] extends { parameters: { query?: infer Given } }
  ? NonNullable<Given>
  : never;

/** A user as messages, memberships and connections show them. */
export type UserSummary = Schemas['UserSummary'];
/** A user by id. */
export type UserProfile = Schemas['UserProfile'];
/** All about the user on whose behalf the application acts. */
export type SessionUser = Schemas['SessionUser'];
/** Addresses of a user's picture in its sizes. */
export type Image = UserProfile['image'];
/** A space for messages, with members. */
export type Team = Schemas['Team'];
/** One user in one team. `membership_type` 1 is an admin, 2 a member. */
export type Membership = Schemas['Membership'];
/** A message as one user sees it. */
export type Message = Schemas['Message'];
/** An earlier text of a message. */
export type MessageVersion = Items<'getMessageVersions'>;
/** A person’s reaction to a message. */
export type Reaction = Items<'getMessageReactions'>;
/** A message that a team has pinned, by whom and when. */
export type PinnedMessage = Schemas['PinnedMessage'];
/** A subject of a team, with the number of its messages that the user has not read. */
export type Subject = Schemas['Subject'];
/** An emoji that people added to the server. */
export type CustomEmoji = Schemas['CustomEmoji'];
/** Why the application got no token, in words, and how often. */
export type TokenFailure = Items<'getApplicationTokenFailures'>;
/** A message to post. Requires a text or attachments, and at least one addressee. */
export type NewMessage = Omit<Body<'postMessages'>, 'reply_to'>;
/** An answer to a message. Requires a text or attachments. */
export type NewReply = Body<'postMessageReplies'>;
/** A message for later: with `reply_to` a reply, with `sidebar` a message into a sidebar. */
export type LaterMessage = NewMessage & { readonly reply_to?: string; readonly sidebar?: string };
/** A time as a clock on a wall shows it, such as `2026-12-01T09:00`, and the zone of that wall, such as `Europe/Berlin`. */
export type WallTime = Schemas['WallTime'];
/** A message that waits for its time, was sent in the last week, or could not be sent: `reason` says why. */
export type ScheduledMessage = Schemas['ScheduledMessage'];
/** Its other time, its other content, or that it is sent now; what is left out stays. */
export type ScheduledChange = Omit<Body<'patchUsersMeScheduledMessageByScheduled'>, 'message' | 'send_at'> & {
  readonly message?: LaterMessage;
  readonly send_at?: WallTime | Date;
};
/** What a link to the application leads to. */
export type NewUnfurl = Body<'putMessageUnfurls'>['unfurls'][number];
/** A block of a message. */
export type Block = Schemas['Block'];
/** An element of a block: a button, a choice, an input or a picture. */
export type Element =
  | Schemas['ActionsElement']
  | Schemas['SectionAccessory']
  | Schemas['InputElement']
  | Schemas['ContextActionsElement'];
/** A text without formatting. */
export type PlainText = Schemas['PlainText75'];
/** A text in Slack's formatting. */
export type MrkdwnText = Schemas['Mrkdwn3000'];
export type TextObject = PlainText | MrkdwnText;
/** A piece of a line of a `rich_text` block. */
export type RichTextPiece = Schemas['RichTextPiece'];
/** Which messages, and in which order. `q` searches. */
export type MessageFilter = Omit<Query<'getMessages'>, 'cursor'>;
/** A file of a team, with the message that holds it. */
export type PostedFile = Schemas['PostedFile'];
/** Which files of a team. */
export type FileFilter = Omit<Query<'getTeamFiles'>, 'cursor'>;
/** Which of the members of the user's teams. */
export type ConnectionFilter = Omit<Query<'getUsersMeConnections'>, 'cursor' | 'limit'>;
/** An upload. Messages take it up by its id. */
export type Attachment = Schemas['Attachment'];
/** A thing that lives in the application and that messages can mention. */
export type NewObject = Body<'postApplicationObjects'>;
/** Fields that are left out stay as they are. */
export type ObjectChange = Body<'patchApplicationObject'>;
/** The same as the platform keeps it. */
export type ApplicationObject = Items<'getApplicationObjects'>;
/** Which objects. */
export type ObjectFilter = Omit<Query<'getApplicationObjects'>, 'cursor'>;
/** The answer of the token route (RFC 6749 §5.1). */
export type Tokens = Answer<'postOauth2Token'> & {
  /** There is one whenever a code or a refresh token was sent. */
  refresh_token: string;
};
/** The answer about a token (RFC 7662, section 2.2). */
export type Introspection = Answer<'postOauth2Introspect'>;

/** An event as a stream, a webhook or a page brings it; `type` names its kind. */
export type ParleyEvent = Schemas['HeardEvent'];
/** The kinds of events. */
export type EventKind = ParleyEvent['type'];
/** An event of one kind. */
export type EventOf<K extends EventKind> = Extract<ParleyEvent, { type: K }>;
/** A subscription, as an application asks for it. */
export type Subscription = Schemas['Subscription'];
/** The same, to be made. */
export type NewSubscription = Body<'postApplicationSubscriptions'>;
/** Of which teams and messages. */
export type EventFilter = Pick<NewSubscription, 'teams' | 'mentions_only' | 'object_type'>;
/** Changes to a subscription; the fields that are left out stay. */
export type SubscriptionChange = Body<'patchApplicationSubscription'>;
/** A subscription; with a new webhook also its key. */
export type SubscriptionWithKey = Items<'postApplicationSubscriptions'>;
/** Another key of a webhook. */
export type NewWebhookKey = Items<'postApplicationSubscriptionKey'>;
/** Where a page of events begins, and how long it may wait. */
export type PullQuery = Query<'getApplicationSubscriptionEvents'>;

/** A page of events. */
export interface EventsPage {
  events: ParleyEvent[];
  cursor: string;
  /** There are more now. */
  more: boolean;
  /** Events after the given cursor are not kept any more. */
  missed: boolean;
}

/** A member as callbacks show them. */
export type CallbackUser = UserSummary & { image: Image };

/** The user who installs the application, without private fields. */
export type Installer = Omit<
  SessionUser,
  | 'prefs'
  | 'unread_counts'
  | 'password'
  | 'facebook_id'
  | 'online_info'
  | 'language'
  | 'time_zone'
  | 'link_previews'
> & { email: string; image: Image };

/** Which installation a callback is about. Of two, the one with the higher `sequence` is the later news. */
export interface CallbackInstallation {
  id: string;
  sequence: number;
}

type CallbackTeam = Pick<Team, 'id'> & Partial<Team> & { team_id: string };

/** A team installs the application: answer exactly 200, or it does not. */
export interface InstallCallback {
  type: 'team';
  installer: Installer;
  team: Team & { team_id: string };
  /** All members. */
  users: CallbackUser[];
  installation: CallbackInstallation;
  client_secret: string;
}

/** A team uninstalled the application. Its tokens have ended already. */
export interface UninstallCallback {
  type: 'uninstall';
  /** Only the id for a deleted team. */
  team: CallbackTeam;
  installation: CallbackInstallation;
  client_secret: string;
}

/** A member who joined, left or changed roles. */
export interface MemberChange {
  change: 'member_added' | 'member_removed' | 'role_changed';
  /** Null when the account was deleted. */
  user: CallbackUser | null;
  /** 1 is an admin, 2 a member; null after leaving the team. */
  membership_type: number | null;
}

/** Members of a team that has the application installed joined, left, or changed roles. The newest change comes last. */
export interface TeamUpdateCallback extends MemberChange {
  type: 'team_update';
  team: CallbackTeam;
  changes: MemberChange[];
  /** More members changed than the list holds: read the team's members. */
  incomplete: boolean;
  installation: CallbackInstallation;
  client_secret: string;
}

/** The body of a callback; `type` names its kind. */
export type Callback = InstallCallback | UninstallCallback | TeamUpdateCallback;
