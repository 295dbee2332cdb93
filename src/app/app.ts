import type { FastifyInstance } from 'fastify';
import {
  asUser,
  collectRoutes,
  createServer,
  documentRoutes,
  idempotency,
  isUnavailable,
  type ListedRoute,
  NotAllowed,
  purgeIdempotencyKeys,
  reportUnavailable,
} from '#api';
import { Cipher } from '#platform/crypto/index.ts';
import { cleaning, giveWay, leaseKeeper } from '#platform/jobs/index.ts';
import { waitAtMost } from '#platform/pause.ts';
import { prepareCheck } from '../conversation/blocks/index.ts';
import type { ApplicationService } from '../integration/applications/index.ts';
import { type AccountStatusService, type DeletionService, setUpService } from '../people/accounts/index.ts';
import { auditRecorder } from '../stewardship/audit/index.ts';
import { metrics as createMetrics, startHousekeeping } from '../stewardship/operations/index.ts';
import type { InvitationService } from '../teams/index.ts';
import { webRoutes } from '../web/index.ts';
import { joinAccounts } from './accounts.ts';
import { joinAdministration } from './administration.ts';
import { joinApplications } from './applications.ts';
import { consequences, publisher } from './consequences.ts';
import { joinIncoming } from './incoming.ts';
import { joinLimits } from './limits.ts';
import { joinMail, joinMailJobs } from './mail.ts';
import { joinMessaging } from './messaging.ts';
import { joinMutes } from './mutes.ts';
import { joinNotices } from './notices.ts';
import type { AppParts, Background } from './parts.ts';
import { joinPeople } from './people.ts';
import { joinPictures } from './pictures.ts';
import { joinPreviews } from './previews.ts';
import { joinPush } from './push.ts';
import { joinScheduled } from './scheduled.ts';
import { joinSubscriptions } from './subscriptions.ts';
import { joinTeams } from './teams.ts';

export interface App {
  readonly server: FastifyInstance;
  /** The services that the command line calls, so that it obeys the rules of the routes. */
  readonly services: {
    readonly standing: AccountStatusService;
    readonly deletion: DeletionService;
    readonly invitations: InvitationService;
    readonly applications: ApplicationService;
  };
  /** All routes of the server, for the list in the documents. */
  routes(): ListedRoute[];
  /** The token with which the first account can be created from anywhere; undefined once an account exists. */
  setUpToken(): Promise<string | undefined>;
  /** Runs before the first request. */
  prepare(): Promise<void>;
  /** Starts the background work; call once the server listens. */
  start(): Promise<void>;
  /** Completes the requests and callbacks in progress and accepts no new ones. */
  stop(): Promise<void>;
}

export const HOUSEKEEPING_MS = 60_000;
const WORKER_MS = 1000;
/** How long the port stays open for the workers of a server that stops. */
const WORKERS_MS = 400;
/** While requests wait, background work uses at most a tenth of the time. */
const WORKER_REST = 9;

