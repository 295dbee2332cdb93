export { answerRoutes } from './answers/answer.routes.ts';
export { type ActAs, answerService, GOOD_FOR_MS, MOST_USES } from './answers/answer.service.ts';
export { type EphemeralService, ephemeralService, KEPT_MS, MOST_BELOW } from './answers/ephemeral.service.ts';
export { commandRoutes } from './commands/command.routes.ts';
export { commandService, type NamesOfTeam } from './commands/command.service.ts';
export {
  type DirectApplications,
  directApplications,
  type InstalledApplications,
} from './direct/application.service.ts';
export { forgetBlocks } from './direct/application.store.ts';
export { blocksPart } from './direct/block.export.ts';
export { blockRoutesOfPeople } from './direct/block.routes.ts';
export { conversationRoutes } from './direct/conversation.routes.ts';
export { DirectConversation } from './direct/conversation.schema.ts';
export { conversationService } from './direct/conversation.service.ts';
export { findConversation } from './direct/conversation.store.ts';
export { type ForgetMessages, messageEraser } from './erasing/erase-messages.ts';
export {
  deleteMarks,
  forgetAnswers,
  forgetClicks,
  forgetForms,
  forgetHomes,
  forgetSaved,
  forgetStates,
} from './erasing/erasing.store.ts';
export { notesStep, teamMessagesSteps } from './erasing/message.steps.ts';
export { fileRoutes } from './files/file.routes.ts';
export { PostedFile } from './files/file.schema.ts';
export { fileService, MOST_LOOKED_AT } from './files/file.service.ts';
export { formRoutes } from './forms/form.routes.ts';
export { LONGEST_TITLE, MOST_LEVELS, ShownForm } from './forms/form.schema.ts';
export {
  type FormService,
  formService,
  MOST_STACKS,
  OPEN_FOR_MS,
  OPENS_WITHIN_MS,
} from './forms/form.service.ts';
export { homeRoutes } from './homes/home.routes.ts';
export { ShownHome } from './homes/home.schema.ts';
export { type HomeService, homeService } from './homes/home.service.ts';
export { interactionRoutes } from './interactions/interaction.routes.ts';
export { ShownInteraction as InteractionSchema, ShownOffer } from './interactions/interaction.schema.ts';
export {
  type FindObstacle,
  type InteractionService,
  interactionService,
} from './interactions/interaction.service.ts';
export { OFFERED_FOR_MS, OPTIONS_WITHIN_MS, questionService } from './interactions/question.service.ts';
export type { Interaction, ShownInteraction } from './interactions/surface.ts';
export { pinsPart } from './pins/pin.export.ts';
export { pinRoutes } from './pins/pin.routes.ts';
export { PinnedMessage } from './pins/pin.schema.ts';
export { MOST_PINS, pinService } from './pins/pin.service.ts';
export { changeService, MOST_VERSIONS } from './posting/change.service.ts';
export { messagesPart } from './posting/message.export.ts';
export { messageRoutes } from './posting/message.routes.ts';
export { type MessageService, messageService } from './posting/message.service.ts';
export { type MessageReader, messageReader } from './posting/message-input.ts';
export { type PostService, postService } from './posting/post.service.ts';
export { messagePosting } from './posting/posting.ts';
export { type ReplyService, replyService } from './posting/reply.service.ts';
export { quoteRoutes } from './quotes/quote.routes.ts';
export { MOST_QUOTED, quoteService } from './quotes/quote.service.ts';
export { reactionsPart } from './reactions/reaction.export.ts';
export { reactionRoutes } from './reactions/reaction.routes.ts';
export { MOST_KINDS, reactionService } from './reactions/reaction.service.ts';
export { listGivers } from './reactions/reaction.store.ts';
export { readingRoutes } from './reading/reading.routes.ts';
export { type ReadingService, readingService, unreadCounts } from './reading/reading.service.ts';
export { newestId } from './reading/reading.store.ts';
export { statesPart } from './reading/state.export.ts';
export { deleteSubjectCursors } from './reading/subject-cursor.store.ts';
export { savedPart } from './saved/saved.export.ts';
export { savedRoutes } from './saved/saved.routes.ts';
export { SavedMessage } from './saved/saved.schema.ts';
export { MOST_SAVED, savedService } from './saved/saved.service.ts';
export { MOST_REINDEXED, PASS_EVERY_MS, REINDEXED_AT_ONCE } from './search/reindexing.service.ts';
export { SEARCH_TURN_MS } from './search/search.queue.ts';
export {
  INDEX_EVERY_MS,
  SEARCH_PATIENCE_MS,
  type SearchIndex,
  searchIndex,
} from './search/search.service.ts';
export { MOST_TERMS } from './search/search-words.ts';
export { sidebarRoutes } from './sidebars/sidebar.routes.ts';
export { MOST_BEGUN, type SidebarService, sidebarService } from './sidebars/sidebar.service.ts';
export { namingOfSubjects } from './subjects/naming.ts';
export { subjectsPart } from './subjects/subject.export.ts';
export { subjectRoutes } from './subjects/subject.routes.ts';
export { MAX_SUBJECT, MOST_OPEN_OF_MEMBER, MOST_OPEN_SUBJECTS, Subject } from './subjects/subject.schema.ts';
export { subjectService } from './subjects/subject.service.ts';
export { deleteSubjects, findSubject } from './subjects/subject.store.ts';
export { readSubject } from './subjects/subject-name.ts';
export { typingRoutes } from './typing/typing.routes.ts';
export { type Hearers, MOST_TOLD, type Typing, typingService } from './typing/typing.service.ts';
export { unfurlRoutes } from './unfurls/unfurl.routes.ts';
export { type OwnLinks, type UnfurlService, unfurlService } from './unfurls/unfurl.service.ts';
export { listLinks, listOfLink, listPictures } from './unfurls/unfurl.store.ts';
export { versionRoutes } from './versions/version.routes.ts';
export {
  findAtVersions,
  type MessageAt,
  namesOfVersions,
  type VersionOf,
} from './versions/version.service.ts';
export { MOST_PEOPLE } from './view/conversation-id.ts';
export { receiversOf } from './view/message.audience.ts';
export { type MessageFinder, messageFinder } from './view/message.finder.ts';
export { linksOf } from './view/message.links.ts';
export type { MessageChange, MessageListener, SubjectStep } from './view/message.listener.ts';
export { type MessagePresenter, mentionedName, messagePresenter } from './view/message.present.ts';
export {
  MAX_ADDRESSEES,
  MAX_ATTACHMENTS,
  MAX_SIDEBAR_USERS,
  MAX_UNFURLS,
  Message,
  type NewMessage,
  Sidebar,
  Unfurl,
} from './view/message.schema.ts';
export { messageWriter } from './view/message.writer.ts';
export { joinStreamRead, leftJoinOne } from './view/own-rows.ts';
export { pagePace } from './view/page-pace.ts';
export { listBlockPictures, picturesOf } from './view/picture.view.ts';
export { type Counts, countsOf, HIGH_FIVE } from './view/reaction-counts.ts';
export {
  fromUnreadInSidebar,
  fromUnreadReplies,
  isReadBy,
  isReadInStream,
} from './view/read-state.ts';
export type { PageCard } from './view/unfurl.view.ts';
export { findMessages, joinViewer, type MessageView, visibleTo } from './view/view.store.ts';
