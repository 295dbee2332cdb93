import type { FastifyInstance } from 'fastify';
import { assertMigrated, type Tx } from '#platform/db/index.ts';
import { inSteps } from '#platform/jobs/index.ts';
import { migrations } from '#schema';
import type { PushService } from '../conversation/pushes/index.ts';
import { SCOPES } from '../integration/applications/index.ts';
import type { DeletionDeps } from '../people/accounts/index.ts';
import type { UserService } from '../people/users/index.ts';
import { listSettings } from '../process/config.ts';
import { tellOtherCookieKey } from '../process/keys.ts';
import {
  AuditEntry,
  auditCleaning,
  auditRoutes,
  auditService,
  type Recorder,
} from '../stewardship/audit/index.ts';
import { backupRoutes, backupService, scheduledBackups } from '../stewardship/backups/index.ts';
import { erasureService } from '../stewardship/erasure/index.ts';
import {
  docsRoutes,
  type Metrics,
  operationsRoutes,
  type ServerFactsDeps,
  serverRoutes,
  serverStatus,
  statusRoutes,
  wellKnownRoutes,
} from '../stewardship/operations/index.ts';
import { claimTeams, teamsOfPerson } from '../teams/index.ts';
import { joinPacker } from './backups.ts';
import { erasureSteps, forgetAtOnce } from './erasure.ts';
import { type AppParts, type Background, days, seconds } from './parts.ts';
import { queueStates } from './queues.ts';

/** The web application's page for a new password. */
const PASSWORD_PAGE = '/settings/security';

/** Teams whose applications are told of a person in one transaction. */
const TOLD_AT_ONCE = 50;

