import type { FastifyInstance } from 'fastify';
import type { Viewer } from '#api';
import type { Reader, Tx } from '#platform/db/index.ts';
import { newId, timeOf } from '#platform/ids.ts';
import { startRounds } from '#platform/jobs/index.ts';
import type { Pictures } from '#platform/pictures/index.ts';
import {
  Attachment,
  attachmentPresenter,
  attachmentRoutes,
  attachmentService,
} from '../conversation/attachments/index.ts';
import { blockRoutes, blockSchemas } from '../conversation/blocks/index.ts';
import { CustomEmoji, emojiRoutes, emojiService } from '../conversation/emoji/index.ts';
import {
  InboxEntry,
  inboxListener,
  inboxRoutes,
  inboxService,
  listAnswered,
  type TellInbox,
} from '../conversation/inbox/index.ts';
import { eventDescriber, liveEvents, liveRoutes, liveService } from '../conversation/live/index.ts';
import {
  type ActAs,
  answerRoutes,
  answerService,
  blockRoutesOfPeople,
  changeService,
  commandRoutes,
  commandService,
  conversationRoutes,
  conversationService,
  DirectConversation,
  directApplications,
  ephemeralService,
  type FindObstacle,
  fileRoutes,
  fileService,
  findMessages,
  formRoutes,
  formService,
  homeRoutes,
  homeService,
  type InstalledApplications,
  InteractionSchema,
  interactionRoutes,
  interactionService,
  listBlockPictures,
  listPictures,
  Message,
  type MessageChange,
  type MessageListener,
  messageFinder,
  messagePosting,
  messagePresenter,
  messageReader,
  messageRoutes,
  messageService,
  messageWriter,
  type NamesOfTeam,
  namingOfSubjects,
  newestId,
  type OwnLinks,
  PinnedMessage,
  PostedFile,
  pagePace,
  picturesOf,
  pinRoutes,
  pinService,
  postService,
  questionService,
  quoteRoutes,
  quoteService,
  reactionRoutes,
  reactionService,
  readingRoutes,
  readingService,
  replyService,
  SavedMessage,
  SEARCH_PATIENCE_MS,
  SEARCH_TURN_MS,
  ShownForm,
  ShownHome,
  ShownOffer,
  Sidebar,
  Subject,
  savedRoutes,
  savedService,
  searchIndex,
  sidebarRoutes,
  sidebarService,
  subjectRoutes,
  subjectService,
  typingRoutes,
  typingService,
  Unfurl,
  unfurlRoutes,
  unfurlService,
  versionRoutes,
} from '../conversation/messages/index.ts';
import { forgetMute } from '../conversation/mutes/index.ts';
import { pictureReferences, pictureRoutes, pictureService } from '../conversation/pictures/index.ts';
import { shownIcon } from '../integration/applications/index.ts';
import type { UserPresenter } from '../people/users/index.ts';
import type { Recorder } from '../stewardship/audit/index.ts';
import { type AppParts, type Background, days, seconds } from './parts.ts';

