import type { FastifyInstance } from 'fastify';
import { callsInTurn, DIRECT_ITSELF, keepToTeam } from '#api';
import type { Cipher } from '#platform/crypto/index.ts';
import type { Reader, Tx } from '#platform/db/index.ts';
import type { OnAttempt } from '#platform/jobs/index.ts';
import type { Pictures } from '#platform/pictures/index.ts';
import type { InstalledApplications } from '../conversation/messages/index.ts';
import {
  Application,
  type ApplicationListener,
  applicationProgress,
  applicationRoutes,
  applicationService,
  credentialChecker,
  grantedLinks,
  isBelow,
  isSuspended,
  type NewWebhookKey,
  PublicApplication,
  scopesOf,
} from '../integration/applications/index.ts';
import {
  callbackService,
  Delivery,
  deliveryCleaning,
  deliveryRoutes,
  deliverySender,
  type PauseListener,
  queueService,
  startWorker,
} from '../integration/callbacks/index.ts';
import { commandRoutesOfTeams, commandsOfTeams } from '../integration/commands/index.ts';
import { iconRoutes, iconService, startIconFetcher } from '../integration/icons/index.ts';
import {
  applicationAdministrationRoutes,
  expectInstalled,
  Installation,
  type InstallationListener,
  installationRoutes,
  installationService,
  installationViews,
  installBody,
  refuseAsleep,
  refuseUnconfirmed,
} from '../integration/installations/index.ts';
import {
  agreeing,
  authorizationRoutes,
  codeIssuer,
  consentService,
  failureCleaning,
  failureRoutes,
  failureService,
  grantRoutes,
  metadataRoutes,
  openingService,
  openRoutes,
  ownTokenService,
  tokenCleaning,
  tokenRevocation,
  tokenRoutes,
  tokenService,
} from '../integration/oauth/index.ts';
import { ApplicationObject, type ObjectListener, objectRoutes, objectService } from '../objects/index.ts';
import { lockActiveUserAlone, type UserPresenter } from '../people/users/index.ts';
import type { Recorder } from '../stewardship/audit/index.ts';
import { type AppParts, type Background, days, seconds } from './parts.ts';