/** For administrators: the audit log, erasure, backups and the state of the server. */
export function joinAdministration(
  parts: Pick<
    AppParts,
    | 'config'
    | 'keys'
    | 'db'
    | 'clock'
    | 'clockDeviation'
    | 'copyStatus'
    | 'siblings'
    | 'files'
    | 'spool'
    | 'mailTransport'
    | 'logger'
    | 'version'
    | 'baseUrl'
    | 'guidesFolder'
  >,
  deps: {
    metrics: Metrics;
    users: UserService;
    record: Recorder;
    needsSetUpLink: ServerFactsDeps['needsLink'];
    letsDomainsIn: ServerFactsDeps['letsDomainsIn'];
    isServing: () => boolean;
    withdrawTeam: PushService['withdrawTeam'];
    /** Tells the applications of a few teams how a person is. */
    tellTeams: (tx: Tx, userId: string, teamIds: readonly string[]) => Promise<void>;
    leaving: Parameters<typeof erasureSteps>[0]['leaving'];
    installations: Parameters<typeof erasureSteps>[0]['installations'];
    messaging: {
      /** Streams of live events that are open here. */
      countStreams: () => number;
      /** When the newest message was written, in milliseconds. */
      newestAt: () => Promise<number>;
      /** Releases the files of these messages. */
      detachFiles: (tx: Tx, messageIds: readonly string[]) => Promise<void>;
    };
    /** The events for applications as AsyncAPI. */
    events: object;
    background: Background;
    housekeepingMs: number;
  },
) {
  const { config, db, clock, clockDeviation, spool, mailTransport, logger, version, baseUrl } = parts;
  const hasFolder = config.S3_BUCKET === undefined;
  const {
    metrics,
    users,
    record,
    needsSetUpLink,
    letsDomainsIn,
    isServing,
    messaging,
    events,
    background,
    housekeepingMs,
  } = deps;
  const pack = joinPacker(parts);
  const schedule = scheduledBackups({
    db,
    clock,
    folder: config.BACKUP_DIR,
    everyMs: seconds(config.BACKUP_EVERY),
    keep: config.BACKUP_KEEP,
    pack,
    record,
    keepLease: background.keepLease,
    intervalMs: housekeepingMs,
    onMade: ({ lost, ...made }) => {
      logger.info(made, 'backup made');
      if (lost > 0)
        logger.error({ lost, file: made.file }, 'files of uploads are missing, also from the backup');
    },
    onFailed: (error, told) => {
      metrics.failedBackup();
      if (told === undefined) logger.error({ err: error }, 'backup failed');
      else logger.error(told);
    },
    onError: background.onError,
  });
  const status = serverStatus({
    db,
    clock,
    version,
    dataFolder: config.DATA_DIR,
    filesFolder: hasFolder ? config.DATA_DIR : undefined,
    countStreams: messaging.countStreams,
    backups: schedule.state,
    queues: queueStates,
  });
  const backups = backupService({
    db,
    allowed: config.ADMIN_BACKUP === 'on',
    hasUploads: hasFolder,
    pack,
    spool,
    record,
  });
  const whereabouts = inSteps({
    ...teamsOfPerson,
    most: TOLD_AT_ONCE,
    carryOut: (tx, rows, userId) =>
      deps.tellTeams(
        tx,
        userId,
        rows.map(({ team_id }) => team_id),
      ),
  });
  const teamRetentionMs = days(config.TEAM_RETENTION);
  const erasure = erasureService({
    db,
    clock,
    steps: erasureSteps({
      clock,
      record,
      detachFiles: messaging.detachFiles,
      withdrawTeam: deps.withdrawTeam,
      whereabouts,
      leaving: deps.leaving,
      installations: deps.installations,
    }),
    claimTeams: (tx, limit) => claimTeams.all(tx, { before: clock() - teamRetentionMs, limit }),
    onAttempt: metrics.attemptsOf('erasures'),
    ...background,
  });

  /** Tells the applications of a person's teams how they are. */
  async function tellWhereabouts(tx: Tx, userId: string): Promise<void> {
    if (!(await whereabouts.atOnce(tx, userId))) await erasure.later(tx, 'whereabouts', userId);
  }

  const forget: DeletionDeps['forget'] = [...forgetAtOnce, (tx, { id }) => erasure.later(tx, 'person', id)];

  return {
    /** Erasure for a deleted account, within the deleting transaction. */
    forget,
    withdrawTeam: (tx: Tx, teamId: string) => erasure.later(tx, 'withdrawal', teamId),
    later: erasure.later,
    tellWhereabouts,
    schemas: [AuditEntry],
    async routes(server: FastifyInstance) {
      auditRoutes(server, { db, audit: auditService({ db }), record });
      operationsRoutes(server, {
        db,
        metrics,
        key: parts.keys.cookie,
        metricsToken: config.METRICS_TOKEN,
        status,
        isServing,
        behindMs: async () => (await messaging.newestAt()) - clock(),
        checkSchema: (reader) => assertMigrated(reader, migrations),
        clockDeviation,
        tellOtherKey: () => tellOtherCookieKey(db, parts.keys.cookie),
        copyStatus: parts.copyStatus,
        siblings: parts.siblings,
      });
      serverRoutes(server, {
        facts: {
          registration: config.REGISTRATION,
          profile_visibility: config.PROFILE_VISIBILITY,
          custom_emoji: config.CUSTOM_EMOJI,
          link_previews: config.LINK_PREVIEWS === 'on',
          application_posting: config.APPLICATION_POSTING,
          version,
          mail: mailTransport !== undefined,
          max_upload_bytes: config.MAX_UPLOAD_BYTES,
          max_text_length: config.MAX_TEXT_LENGTH,
          scopes: SCOPES,
        },
        hasAccounts: () => users.anybody(db),
        letsDomainsIn,
        needsLink: needsSetUpLink,
      });
      wellKnownRoutes(server, {
        contact: config.SECURITY_CONTACT,
        baseUrl,
        clock,
        passwordPage: PASSWORD_PAGE,
      });
      statusRoutes(server, { status, settings: listSettings(config) });
      backupRoutes(server, backups);
      await server.register(docsRoutes, { events, guides: parts.guidesFolder });
    },
    housekeeping: [...auditCleaning(db, clock, config.AUDIT_RETENTION), erasure.beginTeams],
    start: () => {
      erasure.wake();
      schedule.start();
    },
    stop: () => Promise.all([erasure.stop(), schedule.stop()]),
    /** Answers that last as long as the client reads them. */
    downloads: backups,
  };
}