/** Messages, reading, the inbox, uploads, and the live events that announce them. */
export function joinMessaging(
  parts: Pick<
    AppParts,
    'config' | 'db' | 'clock' | 'files' | 'spool' | 'baseUrl' | 'searchPatienceMs' | 'searchTurnMs'
  >,
  deps: {
    present: UserPresenter;
    pictures: Pictures;
    /** @returns when those among these sessions end that are good */
    sessionEnds: (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>;
    publish: MessageListener;
    record: Recorder;
    /** Signs what readers are given and send back. */
    key: Buffer;
    /** An installation as its team sees it. */
    describeInstallation: Parameters<typeof eventDescriber>[0]['installation'];
    ownLinks: OwnLinks;
    /** @throws NotAllowed for an application that does not hear of this team */
    expectHearing: (
      tx: Tx,
      application: string,
      team: string,
      kind?: 'interaction' | 'application.opened',
    ) => Promise<void>;
    expectAwake: Parameters<typeof homeService>[0]['expectAwake'];
    findInstalled: Parameters<typeof homeService>[0]['findInstalled'];
    findObstacle: FindObstacle;
    actAs: ActAs;
    direct: InstalledApplications;
    /** @throws TooManyRequests for an application that begins conversations with many people */
    countConversation: (applicationId: string) => void;
    names: NamesOfTeam;
    publishInteraction: Parameters<typeof interactionService>[0]['publish'];
    stopping: AbortSignal;
    background: Background;
  },
) {
  const { config, db, clock, files, spool, baseUrl } = parts;
  const attachments = attachmentService({
    db,
    clock,
    files,
    spool,
    present: attachmentPresenter(baseUrl),
    canSee: canSeeAny,
    pictures: deps.pictures,
    userQuota: config.UPLOAD_QUOTA_BYTES,
    orphanLifetimeMs: seconds(config.ORPHAN_LIFETIME),
  });
  const read = messageReader(config.MAX_TEXT_LENGTH);
  const index = searchIndex({
    db,
    clock,
    patienceMs: parts.searchPatienceMs ?? SEARCH_PATIENCE_MS,
    stopping: deps.stopping,
    ...deps.background,
  });
  const { publish } = deps;
  const posting = messagePosting({ clock, files: attachments, publish });
  const shown = pictureService({
    ...{ db, clock, files, spool, baseUrl },
    references: pictureReferences(deps.key),
    canSee: { message: (reader, viewer, id) => canSeeAny(reader, viewer, [id]) },
  });
  const presenters = {
    users: deps.present,
    picture: (id: string, pictureId: string) => shown.address({ kind: 'message', id }, pictureId),
    attachment: attachments.item,
    icon: (application: { id: string; icon: string }) => shownIcon(application, baseUrl()),
  };
  const present = messagePresenter(presenters);
  const pace = pagePace();
  const writeMessages = messageWriter(presenters, baseUrl, pace);
  const finder = messageFinder(present);
  const naming = namingOfSubjects({ clock, publish });
  const direct = directApplications({ installed: deps.direct, countBegun: deps.countConversation });
  const posts = postService({ clock, present, finder, posting, subjects: naming, direct });
  const replies = replyService({ finder, posting, direct });
  const messages = messageService({
    db,
    clock,
    present,
    writeMessages,
    finder,
    index,
    pace,
    searchTurnMs: parts.searchTurnMs ?? SEARCH_TURN_MS,
    stopping: deps.stopping,
  });
  const changes = changeService({
    ...{ clock, posting, direct, files: attachments },
    subjects: naming,
    maxText: config.MAX_TEXT_LENGTH,
  });
  const emoji = emojiService({ db, clock, baseUrl, record: deps.record, whoAdds: config.CUSTOM_EMOJI });
  const reactions = reactionService({ clock, publish, isCustom: emoji.exists });
  const unfurls = unfurlService({ clock, publish, ownLinks: deps.ownLinks, direct });
  const reading = readingService({ clock, key: deps.key, publish, forgetEnd: forgetMute });
  const subjects = subjectService({
    ...{ db, clock, publish, record: deps.record },
    readSubject: reading.readSubject,
  });
  const conversations = conversationService({
    ...{ db, clock, present, users: deps.present, publish, direct },
    icon: presenters.icon,
    listAnswered: listAnswered.all,
  });
  const sidebars = sidebarService({ db, clock, writeMessages, posting, pace });
  const live = liveService({
    db,
    clock,
    describe: eventDescriber({
      db,
      messages,
      finder,
      sidebars,
      users: deps.present,
      installation: deps.describeInstallation,
    }),
    sessionEnds: deps.sessionEnds,
    keptMs: days(config.EVENTS_KEPT),
    ...deps.background,
  });

  const acting = {
    clock,
    expiryMs: seconds(config.INTERACTION_EXPIRY),
    publish: deps.publishInteraction,
    expectHearing: deps.expectHearing,
  };
  const forms = formService({
    ...{ ...acting, db, icon: presenters.icon },
    tell: (tx, user, data) => live.emit(tx, { kind: 'form', audience: { user }, data }),
  });
  const interactions = interactionService({
    ...{ ...acting, db },
    settleForms: forms.settle,
    tell: (tx, user, data) => live.emit(tx, { kind: 'interaction', audience: { user }, data }),
    findObstacle: deps.findObstacle,
  });
  const homes = homeService({
    ...{ ...acting, db, icon: presenters.icon },
    tell: (tx, user, data) => live.emit(tx, { kind: 'home', audience: { user }, data }),
    findInstalled: deps.findInstalled,
    expectAwake: deps.expectAwake,
    expectHearing: (tx, application, team) => deps.expectHearing(tx, application, team, 'application.opened'),
    end: interactions.end,
  });
  const questions = questionService(acting);
  const commands = commandService({ ...acting, names: deps.names, direct });
  const ephemeral = ephemeralService({
    ...{ db, clock, pace },
    icon: presenters.icon,
    tell: (tx, user, team) =>
      live.emit(tx, { kind: 'ephemeral_answers', audience: { user }, data: { team } }),
  });
  const answers = answerService({
    ...{ db, clock, baseUrl, read, posts, changes, replies, interactions, forms, ephemeral, direct },
    key: deps.key,
    actAs: deps.actAs,
  });
  const typing = typingService({ db, sidebars, tell: live.tellTyping });
  const { intervalMs, onError } = deps.background;
  const clickWorker = startRounds({ work: interactions.work, intervalMs, onError });

  const tellInbox: TellInbox = (tx, user, conversation) =>
    live.emit(tx, { kind: 'inbox', audience: { user }, data: { conversation } });
  const inbox = inboxService({ db, reading, present, users: deps.present, tell: tellInbox });

  const newest = async () => (await newestId.first(db, {}))?.id;

  return {
    /** New ids sort after those in the database, even if the clock was set back. */
    async prepare(): Promise<void> {
      newId(await newest());
    },
    /** When the newest message was written, in milliseconds. */
    newestAt: async () => timeOf((await newest()) ?? '0'),
    live: liveEvents(live),
    inbox: inboxListener({ tell: tellInbox }),
    findNews: inbox.news,
    findReaction: inbox.findReaction,
    reading,
    /** Tells the windows of a user that a place is muted, or not any more. */
    tellMute: (tx: Tx, user: string, data: { kind: string; id: string }) =>
      live.emit(tx, { kind: 'mute', audience: { user }, data }),
    /** Tells the windows of a user what became of a scheduled message or reminder. */
    tellScheduled: (
      tx: Tx,
      user: string,
      { id, kind, status }: { id: string; kind: string; status: string },
    ) => live.emit(tx, { kind: 'scheduled', audience: { user }, data: { id, kind, status } }),
    /** Tells the windows of a user that they are invited to a team, or not any more. */
    tellInvitation: (tx: Tx, user: string, team: string) =>
      live.emit(tx, { kind: 'invitation', audience: { user }, data: { team } }),
    attachments,
    index,
    read,
    posts,
    replies,
    sidebars,
    finder,
    unfurls,
    interactions,
    forms,
    homes,
    ephemeral,
    answers,
    responseUrl: answers.url,
    authenticateResponse: answers.authenticate,
    /** Ends clicks that nobody answers. */
    clickWorker,
    schemas: [
      Sidebar,
      Unfurl,
      Subject,
      Message,
      InteractionSchema,
      ShownOffer,
      ShownForm,
      ShownHome,
      InboxEntry,
      Attachment,
      PostedFile,
      SavedMessage,
      PinnedMessage,
      DirectConversation,
      CustomEmoji,
      ...blockSchemas,
    ],
    shown,
    /** Pictures go with the cards and blocks that show them. */
    async onCardsChange(tx: Tx, { message }: Extract<MessageChange, { kind: 'edited' | 'unfurled' }>) {
      const cards = await listPictures.all(tx, { messageId: message.id });
      const inBlocks = new Set(picturesOf(message));
      const ofBlocks = await listBlockPictures.all(tx, { ids: [message.id] });
      const kept = [
        ...cards.map(({ picture_id }) => picture_id),
        ...ofBlocks.filter(({ source_url }) => inBlocks.has(source_url)).map(({ id }) => id),
      ];
      await shown.keepOnly(tx, message.id, new Set(kept));
    },
    async routes(server: FastifyInstance) {
      blockRoutes(server);
      messageRoutes(server, { db, read, posts, replies, messages, changes, finder });
      conversationRoutes(server, conversations);
      blockRoutesOfPeople(server, {
        ...{ db, clock },
        icon: presenters.icon,
        tell: (tx, user, id) =>
          live.emit(tx, { kind: 'mute', audience: { user }, data: { kind: 'application', id } }),
      });
      readingRoutes(server, { reading, finder });
      subjectRoutes(server, subjects);
      versionRoutes(server, db, pace);
      fileRoutes(server, fileService({ db, presenters, urls: attachments.urls, pace }));
      quoteRoutes(server, quoteService({ db, clock, writeMessages, pace }));
      savedRoutes(server, { finder, saved: savedService({ db, clock, present, publish, pace }) });
      pinRoutes(server, {
        finder,
        pins: pinService({ db, clock, present, users: deps.present, publish, pace }),
      });
      reactionRoutes(server, { db, present: deps.present, finder, reactions });
      unfurlRoutes(server, { unfurls, finder });
      interactionRoutes(server, { interactions, questions });
      formRoutes(server, { forms, interactions, questions });
      homeRoutes(server, { homes, interactions, questions });
      commandRoutes(server, { commands, interactions });
      answerRoutes(server, { answers, ephemeral });
      pictureRoutes(server, { pictures: shown, files });
      inboxRoutes(server, inbox);
      sidebarRoutes(server, { db, read, finder, sidebars });
      liveRoutes(server, live);
      typingRoutes(server, typing);
      await server.register(emojiRoutes, { emoji, pictures: deps.pictures, spool });
      await server.register(attachmentRoutes, {
        ...{ attachments, files, spool },
        maxBytes: config.MAX_UPLOAD_BYTES,
      });
    },
    housekeeping: [
      live.purge,
      attachments.sweep,
      shown.sweep,
      ...interactions.housekeeping,
      ...forms.housekeeping,
      ...homes.housekeeping,
      ...ephemeral.housekeeping,
    ],
    async detachFiles(tx: Tx, messageIds: readonly string[]) {
      await attachments.detach(tx, messageIds);
      await shown.releaseAll(tx, messageIds);
    },
    countStreams: live.countStreams,
    /** Open-ended answers, which a stop must close. */
    streams: live,
    onPlaced: live.onPlaced,
    presentAttachment: attachments.item,
    stop: index.stop,
  };
}

const canSeeAny = async (reader: Reader, viewer: Viewer, messageIds: readonly string[]) =>
  (await findMessages(reader, viewer, messageIds)).length > 0;