/** Composes the product: the dependencies between its parts, and the order in which they start and stop. */
export async function createApp(parts: AppParts): Promise<App> {
  const { config, keys, db, clock, logger } = parts;
  const stopping = new AbortController();
  const metrics = createMetrics({
    version: parts.version,
    database: db.dialect,
    process: parts.siblings?.number,
  });
  db.watch(metrics.ofDatabase);
  const onError = (error: unknown) => {
    const isAway = isUnavailable(error);
    metrics.backgroundError(isAway ? 'unavailable' : 'failed');
    if (isAway) reportUnavailable(logger, error);
    else logger.error({ err: error }, 'background work failed');
  };
  const keepLease = leaseKeeper({ db, clock, renewMs: parts.leaseRenewalMs, onError });
  const background: Background = {
    intervalMs: parts.workerIntervalMs ?? WORKER_MS,
    rest: giveWay({ most: parts.workerRest ?? WORKER_REST, writersWait: () => db.waitingWriters > 0 }),
    keepLease,
    onError,
  };
  const cipher = new Cipher(keys.encryption);
  const limits = joinLimits(parts, onError);

  const facts = publisher();
  const pictures = joinPictures(logger, stopping.signal);
  const people = joinPeople(parts, {
    pictures,
    onChange: facts.user,
    onWhereabouts: facts.whereabouts,
    countWhereabouts: limits.countWhereabouts,
    onSessionsEnd: facts.sessionsEnded,
  });
  const { present, users, sessions, devices } = people;
  const setUp = setUpService({ db, key: keys.cookie, reachable: config.reachable });
  const record = auditRecorder(clock);
  const mail = joinMail(parts, {
    record,
    onAttempt: metrics.attemptsOf('mails'),
    users,
    cipher,
    background,
  });
  const { notifications } = mail;
  const applications = joinApplications(parts, {
    stopping: stopping.signal,
    present,
    pictures,
    isDeveloper: people.isDeveloper,
    cipher,
    successorKey: keys.cookie,
    record,
    publish: facts.application,
    onInstallationChange: facts.installation,
    publishObject: facts.object,
    onCallsPaused: notifications.onCallsPaused,
    renewWebhookKeys: (tx, id) => subscriptions.renewKeys(tx, id),
    setInteractionUrl: (tx, id, url) => subscriptions.setOwnAddress(tx, id, url),
    refuseSubscribed: (tx, id) => subscriptions.refuseSubscribed(tx, id),
    onInstallationWake: (tx) => subscriptions.onStandingChange(tx),
    later: (tx, kind, id) => administration.later(tx, kind, id),
    onAttempt: metrics.attemptsOf('callbacks'),
    onIconAttempt: metrics.attemptsOf('icons'),
    background,
  });
  const messaging = joinMessaging(parts, {
    stopping: stopping.signal,
    present,
    pictures,
    sessionEnds: sessions.ends,
    publish: facts.message,
    record,
    key: keys.cookie,
    describeInstallation: applications.describeInstallation,
    ownLinks: applications.ownLinks,
    async expectHearing(tx, application, team, kind = 'interaction') {
      const granted = await applications.expectAwake(tx, application, team);
      if (!(await subscriptions.hears(tx, application, team, [kind], granted)))
        throw new NotAllowed('no_listener', 'The application does not listen to this');
    },
    async findObstacle(tx, application, team) {
      const absence = await applications.findAbsence(tx, application, team);
      if (absence !== undefined) return absence;
      return (await subscriptions.hears(tx, application, team, ['interaction', 'application.opened']))
        ? undefined
        : 'unreachable';
    },
    actAs: applications.actAs,
    expectAwake: applications.expectAwake,
    findInstalled: applications.findInstalled,
    direct: applications.direct,
    countConversation: limits.countConversation,
    names: applications.commands,
    publishInteraction: facts.interaction,
    background,
  });
  const { previews, ...previewing } = joinPreviews(parts, {
    pictures,
    shown: messaging.shown,
    unfurls: messaging.unfurls,
    background,
  });
  const subscriptions = joinSubscriptions(parts, {
    cipher,
    applications: applications.applications,
    record,
    onPlaced: messaging.onPlaced,
    tellEnd: messaging.live.onAccessEnd,
    presentAttachment: messaging.presentAttachment,
    clicks: messaging.interactions,
    responseUrl: messaging.responseUrl,
    onCallsPaused: notifications.onCallsPaused,
    onAttempt: metrics.attemptsOf('callbacks'),
    background,
  });
  const incoming = joinIncoming(parts, {
    present,
    cipher,
    posts: messaging.posts,
    readPicture: people.readPicture,
    record,
    onAuthorChange: facts.author,
  });
  const push = joinPush(parts, {
    cipher,
    onAttempt: metrics.attemptsOf('pushes'),
    onTold: mail.leaveOut,
    findNews: messaging.findNews,
    findReaction: messaging.findReaction,
    background,
  });
  const { teams, invitations, joinLinks, domainRules, ...teaming } = joinTeams(parts, {
    stopping: stopping.signal,
    present,
    publish: facts.team,
    onInvite: async (tx, invitation) => {
      const { id, team_id, user_id } = invitation;
      if (user_id !== null) {
        await messaging.tellInvitation(tx, user_id, team_id);
        await push.pushes.invited(tx, { id, team_id, user_id });
      }
      return notifications.onInvite(tx, invitation);
    },
    onInvitationGone: messaging.tellInvitation,
    record,
  });
  const mutes = joinMutes(parts, {
    teams,
    reading: messaging.reading,
    tell: messaging.tellMute,
    background,
  });
  const administration = joinAdministration(parts, {
    metrics,
    users,
    record,
    needsSetUpLink: setUp.needsLink,
    letsDomainsIn: domainRules.isAny,
    isServing: () => !stopping.signal.aborted,
    withdrawTeam: push.pushes.withdrawTeam,
    tellTeams: async (tx, userId, teamIds) =>
      messaging.live.onHeardWhereabouts(tx, userId, await subscriptions.teamsHearing(tx, teamIds)),
    leaving: teams.leaving,
    installations: applications.installations,
    messaging,
    events: subscriptions.document,
    background,
    housekeepingMs: parts.housekeepingMs ?? HOUSEKEEPING_MS,
  });
  const accounts = joinAccounts(parts, {
    stopping: stopping.signal,
    onRefusedSignIn: metrics.refusedSignIn,
    users,
    sessions,
    devices,
    invitations,
    joinLinks,
    domainRules,
    mails: mail.accountMails,
    limits,
    setUp,
    record,
    keepLease,
    onClose: {
      revokeTokens: applications.revokeTokensOf,
      suspendOwned: applications.applications.suspendOwned,
      refuseOwner: applications.refuseOwner,
      leaveTeams: teams.leaveAll,
      refuseToAbandon: teams.refuseToAbandon,
      forget: administration.forget,
    },
  });
  const mailJobs = joinMailJobs(parts, {
    onAttempt: metrics.attemptsOf('mail_jobs'),
    walk: mail.streams.walk,
    digest: mail.digest,
    issueReset: accounts.issueReset,
    background,
  });

  const { notices, ...noticing } = joinNotices(parts, {
    listeners: facts.noticed,
    markUnread: (tx, userId, messageId) => messaging.reading.markUnread(tx, asUser(userId), messageId),
    onAttempt: metrics.attemptsOf('notices'),
    background,
  });

  const scheduled = joinScheduled(parts, {
    messaging,
    remind: notices.remind,
    actBy: applications.actBy,
    onAttempt: metrics.attemptsOf('scheduled'),
    background,
  });

  facts.join(
    consequences({
      notices,
      inbox: messaging.inbox,
      live: messaging.live,
      mails: notifications,
      mailsNoticed: mail.noticed,
      mailStreams: mail.streams,
      pushes: push.pushes,
      pushNoticed: push.noticed,
      index: messaging.index,
      detachFiles: messaging.detachFiles,
      previews,
      onCardsChange: messaging.onCardsChange,
      tokens: applications.tokens,
      installations: applications.installations,
      callbacks: applications.callbacks,
      subscriptions,
      icons: applications.icons,
      unfurls: messaging.unfurls,
      interactions: messaging.interactions,
      forms: messaging.forms,
      homes: messaging.homes,
      ephemeral: messaging.ephemeral,
      commands: applications.commands,
      answers: messaging.answers,
      withdrawTeam: administration.withdrawTeam,
      tellWhereabouts: administration.tellWhereabouts,
      onPosted: applications.onPosted,
    }),
  );

  const server = await createServer({
    config,
    logger,
    limiter: limits.limiter,
    cookieKey: keys.cookie,
    idempotency: idempotency({ db, clock, cipher, keepLease }),
    authenticators: {
      session: sessions.authenticate,
      webhook: incoming.authenticate,
      response: messaging.authenticateResponse,
      ...applications.authenticators,
    },
    onAnswer: metrics.observe,
    sharedSchemas: [
      ...people.schemas,
      ...teaming.schemas,
      ...messaging.schemas,
      ...applications.schemas,
      ...subscriptions.schemas,
      ...incoming.schemas,
      ...mail.schemas,
      ...push.schemas,
      ...mutes.schemas,
      ...scheduled.schemas,
      ...administration.schemas,
    ],
  });
  const routes = collectRoutes(server);
  await documentRoutes(server, parts.version);
  accounts.routes(server);
  await people.routes(server);
  teaming.routes(server);
  await messaging.routes(server);
  await applications.routes(server);
  subscriptions.routes(server);
  await incoming.routes(server);
  await mail.routes(server);
  push.routes(server);
  mutes.routes(server);
  scheduled.routes(server);
  await administration.routes(server);
  await server.register(webRoutes, {
    folder: parts.webFolder,
    baseUrl: parts.baseUrl,
    authenticate: sessions.authenticate,
  });
  server.refuseOtherMethods();

  const housekeeping = startHousekeeping(
    parts.housekeepingMs ?? HOUSEKEEPING_MS,
    [
      ...applications.housekeeping,
      ...subscriptions.housekeeping,
      cleaning(db, purgeIdempotencyKeys, () => ({ now: clock() })),
      ...people.housekeeping,
      ...messaging.housekeeping,
      ...mail.housekeeping,
      ...noticing.housekeeping,
      ...previewing.housekeeping,
      ...push.housekeeping,
      ...scheduled.housekeeping,
      ...accounts.housekeeping,
      ...administration.housekeeping,
    ],
    onError,
  );
  return {
    server,
    services: {
      standing: accounts.standing,
      deletion: accounts.deletion,
      invitations,
      applications: applications.applications,
    },
    routes,
    setUpToken: async () => ((await users.anybody(db)) ? undefined : setUp.token()),
    prepare: messaging.prepare,
    start: async () => {
      await applications.start();
      await subscriptions.start();
      messaging.clickWorker.wake();
      mail.start();
      noticing.start();
      previewing.start();
      mailJobs.wake();
      await push.start();
      mutes.start();
      scheduled.start();
      administration.start();
      limits.start();
      void prepareCheck(stopping.signal).catch(onError);
    },
    stop: async () => {
      stopping.abort();
      // Unfinished work stays in rows, for the next start or another node.
      const workers = stopAll([
        housekeeping,
        administration,
        applications,
        subscriptions,
        noticing,
        previewing,
        mailJobs,
        mail,
        push,
        mutes,
        scheduled,
        messaging.clickWorker,
        { stop: parts.outbound.close },
      ]);
      // Served meanwhile. Workers that wait for a busy database keep no caller waiting for the port of the next server.
      await waitAtMost(WORKERS_MS, Promise.all([workers, pictures.settled()]));
      db.hurry();
      await pictures.stop();
      await stopAll([accounts.downloads, administration.downloads, messaging.streams, subscriptions.streams]);
      await server.close();
      await stopAll([messaging, limits, { stop: () => workers }]);
    },
  };
}

const stopAll = (parts: readonly { stop(): unknown }[]) => Promise.all(parts.map((part) => part.stop()));
