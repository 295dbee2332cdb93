import type { ServerStatus } from '../../../src/stewardship/operations/status.service.ts';

export type { Attachment } from '../../../src/conversation/attachments/attachment.schema.ts';
export type { Offer } from '../../../src/conversation/blocks/offer.ts';
export type {
  Block,
  BlockOf,
  Cell,
} from '../../../src/conversation/blocks/shapes/blocks.ts';
export type { Element, Option } from '../../../src/conversation/blocks/shapes/elements.ts';
export type {
  RichText,
  RichTextPart,
  RichTextPiece,
} from '../../../src/conversation/blocks/shapes/rich-text.ts';
export type { Confirm, TextObject } from '../../../src/conversation/blocks/shapes/text.ts';
export type { CustomEmoji } from '../../../src/conversation/emoji/emoji.schema.ts';
export type { InboxCounts, InboxEntry, InboxFilter } from '../../../src/conversation/inbox/inbox.schema.ts';
export type { SentEvents } from '../../../src/conversation/live/catalogue.ts';
export type { Mail } from '../../../src/conversation/mails/mail.schema.ts';
export type { EphemeralAnswer } from '../../../src/conversation/messages/answers/answer.schema.ts';
export type { DirectConversation } from '../../../src/conversation/messages/direct/conversation.schema.ts';
export type { PostedFile } from '../../../src/conversation/messages/files/file.schema.ts';
export type { ShownForm } from '../../../src/conversation/messages/forms/form.schema.ts';
export type { ShownHome } from '../../../src/conversation/messages/homes/home.schema.ts';
export type { PinnedMessage } from '../../../src/conversation/messages/pins/pin.schema.ts';
export type { SavedMessage } from '../../../src/conversation/messages/saved/saved.schema.ts';
export type { Subject } from '../../../src/conversation/messages/subjects/subject.schema.ts';
export type {
  Message,
  MessageEvent,
  MessageVersion,
  Sidebar,
  Unfurl,
} from '../../../src/conversation/messages/view/message.schema.ts';
export type { Mute } from '../../../src/conversation/mutes/mute.schema.ts';
export type { PushSettings } from '../../../src/conversation/pushes/push.settings.ts';
export type {
  Reminder,
  ScheduledMessage,
  WallTime,
} from '../../../src/conversation/scheduled/scheduled.schema.ts';
/** The shapes of the platform's answers, from the schemas that the server checks its answers with. */
export type {
  Application,
  ListedApplication,
  PublicApplication,
} from '../../../src/integration/applications/application.schema.ts';
export type { Delivery } from '../../../src/integration/callbacks/delivery.schema.ts';
export type { OfferedShortcut, TeamCommand } from '../../../src/integration/commands/command.schema.ts';
export type { IncomingWebhook } from '../../../src/integration/incoming/webhook.schema.ts';
export type {
  Decision as ScopeDecision,
  Installation,
} from '../../../src/integration/installations/installation.schema.ts';
export type { Subscription } from '../../../src/integration/subscriptions/subscription.schema.ts';
export type {
  SessionUser,
  UnreadCounts,
  UserProfile,
  UserSummary,
} from '../../../src/people/users/user.schema.ts';
export type { AuditEntry } from '../../../src/stewardship/audit/audit.schema.ts';
export type { ShownSetting } from '../../../src/stewardship/operations/status.routes.ts';
export type { CalledPeople } from '../../../src/teams/calling.schema.ts';
export type { DomainRule } from '../../../src/teams/domain-rule.schema.ts';
export type { PeopleGroup } from '../../../src/teams/group.schema.ts';
export type { JoinLink, ShownJoinLink } from '../../../src/teams/join-link.schema.ts';
export type {
  Invitation,
  Membership,
  OpenTeam,
  OwnInvitation,
  Team,
} from '../../../src/teams/team.schema.ts';

/** The state of the server, for its administrators. */
export type ServerState = Awaited<ReturnType<ServerStatus['read']>>;

/** `membership_type` of a team's admins. */
export const ADMIN = 1;
export const MEMBER = 2;

/** Whether the server pushes, and the key that it does it with. */
export interface PushKey {
  readonly enabled: boolean;
  readonly public_key: string | null;
}

/** A device that gets notifications. */
export interface PushDevice {
  readonly id: string;
  /** Of this session. */
  readonly current: boolean;
  readonly failing: boolean;
}

/** The server's public description. */
export interface ServerFacts {
  /** The server has no account yet. */
  readonly needs_setup: boolean;
  /** The first account needs the link that the start printed. */
  readonly needs_setup_link: boolean;
  readonly registration: 'open' | 'invite' | 'closed';
  /** People whose address is in some domains sign up without an invitation. */
  readonly domain_sign_up: boolean;
  readonly version: string;
  /** Whether mails are sent or only stored. */
  readonly mail: boolean;
  /** The people who may add emoji. */
  readonly custom_emoji: 'members' | 'admins' | 'off';
  /** Whether the server looks at pages that messages link to. */
  readonly link_previews: boolean;
  /** The people who see profiles: everyone with an account here, or people who share a team. */
  readonly profile_visibility: 'everyone' | 'connections';
  /** Which of a user's teams an application can access: all, or the one from which it was opened. */
  readonly application_posting: 'user' | 'team';
  readonly max_upload_bytes: number;
  readonly max_text_length: number;
  readonly scopes: string[];
}
export type { ShownInvitation } from '../../../src/teams/team.schema.ts';

/** An application that waits for an admin's decision. */
export interface AskingApplication {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly icon: string;
  /** Null for a program on its user's own machine. */
  readonly base_url: string | null;
  /** It hears of links that begin with these. */
  readonly link_prefixes: readonly string[];
  /** Missing when the owner's account was deleted. */
  readonly owner_name?: string;
}

/** A grant: the scopes that the user gave an application on a team (GET /v1/users/me/grants). */
export interface Grant {
  readonly id: string;
  readonly application: Pick<AskingApplication, 'id' | 'name' | 'description' | 'icon' | 'base_url'>;
  readonly team: {
    readonly id: string;
    readonly name: string;
    readonly color: string;
    readonly icon: string;
  };
  readonly scopes: readonly string[];
  readonly created_at: number;
  readonly last_used_at: number | null;
}

/** A team from which an application can be opened. */
export interface ConsentTeam {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  readonly icon: string;
}

/** The consent needed before an application is opened (GET /v1/applications/:application/opening). */
export interface Opening {
  readonly application: AskingApplication;
  readonly redirect_host: string;
  readonly team: ConsentTeam;
  readonly scopes: readonly string[];
  /** Which of them the person agreed to before. */
  readonly agreed: readonly string[];
  /** Whether the person opened it from this team before. */
  readonly opened: boolean;
}

/** The scopes that an application asks its user for (GET /v1/oauth2/consent). */
export interface Consent {
  readonly application: AskingApplication;
  readonly redirect_host: string;
  /** Whether it runs on the person's own machine. */
  readonly native: boolean;
  readonly scopes: readonly string[];
  readonly teams: readonly (ConsentTeam & {
    readonly scopes: readonly string[];
    /** Those to which the person agreed before. */
    readonly agreed: readonly string[];
  })[];
  /** The one that the application named. */
  readonly team: string | null;
}

/** A session of the user (GET /v1/sessions). */
export interface SessionItem {
  readonly id: string;
  readonly current: boolean;
  /** Sensitive acts need no password for now. */
  readonly confirmed: boolean;
  readonly user_agent: string;
  readonly address: string;
  readonly created_at: number;
  readonly seen_at: number;
}
