import type { Tx } from '#platform/db/index.ts';
import type { InboxListener } from '../conversation/inbox/index.ts';
import type { LiveEvents } from '../conversation/live/index.ts';
import type { NotificationService } from '../conversation/mails/index.ts';
import type {
  EphemeralService,
  HomeService,
  Interaction,
  InteractionService,
  MessageChange,
  MessageListener,
  SearchIndex,
} from '../conversation/messages/index.ts';
import type { NoticeListener, NoticeService } from '../conversation/notices/index.ts';
import type { PreviewService } from '../conversation/previews/index.ts';
import type { PushService } from '../conversation/pushes/index.ts';
import type { ApplicationFact, ApplicationListener } from '../integration/applications/index.ts';
import type { IconService } from '../integration/icons/index.ts';
import type { AuthorListener } from '../integration/incoming/index.ts';
import type { InstallationListener, InstallationService } from '../integration/installations/index.ts';
import type { ObjectFact } from '../objects/index.ts';
import type { TellSessionsEnded } from '../people/accounts/index.ts';
import type { UserListener, WhereaboutsListener } from '../people/users/index.ts';
import type { TeamChange, TeamListener } from '../teams/index.ts';

/** The variant of a change that has this kind, alone or with others. */
type Of<Change extends { kind: string }, Kind> = Change extends unknown
  ? Kind extends Change['kind']
    ? Change & { readonly kind: Kind }
    : never
  : never;

/** For each kind of change, the reactions to it, in their order. */
type ReactionsTo<Change extends { kind: string }> = {
  readonly [Kind in Change['kind']]: readonly ((tx: Tx, change: Of<Change, Kind>) => Promise<void>)[];
};

export interface Consequences {
  readonly message: ReactionsTo<MessageChange>;
  /** Whom messages concern, once that is known. */
  readonly noticed: readonly NoticeListener[];
  readonly team: ReactionsTo<TeamChange>;
  readonly application: ReactionsTo<ApplicationFact>;
  readonly installation: readonly InstallationListener[];
  readonly interaction: readonly ((tx: Tx, interaction: Interaction) => Promise<void>)[];
  readonly object: ReactionsTo<ObjectFact>;
  readonly user: readonly UserListener[];
  readonly whereabouts: readonly WhereaboutsListener[];
  /** Some of a user's, or all. */
  readonly sessionsEnded: readonly TellSessionsEnded[];
  /** Of incoming webhooks. */
  readonly author: readonly AuthorListener[];
}