/** The integration interface: applications, callbacks, installations and OAuth. */
export function joinApplications(
  parts: Pick<AppParts, 'config' | 'db' | 'clock' | 'outbound' | 'spool' | 'baseUrl' | 'logger'>,
  deps: {
    present: UserPresenter;
    pictures: Pictures;
    isDeveloper: (reader: Reader, userId: string) => Promise<boolean>;
    cipher: Cipher;
    /** Makes the successors of refresh tokens. */
    successorKey: Buffer;
    record: Recorder;
    publish: ApplicationListener;
    /** Notifies the team's members. */
    onInstallationChange: InstallationListener;
    publishObject: ObjectListener;
    /** Notifies the owner that calls to an application are paused. */
    onCallsPaused: PauseListener;
    /** Gives each webhook of an application another key. */
    renewWebhookKeys: (tx: Tx, applicationId: string) => Promise<NewWebhookKey[]>;
    setInteractionUrl: Parameters<typeof applicationService>[0]['setInteractionUrl'];
    /** @throws Conflict for an application that subscribes to events */
    refuseSubscribed: (tx: Tx, applicationId: string) => Promise<void>;
    /** Sends the calls that waited while an installation was asleep. */
    onInstallationWake: (tx: Tx) => Promise<void>;
    later: Parameters<typeof installationService>[0]['later'];
    onAttempt: OnAttempt;
    onIconAttempt: OnAttempt;
    stopping: AbortSignal;
    background: Background;
  },
) {
  const { config, db, clock, outbound, baseUrl, logger } = parts;
  const {
    present,
    isDeveloper,
    cipher,
    successorKey,
    record,
    publish,
    onInstallationChange,
    publishObject,
    onCallsPaused,
    onAttempt,
    background,
  } = deps;
  const revocation = tokenRevocation(clock);
  const progress = applicationProgress(clock);
  const applications = applicationService({
    db,
    clock,
    cipher,
    allowLoopback: config.loopbackApps,
    baseUrl,
    publish,
    lockOwner: (tx, id) => lockActiveUserAlone.first(tx, { id }),
    renewWebhookKeys: deps.renewWebhookKeys,
    setInteractionUrl: deps.setInteractionUrl,
    refuseSubscribed: deps.refuseSubscribed,
    record,
  });
  const fetcher = startIconFetcher({
    ...{ db, clock, outbound, spool: parts.spool, pictures: deps.pictures },
    onAttempt: deps.onIconAttempt,
    ...background,
  });
  const icons = iconService({ db, clock, wakeFetcher: fetcher.wake });
  const credentials = credentialChecker({ db, clock, cipher });
  const queues = queueService({ clock, applications, onPause: onCallsPaused });
  const { keepLease } = background;
  const bodies = installBody({ present, isDeveloper });
  const { nameMembers } = bodies;
  const called = { applications, progress, queues, nameMembers };
  const send = deliverySender({ db, clock, outbound, ...called, keepLease, onAttempt });
  const worker = startWorker({ db, clock, send, ...background });
  const callbackTimeoutMs = seconds(config.CALLBACK_TIMEOUT);
  const calls = callsInTurn(deps.stopping);
  const callbacks = callbackService({
    db,
    clock,
    applications,
    queues,
    send,
    calls,
    wakeWorker: worker.wake,
    keptMs: days(config.EVENTS_KEPT),
  });
  const views = installationViews({ db, applications, present });
  const installations = installationService({
    db,
    clock,
    applications,
    progress,
    callbacks,
    calls,
    views,
    bodies,
    keepLease,
    callbackTimeoutMs,
    revokeTokens: revocation.ofInstallation,
    onChange: onInstallationChange,
    async onWake(tx) {
      await callbacks.onWake(tx);
      await deps.onInstallationWake(tx);
    },
    record,
    later: deps.later,
  });
  const tokens = tokenService({
    db,
    clock,
    installations,
    progress,
    successorKey,
    baseUrl,
    lifetimes: {
      codeMs: seconds(config.CODE_LIFETIME),
      accessTokenMs: seconds(config.ACCESS_TOKEN_LIFETIME),
      refreshTokenMs: seconds(config.REFRESH_TOKEN_LIFETIME),
      refreshGraceMs: seconds(config.REFRESH_GRACE),
    },
  });
  const ownTokens = ownTokenService({
    db,
    clock,
    installations,
    accessTokenMs: seconds(config.ACCESS_TOKEN_LIFETIME),
    baseUrl,
    record,
  });
  /** No application acts whose owner is gone, whatever closed the account. */
  async function suspendOrphans(): Promise<void> {
    const suspended = await applications.suspendOrphans();
    if (suspended.length > 0)
      logger.warn(
        { applications: suspended },
        'applications are suspended: the accounts of their owners are closed',
      );
  }
  const objects = objectService({
    db,
    clock,
    applications: {
      baseUrl: async (tx, id) => (await applications.byId(tx, id))?.base_url,
      isInstalled: async (tx, id, team) => (await installations.active(tx, id, team)) !== undefined,
      async expectInstalled(tx, id, team) {
        const installation = team === undefined ? undefined : await installations.active(tx, id, team);
        expectInstalled(installation);
        refuseUnconfirmed(installation);
        return installation.team_id;
      },
      onMade: (tx, id) => progress.note(tx, id, 'object_made'),
    },
    publish: publishObject,
  });
  const commands = commandsOfTeams({ db, clock, baseUrl, record });
  const issueCode = codeIssuer({ tokens, installations, agree: agreeing({ clock, record }) });
  const failures = failureService({ db, clock, applications });
  const openings = openingService({
    db,
    issueCode,
    installations,
    allowLoopback: config.loopbackApps,
    baseUrl,
  });

  /** An application that a team has, and its installation there. */
  async function find(reader: Reader, id: string, team: string) {
    const installation = await installations.active(reader, id, team);
    const application = installation && (await applications.byId(reader, id));
    return application && { application, installation };
  }
  type Found = NonNullable<Awaited<ReturnType<typeof find>>>;

  const absenceOf = ({ application, installation }: Found) =>
    isSuspended(application) || installation.asleep_since !== null ? 'suspended' : undefined;

  /** The scopes that it asks for, and that the team has granted. */
  function grantedOf({ application, installation }: Found): readonly string[] {
    const granted = scopesOf(installation);
    return scopesOf(application).filter((scope) => granted.includes(scope));
  }

  return {
    authenticators: { token: tokens.authenticate, application: credentials.authenticate },
    /** For a message posted with an application's token. */
    onPosted: (tx: Tx, applicationId: string) => progress.note(tx, applicationId, 'message_posted'),
    describeInstallation: views.byId,
    /** Which application of a team has which command and shortcut. */
    commands,
    /** @returns what the team has granted it @throws NotAllowed for an application that the team has not, or that sleeps */
    async expectAwake(tx: Tx, id: string, team: string): Promise<readonly string[]> {
      const found = await find(tx, id, team);
      expectInstalled(found);
      refuseAsleep(found.application, found.installation);
      return grantedOf(found);
    },
    /** The holder of a grant that stands, with the reach that a request by its token has. */
    async actBy(tx: Tx, grantId: string) {
      const found = await tokens.actBy(tx, grantId);
      return found && keepToTeam(found, config);
    },
    /** The application as itself, where it may write messages. */
    actAs: (tx: Tx, id: string, team: string) =>
      ownTokens.actAs(tx, id, team, ['messages:write', DIRECT_ITSELF]),
    /** For direct conversations with applications. */
    direct: {
      actAs: (tx: Tx, id: string, team: string) => ownTokens.actAs(tx, id, team, [DIRECT_ITSELF]),
      async findObstacle(reader: Reader, id: string, team: string) {
        const found = await find(reader, id, team);
        if (!found) return 'not_installed';
        return absenceOf(found) ?? (grantedOf(found).includes(DIRECT_ITSELF) ? undefined : 'not_granted');
      },
    } satisfies InstalledApplications,
    /** An application that a team has, also while it sleeps. */
    async findInstalled(reader: Reader, id: string, team: string) {
      const found = await find(reader, id, team);
      if (!found) return undefined;
      const { application, installation } = found;
      return { ...application, installation: installation.id, hasHome: application.has_home === 1 };
    },
    /** Why an application that was installed does not answer any more. */
    async findAbsence(tx: Tx, id: string, team: string) {
      const found = await find(tx, id, team);
      return found ? absenceOf(found) : 'not_installed';
    },
    /** @returns a test for links to an application that a team has installed, whose row it locks */
    async ownLinks(tx: Tx, applicationId: string, teamId: string) {
      const installation = await installations.lock(tx, applicationId, teamId);
      if (!installation) return undefined;
      const application = await applications.byId(tx, applicationId);
      const prefixes = application ? grantedLinks(application, installation) : [];
      return (url: string) => prefixes.some((prefix) => isBelow(url, prefix));
    },
    callbacks,
    refuseOwner: applications.refuseOwner,
    revokeTokensOf: revocation.ofUser,
    tokens: revocation,
    applications,
    installations,
    icons,
    schemas: [Application, PublicApplication, Installation, Delivery, ApplicationObject],
    async routes(server: FastifyInstance) {
      applicationRoutes(server, { db, applications, progress });
      deliveryRoutes(server, { callbacks, sampleBody: (userId) => bodies.sample(db, userId, clock()) });
      installationRoutes(server, { installations, views });
      commandRoutesOfTeams(server, { db, commands });
      applicationAdministrationRoutes(server, { db, applications, present });
      iconRoutes(server, icons);
      objectRoutes(server, objects);
      openRoutes(server, { db, openings, baseUrl });
      grantRoutes(server, { db, revocation, record, baseUrl });
      failureRoutes(server, failures);
      authorizationRoutes(server, consentService({ db, issueCode, baseUrl }));
      await server.register(tokenRoutes, {
        tokens,
        ownTokens,
        failures,
        identify: credentials.identify,
      });
      metadataRoutes(server, baseUrl);
    },
    housekeeping: [
      suspendOrphans,
      installations.recover,
      ...tokenCleaning(db, clock, seconds(config.REFRESH_GRACE)),
      callbacks.giveUpOld,
      ...deliveryCleaning(db, clock, config.DELIVERY_RETENTION),
      ...failureCleaning(db, clock, config.DELIVERY_RETENTION),
    ],
    async start() {
      await callbacks.recoverAtStart();
      await installations.recoverAtStart();
      worker.wake();
      fetcher.wake();
    },
    async stop() {
      await Promise.all([worker.stop(), fetcher.stop()]);
    },
  };
}
