import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { Cipher } from '#platform/crypto/index.ts';
import { assertMigrated, type Database, type Reader } from '#platform/db/index.ts';
import type { FileStore, Spool } from '#platform/files/index.ts';
import type { Clock } from '#platform/ids.ts';
import { type Rounds, startRounds } from '#platform/jobs/index.ts';
import type { MailTransport } from '#platform/mail/index.ts';
import type { Outbound } from '#platform/outbound/index.ts';
import {
  accountAdministrationRoutes,
  accountRoutes,
  accountService,
  attemptCounter,
  closingRoutes,
  deleteEveryToken,
  deletionService,
  purgeAccountTokens,
  purgeSessions,
  recoveryRoutes,
  recoveryService,
  refusedSignIns,
  sessionService,
  standingService,
} from './accounts/index.ts';
import {
  createServer,
  documentRoutes,
  idempotency,
  NotFound,
  purgeIdempotencyKeys,
  RateLimiter,
  SharedRateLimiter,
} from './api/index.ts';
import {
  Application,
  applicationRoutes,
  applicationService,
  credentialChecker,
  ownsAny,
  PublicApplication,
} from './applications/index.ts';
import {
  Attachment,
  attachmentPresenter,
  attachmentRoutes,
  attachmentService,
  markRemovedOf,
} from './attachments/index.ts';
import {
  AuditEntry,
  auditRecorder,
  auditRoutes,
  auditService,
  forgetAddresses,
  purgeAudit,
} from './audit/index.ts';
import { callbackService, Delivery, deliveryRoutes, deliverySender, startWorker } from './callbacks/index.ts';
import type { Config } from './config.ts';
import { erasureService } from './erasure/index.ts';
import { exportRoutes, exportService, personalParts } from './exports/index.ts';
import { Installation, installationRoutes, installationService, installBody } from './installations/index.ts';
import { forgetPresence, liveEvents, liveRoutes, liveService, type PlacedEvent } from './live/index.ts';
import {
  accountMails,
  digest,
  expansion,
  forgetAddress,
  forgetRecipient,
  Mail,
  mailPreparation,
  mailRoutes,
  mailSender,
  mailService,
  notificationService,
  purgeMail,
  unsubscribeLinks,
  unsubscribeRoutes,
} from './mails/index.ts';
import {
  changeService,
  findMessage,
  indexTheRest,
  Message,
  type MessageListener,
  type MessageService,
  messagePosting,
  messagePresenter,
  messageRoutes,
  messageService,
  readingService,
  Sidebar,
  sidebarRoutes,
  sidebarService,
  unreadCounts,
} from './messages/index.ts';
import { openRoutes, purgeTokens, tokenRevocation, tokenRoutes, tokenService } from './oauth/index.ts';
import { objectRoutes, objectService } from './objects/index.ts';
import {
  metrics as createMetrics,
  docsRoutes,
  operationsRoutes,
  startHousekeeping,
} from './operations/index.ts';
import { migrations } from './schema/index.ts';
import {
  connectionService,
  invitationService,
  Membership,
  shareTeam,
  Team,
  type TeamListener,
  teamAdministration,
  teamAdministrationRoutes,
  teamRoutes,
  teamService,
} from './teams/index.ts';
import {
  holdActiveUser,
  imageRoutes,
  imageService,
  SessionUser,
  UserProfile,
  UserSummary,
  userPresenter,
  userRoutes,
  userService,
} from './users/index.ts';

/** What the application is made of, and cannot make itself. */
export interface AppParts {
  readonly config: Config;
  readonly keys: { readonly encryption: Buffer; readonly cookie: Buffer };
  readonly db: Database;
  readonly clock: Clock;
  readonly outbound: Outbound;
  /** Undefined where there is no mail server: then mails are kept. */
  readonly mailTransport: MailTransport | undefined;
  readonly files: FileStore;
  readonly spool: Spool;
  readonly logger: FastifyBaseLogger;
  readonly version: string;
  /** Under which address people reach the server; known once it listens. */
  readonly baseUrl: () => string;
  /** How often the callback worker looks for what is due, in milliseconds. */
  readonly workerIntervalMs?: number;
  /** How often what no request asks for is done, in milliseconds. */
  readonly housekeepingMs?: number;
  /** How often the nodes exchange their counts of requests, in milliseconds. */
  readonly rateExchangeMs?: number;
}