/** Lists the reactions to each fact. They run in the transaction of the fact. */
export function consequences(of: {
  index: SearchIndex;
  live: LiveEvents;
  notices: NoticeService;
  inbox: InboxListener;
  mails: NotificationService;
  mailsNoticed: NoticeListener;
  mailStreams: { onPosted: MessageListener };
  pushes: PushService;
  pushNoticed: NoticeListener;
  /** Releases the files of messages, and the pictures of their cards. */
  detachFiles: (tx: Tx, messageIds: readonly string[]) => Promise<void>;
  previews: PreviewService;
  onCardsChange: (tx: Tx, change: Extract<MessageChange, { kind: 'edited' | 'unfurled' }>) => Promise<void>;
  tokens: {
    onTeamChange: TeamListener;
    onCredentialsEnd: ApplicationListener;
    onApplicationChange: ApplicationListener;
  };
  installations: InstallationService;
  callbacks: { onWake: (tx: Tx) => Promise<void> };
  subscriptions: {
    onApplicationDelete: ApplicationListener;
    onStandingChange: ApplicationListener;
  };
  icons: IconService;
  unfurls: { onInstallationChange: InstallationListener; onLinksChange: ApplicationListener };
  interactions: InteractionService;
  forms: { onInstallationChange: InstallationListener };
  homes: HomeService;
  ephemeral: EphemeralService;
  commands: { onInstallationChange: InstallationListener };
  answers: { onCredentialsEnd: ApplicationListener };
  /** Withdraws what devices show of a deleted team. */
  withdrawTeam: (tx: Tx, teamId: string) => Promise<void>;
  /** Tells the applications of a person's teams how they are. */
  tellWhereabouts: (tx: Tx, userId: string) => Promise<void>;
  /** Notes the progress of the application that posted. */
  onPosted: (tx: Tx, applicationId: string) => Promise<void>;
}): Consequences {
  const {
    index,
    live,
    notices,
    inbox,
    mails,
    mailsNoticed,
    mailStreams,
    pushes,
    pushNoticed,
    detachFiles,
    previews,
    onCardsChange,
    tokens,
    installations,
    callbacks,
    subscriptions,
    icons,
    unfurls,
    interactions,
    forms,
    homes,
    ephemeral,
    commands,
    answers,
    withdrawTeam,
    tellWhereabouts,
    onPosted,
  } = of;
  // An installation is locked before the agreements to it, here and where somebody opens the application.
  const ofMembers = [
    installations.onTeamChange,
    tokens.onTeamChange,
    live.onTeamChange,
    mails.onTeamChange,
    pushes.onTeamChange,
  ] as const;
  // Programs hear nothing of who is invisible.
  const tellPrograms: WhereaboutsListener = async (tx, userId, { kind }) => {
    if (kind === 'status') await tellWhereabouts(tx, userId);
  };
  const lookAtClicks: ApplicationListener = (tx, { application }) => interactions.hurry(tx, application.id);
  const endStreams: ApplicationListener = (tx, { application }) => live.onAccessEnd(tx, application.id);
  return {
    message: {
      posted: [
        index.onPosted,
        live.onMessageChange,
        notices.onMessageChange,
        mailStreams.onPosted,
        previews.onPosted,
        async (tx, { message }) => {
          if (message.application_id !== null) await onPosted(tx, message.application_id);
        },
      ],
      edited: [
        index.onEdited,
        live.onMessageChange,
        notices.onMessageChange,
        previews.onEdited,
        interactions.onEdited,
        async (tx, change) => {
          if (change.message.has_unfurls === 1) await onCardsChange(tx, change);
        },
      ],
      deleted: [
        index.onDeleted,
        live.onMessageChange,
        (tx, { message }) => detachFiles(tx, [message.id]),
        (tx, { message }) => previews.forget(tx, [message.id]),
        pushes.onMessageChange,
        interactions.onDeleted,
        ephemeral.onDeleted,
      ],
      counted: [live.onMessageChange, pushes.onMessageChange],
      unfurled: [live.onMessageChange, onCardsChange],
      moved: [index.onMoved, live.onMessageChange],
      subject: [live.onMessageChange],
      pinned: [live.onMessageChange],
      reacted: [notices.onMessageChange],
      state: [live.onMessageChange, inbox.onState, pushes.onMessageChange],
      team_read: [live.onMessageChange, inbox.onTeamRead, pushes.onMessageChange],
      team_unread: [live.onMessageChange, inbox.onTeamUnread],
      all_read: [live.onMessageChange, inbox.onAllRead, pushes.onMessageChange],
      sidebar: [live.onMessageChange],
    },
    // Mails come first: a push then takes its message out of them.
    noticed: [mailsNoticed, inbox.noticed, pushNoticed],
    team: {
      member_added: ofMembers,
      member_removed: [...ofMembers, homes.onMemberRemoved],
      role_changed: ofMembers,
      changed: [live.onTeamChange],
      deleted: [installations.onTeamChange, live.onTeamChange, (tx, { teamId }) => withdrawTeam(tx, teamId)],
      restored: [live.onTeamChange],
    },
    application: {
      icon_changed: [icons.onIconChange],
      links_changed: [unfurls.onLinksChange],
      credentials_ended: [tokens.onCredentialsEnd, answers.onCredentialsEnd, endStreams],
      method_changed: [tokens.onApplicationChange, endStreams],
      deleted: [
        subscriptions.onApplicationDelete,
        installations.onApplicationDelete,
        tokens.onApplicationChange,
        endStreams,
      ],
      changed_hands: [
        installations.onHandsChange,
        tokens.onApplicationChange,
        subscriptions.onStandingChange,
        endStreams,
        // As an answer does, after the installations.
        answers.onCredentialsEnd,
        lookAtClicks,
      ],
      suspended: [installations.onStandingChange, subscriptions.onStandingChange, endStreams, lookAtClicks],
      woken: [installations.onStandingChange, callbacks.onWake, subscriptions.onStandingChange],
    },
    installation: [
      unfurls.onInstallationChange,
      live.onInstallationChange,
      // Clicks are locked before forms.
      interactions.onInstallationChange,
      forms.onInstallationChange,
      ephemeral.onInstallationChange,
      commands.onInstallationChange,
    ],
    interaction: [live.onInteraction],
    object: {
      opened: [live.onObjectOpen],
      changed: [live.onObjectChange],
      renamed: [index.onObjectRename],
      deleted: [live.onObjectChange],
    },
    user: [live.onUserChange],
    whereabouts: [live.onWhereabouts, tellPrograms],
    sessionsEnded: [live.onAccessEnd],
    author: [live.onAuthorChange],
  };
}

/**
 * Lets the domains publish facts. It exists before the domains that react; they join once all are made, so no fact may
 * be published before.
 */
export function publisher() {
  let joined: Consequences | undefined;
  const known = (): Consequences => {
    if (!joined) throw new Error('a fact was published before its consequences were joined');
    return joined;
  };
  return {
    join(given: Consequences): void {
      joined = given;
    },
    message: (tx: Tx, change: MessageChange) => reactTo(known().message, tx, change),
    noticed: () => known().noticed,
    team: (tx: Tx, change: TeamChange) => reactTo(known().team, tx, change),
    application: (tx: Tx, fact: ApplicationFact) => reactTo(known().application, tx, fact),
    installation: async (...fact: Parameters<InstallationListener>): Promise<void> => {
      for (const react of known().installation) await react(...fact);
    },
    interaction: async (tx: Tx, interaction: Interaction): Promise<void> => {
      for (const react of known().interaction) await react(tx, interaction);
    },
    object: (tx: Tx, fact: ObjectFact) => reactTo(known().object, tx, fact),
    user: async (...fact: Parameters<UserListener>): Promise<void> => {
      for (const react of known().user) await react(...fact);
    },
    whereabouts: async (...fact: Parameters<WhereaboutsListener>): Promise<void> => {
      for (const react of known().whereabouts) await react(...fact);
    },
    sessionsEnded: async (...fact: Parameters<TellSessionsEnded>): Promise<void> => {
      for (const react of known().sessionsEnded) await react(...fact);
    },
    author: async (...fact: Parameters<AuthorListener>): Promise<void> => {
      for (const react of known().author) await react(...fact);
    },
  };
}

async function reactTo<Change extends { kind: string }>(
  reactions: ReactionsTo<Change>,
  tx: Tx,
  change: Change,
): Promise<void> {
  for (const react of reactions[change.kind as Change['kind']]) {
    await react(tx, change as Of<Change, Change['kind']>);
  }
}
