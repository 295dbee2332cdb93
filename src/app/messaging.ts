import type { FastifyInstance } from 'fastify';
import type { Database, Reader, Tx } from '#platform/db/index.ts';
import { NotFound } from '../api/index.ts';
import {
  Attachment,
  attachmentPresenter,
  attachmentRoutes,
  attachmentService,
} from '../attachments/index.ts';
import { liveEvents, liveRoutes, liveService, type PlacedEvent } from '../live/index.ts';
import {
  changeService,
  findMessages,
  Message,
  type MessageListener,
  type MessageService,
  messagePosting,
  messagePresenter,
  messageRoutes,
  messageService,
  readingService,
  Sidebar,
  searchIndex,
  sidebarRoutes,
  sidebarService,
} from '../messages/index.ts';
import type { UserPresenter } from '../users/index.ts';
import { type AppParts, type Background, seconds } from './parts.ts';

/** What people write, read and upload, and how their clients hear of it at once. */
export function joinMessaging(
  parts: Pick<AppParts, 'config' | 'db' | 'clock' | 'files' | 'spool' | 'baseUrl'>,
  deps: {
    present: UserPresenter;
    /** @returns those among some sessions that have ended */
    endedSessions: (ids: readonly string[]) => Promise<readonly string[]>;
    notify: MessageListener;
    /** An installation as its team sees it. */
    describeInstallation: (id: string) => Promise<unknown>;
    /** Told of what an application's token posted. */
    onPostedBy: (tx: Tx, applicationId: string) => Promise<void>;
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
    maxBytes: config.MAX_UPLOAD_BYTES,
    userQuota: config.UPLOAD_QUOTA_BYTES,
    orphanLifetimeMs: seconds(config.ORPHAN_LIFETIME),
  });
  const letFilesGo: MessageListener = async (tx, change) => {
    if (change.kind === 'changed' && change.message.deleted_at !== null) {
      await attachments.detach(tx, [change.message.id]);
    }
  };
  const tellApplication: MessageListener = async (tx, change) => {
    const by = change.kind === 'posted' ? change.message.application_id : null;
    if (by !== null) await deps.onPostedBy(tx, by);
  };
  const tellClients: MessageListener = (tx, change) => events.onMessageChange(tx, change);
  const maxTextLength = config.MAX_TEXT_LENGTH;
  const index = searchIndex({ db, onError: deps.background.onError });
  const posting = messagePosting({
    clock,
    maxTextLength,
    files: attachments,
    index,
    listeners: [tellClients, deps.notify, letFilesGo, tellApplication],
  });
  const present = messagePresenter({ users: deps.present, attachment: attachments.item });
  const messages = messageService({ db, clock, present, posting, index });
  const changes = changeService({ clock, posting, index, maxTextLength });
  const reading = readingService({ clock, tell: posting.tell });
  const sidebars = sidebarService({ db, clock, present, posting });
  const live = liveService({
    db,
    clock,
    describe: async (event) => {
      const { installation } = event.data;
      if (typeof installation === 'string') {
        return { installation: await deps.describeInstallation(installation) };
      }
      return describeEvent(messages, db, event);
    },
    endedSessions: deps.endedSessions,
    ...deps.background,
  });
  const events = liveEvents(live.emit);

  return {
    onTeamChange: events.onTeamChange,
    onInstallationChange: events.onInstallationChange,
    schemas: [Sidebar, Message, Attachment],
    async routes(server: FastifyInstance) {
      messageRoutes(server, { db, posting, messages, changes, reading });
      sidebarRoutes(server, { posting, messages, sidebars });
      liveRoutes(server, live);
      await server.register(attachmentRoutes, { attachments, files, maxBytes: config.MAX_UPLOAD_BYTES });
    },
    housekeeping: [live.purge, attachments.sweep],
    detachFiles: attachments.detach,
    start: index.wake,
    countStreams: live.countStreams,
    /** Ends the streams of events, which would never end by themselves. */
    stopStreams: live.stop,
    stop: index.stop,
  };
}

const canSeeAny = async (reader: Reader, viewerId: string, messageIds: readonly string[]) =>
  (await findMessages(reader, viewerId, messageIds)).length > 0;

/** What clients get as an event's data: messages are read when they are sent, once for everybody who gets them. */
async function describeEvent(messages: MessageService, db: Database, event: PlacedEvent): Promise<unknown> {
  const { message, author, viewer } = event.data as Record<string, string>;
  if (message === undefined) return event.data;
  if (viewer === undefined) return { message: await messages.getForAll(message, author as string) };
  try {
    return { message: await messages.get(db, viewer, message) };
  } catch (error) {
    if (error instanceof NotFound) return { message: { id: message } };
    throw error;
  }
}