export interface App {
  readonly server: FastifyInstance;
  /** Begins the work that no request asks for; call once the server listens. */
  start(): Promise<void>;
  /** Answers what is under way, finishes the callbacks under way, and takes nothing new. */
  stop(): Promise<void>;
}

const HOUSEKEEPING_MS = 60_000;
const WORKER_MS = 1000;
const DAY_S = 86_400;

/** Every domain, and how they are joined. */
export async function createApp(parts: AppParts): Promise<App> {
  const { config, keys, db, clock, outbound, mailTransport, files, spool, logger, baseUrl } = parts;
  const seconds = (value: number) => value * 1000;
  const isDeveloper = async (reader: Reader, ownerId: string) =>
    (await ownsAny.first(reader, { ownerId })) !== undefined;
  const areConnected = async (reader: Reader, userId: string, otherId: string) =>
    (await shareTeam.first(reader, { userId, otherId })) !== undefined;

  const canSeeAny = async (reader: Reader, viewerId: string, messageIds: readonly string[]) => {
    for (const id of messageIds) if (await findMessage.first(reader, { id, viewerId })) return true;
    return false;
  };

  const metrics = createMetrics();
  const cipher = new Cipher(keys.encryption);
  const onError = (error: unknown) => logger.error({ err: error }, 'background work failed');
  const sharedLimiter =
    config.DATABASE_URL === undefined
      ? undefined
      : new SharedRateLimiter({ db, now: clock, key: keys.cookie, onError });
  const limiter = sharedLimiter ?? new RateLimiter(clock);
  const record = auditRecorder(clock);
  const revocation = tokenRevocation(clock);
  const present = userPresenter({ clock, imageKey: keys.cookie, baseUrl });
  const users = userService({
    db,
    clock,
    present,
    facts: { unreadCounts, isDeveloper, areConnected },
    profiles: config.PROFILE_VISIBILITY,
  });

  const workerMs = parts.workerIntervalMs ?? WORKER_MS;
  const mailWorker: Rounds | undefined =
    mailTransport &&
    startRounds({
      work: mailSender({
        db,
        clock,
        cipher,
        transport: mailTransport,
        onFailure: ({ id, kind }, reason) => logger.warn({ mail: id, kind, reason }, 'mail not sent'),
        onError,
      }),
      intervalMs: workerMs,
      onError,
    });
  const mails = mailService({
    db,
    clock,
    cipher,
    baseUrl,
    canSend: mailWorker !== undefined,
    wakeSender: () => mailWorker?.wake(),
  });
  const links = unsubscribeLinks({ key: keys.cookie, baseUrl });
  const notifications = notificationService({
    clock,
    mails,
    links,
    baseUrl,
    enabled: config.MAIL_NOTIFICATIONS === 'on',
  });
  const recovery = recoveryService({
    db,
    clock,
    users,
    mails: accountMails({ clock, mails, baseUrl }),
    lifetimes: {
      resetMs: seconds(config.PASSWORD_RESET_LIFETIME),
      verificationMs: seconds(config.EMAIL_VERIFICATION_LIFETIME),
    },
  });
  const mailPreparer = startRounds({
    work: mailPreparation({
      db,
      clock,
      expand: expansion({ clock, batchMs: seconds(config.MAIL_BATCH_SECONDS) }),
      collect: digest({ clock, mails, links, baseUrl }),
      issueReset: recovery.issueReset,
      onError,
    }),
    intervalMs: workerMs,
    // However much is written in large teams, those who write come first.
    rest: 3,
    onError,
  });

  const tellInstallations: TeamListener = (tx, change) => installations.onTeamChange(tx, change);
  const tellMembers: TeamListener = (tx, change) => events.onTeamChange(tx, change);
  const teams = teamService({
    db,
    clock,
    present,
    listeners: [revocation.onTeamChange, tellInstallations, tellMembers, notifications.onTeamChange],
    record,
  });
  const invitations = invitationService({
    db,
    clock,
    teams,
    baseUrl,
    lifetimeMs: seconds(config.INVITATION_LIFETIME),
    onInvite: notifications.onInvite,
    record,
  });
  const connections = connectionService({ db, present });
  const sessions = sessionService({
    db,
    clock,
    lifetimeMs: seconds(config.SESSION_LIFETIME),
    secure: () => baseUrl().startsWith('https:'),
  });
  const accounts = accountService({
    db,
    users,
    invitations,
    askToVerify: recovery.askToVerify,
    registration: config.REGISTRATION,
    record,
    refused: refusedSignIns({ db, clock, record }),
  });
  const countAttempt = attemptCounter(
    limiter,
    config.RATE_LIMIT === 'on' ? config.RATE_LIMIT_ACCOUNT : undefined,
  );

  const applications = applicationService({
    db,
    clock,
    cipher,
    allowLoopback: config.loopbackApps,
    onDelete: (tx, applicationId) => installations.onApplicationDelete(tx, applicationId),
    holdOwner: async (tx, id) => (await holdActiveUser.first(tx, { id })) !== undefined,
    record,
  });
  const credentials = credentialChecker({ db, applications });
  const send = deliverySender({ db, clock, outbound, applications });
  const worker = startWorker({ db, clock, send, intervalMs: workerMs, onError });
  const callbacks = callbackService({ db, clock, applications, send, wakeWorker: worker.wake });
  const bodies = installBody({ present, isDeveloper });
  const installations = installationService({
    db,
    clock,
    applications,
    callbacks,
    present,
    bodies,
    callbackTimeoutMs: seconds(config.CALLBACK_TIMEOUT),
    revokeTokens: revocation.ofInstallation,
    record,
  });
  const tokens = tokenService({
    db,
    clock,
    installations,
    lifetimes: {
      codeMs: seconds(config.CODE_LIFETIME),
      accessTokenMs: seconds(config.ACCESS_TOKEN_LIFETIME),
      refreshTokenMs: seconds(config.REFRESH_TOKEN_LIFETIME),
      refreshGraceMs: seconds(config.REFRESH_GRACE),
    },
  });
  const objects = objectService({ db, clock, installations });
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
  const maxTextLength = config.MAX_TEXT_LENGTH;
  const tellClients: MessageListener = (tx, change) => events.onMessageChange(tx, change);
  const posting = messagePosting({
    clock,
    maxTextLength,
    files: attachments,
    listeners: [tellClients, notifications.onMessageChange, letFilesGo],
  });
  const presentMessages = messagePresenter({ users: present, attachment: attachments.item });
  const messages = messageService({ db, clock, present: presentMessages, posting });
  const changes = changeService({ clock, posting, maxTextLength });
  const reading = readingService({ clock, tell: posting.tell });
  const sidebars = sidebarService({ db, clock, present: presentMessages, posting });
  const live = liveService({
    db,
    clock,
    describe: (event) => describeEvent(messages, db, event),
    endedSessions: sessions.ended,
    intervalMs: parts.workerIntervalMs ?? WORKER_MS,
    onError,
  });
  const events = liveEvents(live.emit);

  const teamRetentionMs = seconds(config.TEAM_RETENTION * DAY_S);
  const erasure = erasureService({
    db,
    clock,
    record,
    teamRetentionMs,
    forget: [
      forgetRecipient,
      (tx, userId) => deleteEveryToken.all(tx, { userId }),
      (tx, userId) => forgetPresence.all(tx, { userId }),
      (tx, userId) => markRemovedOf.all(tx, { userId }),
    ],
    detachFiles: attachments.detach,
    onError,
  });
  const standing = standingService({ db, users, record, revokeTokens: revocation.ofUser });
  const deletion = deletionService({
    users,
    standing,
    record,
    revokeTokens: revocation.ofUser,
    refuseOwner: applications.refuseOwner,
    leaveTeams: teams.leaveAll,
    forget: [
      forgetAddress,
      (tx, { id }) => deleteEveryToken.all(tx, { userId: id }),
      (tx, { id }) => forgetAddresses.all(tx, { userId: id }),
      (tx, { id }) => erasure.forgetPerson(tx, id),
    ],
  });
  const exports = exportService({ db, clock, record, parts: personalParts({ db, clock, files }) });

  const server = await createServer({
    config,
    logger,
    limiter,
    cookieKey: keys.cookie,
    idempotency: idempotency({ db, clock, cipher }),
    authenticators: {
      session: sessions.authenticate,
      token: tokens.authenticate,
      application: credentials.authenticate,
    },
    onAnswer: ({ method, route, status, milliseconds }) =>
      metrics.observe(method, route, status, milliseconds),
    sharedSchemas: [
      UserSummary,
      UserProfile,
      SessionUser,
      Team,
      Membership,
      Sidebar,
      Message,
      Attachment,
      Application,
      PublicApplication,
      Installation,
      Delivery,
      Mail,
      AuditEntry,
    ],
  });
  let serving = true;
  await documentRoutes(server, parts.version);
  accountRoutes(server, { db, users, accounts, sessions, record, countAttempt });
  recoveryRoutes(server, {
    db,
    recovery,
    limiter,
    mailsPerAccount: config.RATE_LIMIT === 'on' ? config.RATE_LIMIT_MAIL : undefined,
  });
  closingRoutes(server, { accounts, standing, deletion, sessions, countAttempt });
  accountAdministrationRoutes(server, { standing, deletion });
  exportRoutes(server, exports);
  userRoutes(server, users, { db });
  await server.register(imageRoutes, {
    images: imageService({ db, users }),
    maxBytes: config.MAX_UPLOAD_BYTES,
  });
  teamRoutes(server, { teams, invitations, connections });
  teamAdministrationRoutes(
    server,
    teamAdministration({ db, clock, teams, record, retentionMs: teamRetentionMs }),
  );
  messageRoutes(server, { db, posting, messages, changes, reading });
  sidebarRoutes(server, { posting, messages, sidebars });
  liveRoutes(server, live);
  await server.register(attachmentRoutes, { attachments, files, maxBytes: config.MAX_UPLOAD_BYTES });
  applicationRoutes(server, { db, applications });
  deliveryRoutes(server, { callbacks, sampleBody: (userId) => bodies.sample(db, userId, clock()) });
  installationRoutes(server, installations);
  objectRoutes(server, objects);
  openRoutes(server, { db, tokens, installations });
  mailRoutes(server, mails);
  await server.register(unsubscribeRoutes, { db, users, links });
  await server.register(tokenRoutes, { tokens, checkCredentials: credentials.check, baseUrl });
  auditRoutes(server, { db, audit: auditService({ db }), record });
  operationsRoutes(server, {
    db,
    metrics,
    metricsToken: config.METRICS_TOKEN,
    isServing: () => serving,
    checkSchema: (reader) => assertMigrated(reader, migrations),
  });
  await server.register(docsRoutes);
  server.refuseOtherMethods();

  const housekeeping = startHousekeeping(
    parts.housekeepingMs ?? HOUSEKEEPING_MS,
    [
      installations.recover,
      () => purgeTokens(db, clock()),
      () => db.write((tx) => purgeIdempotencyKeys.all(tx, { now: clock() })),
      () => db.write((tx) => purgeSessions.all(tx, { now: clock() })),
      live.purge,
      attachments.sweep,
      () => db.write((tx) => purgeAccountTokens.all(tx, { now: clock() })),
      () => purgeMail(db, clock() - seconds(config.MAIL_RETENTION)),
      () => purgeAudit(db, clock(), config.AUDIT_RETENTION),
      exports.purge,
      erasure.run,
    ],
    onError,
  );
  return {
    server,
    start: async () => {
      await installations.recoverAtStart();
      worker.wake();
      await indexTheRest(db);
      mailWorker?.wake();
      mailPreparer.wake();
      sharedLimiter?.start(parts.rateExchangeMs);
    },
    stop: async () => {
      serving = false;
      exports.stop();
      await live.stop();
      await server.close();
      await erasure.stop();
      await housekeeping.stop();
      const stopped = [worker.stop(), mailPreparer.stop(), mailWorker?.stop(), sharedLimiter?.stop()];
      mailTransport?.close();
      await Promise.all(stopped);
    },
  };
}

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
