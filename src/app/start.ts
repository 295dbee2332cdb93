import type { OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { FastifyBaseLogger, FastifyInstance, InjectOptions } from 'fastify';
import { listen, reportUnavailable } from '#api';
import { databaseClock } from '#platform/db/database-clock.ts';
import type { Database } from '#platform/db/index.ts';
import { type FileStore, FileStoreUnavailable, newFileName } from '#platform/files/index.ts';
import { type Clock, timeIdsBy } from '#platform/ids.ts';
import type { MailTransport } from '#platform/mail/index.ts';
import { type CallTurns, callTurns, createOutbound, type Lookup } from '#platform/outbound/index.ts';
import { startCopy } from '../../ops/copy/start-copy.ts';
import { VISIT_MS } from '../conversation/previews/index.ts';
import type { PasswordCost } from '../people/accounts/index.ts';
import { refuseAccountsElsewhere } from '../process/accounts-elsewhere.ts';
import { baseUrlOf } from '../process/base-url.ts';
import { type Config, describeConfig } from '../process/config.ts';
import { MAY_SHARE } from '../process/config-checks.ts';
import { openDatabase } from '../process/database.ts';
import { openFileStore, openSpool } from '../process/files.ts';
import { loadKeys, noteCookieKey, refuseOtherKeyFirst } from '../process/keys.ts';
import { isForPeople, openLog } from '../process/log.ts';
import { mailTransportOf } from '../process/mail.ts';
import { lookForUploads, tellMissing } from '../process/missing-uploads.ts';
import { claimPort, listening } from '../process/port.ts';
import { type OwnProcess, sharesOf } from '../process/processes.ts';
import { Siblings } from '../process/siblings.ts';
import { version } from '../process/version.ts';
import { MOST_DEVIATION_MS } from '../stewardship/operations/index.ts';
import { createApp } from './app.ts';
import type { AppParts } from './parts.ts';

/** The folder in which `npm start` puts the built web application. */
export const webFolder = fileURLToPath(new URL('../../web/dist', import.meta.url));
/** The one with the guides and clients that a server hands out. */
export const guidesFolder = fileURLToPath(new URL('../../build/guides', import.meta.url));

export interface RunningServer {
  /** The server's public address, without a trailing slash. */
  readonly url: string;
  readonly db: Database;
  /** The link with which the first account is made; undefined once there is an account. */
  readonly setUpUrl: string | undefined;
  /** Answers a request without a network, for code inside the server's own process. */
  inject(
    request: InjectOptions,
  ): Promise<{ statusCode: number; headers: OutgoingHttpHeaders; payload: string }>;
  /** Finishes work in progress, then releases the port and the database. */
  stop(): Promise<void>;
}

/** Replacements that tests and benches may inject. */
export interface StartOptions {
  readonly clock?: Clock;
  readonly lookup?: Lookup;
  readonly workerIntervalMs?: number;
  readonly workerRest?: number;
  readonly leaseRenewalMs?: number;
  readonly housekeepingMs?: number;
  readonly searchPatienceMs?: number;
  readonly searchTurnMs?: number;
  readonly rateExchangeMs?: number;
  readonly passwordCost?: PasswordCost | undefined;
  /** Where calls of one owner wait for each other. */
  readonly callTurns?: CallTurns;
  /** Previews of pages on this machine, by plain HTTP. */
  readonly previewsOfLoopback?: boolean;
  readonly logger?: FastifyBaseLogger;
  readonly webFolder?: string;
  /** Which of the processes that share the port this one is. */
  readonly own?: OwnProcess | undefined;
}

/** Opens and migrates the database, and listens. @throws ConfigError for settings that cannot work */
export async function startServer(given: Config, options: StartOptions = {}): Promise<RunningServer> {
  const config = sharesOf(given, options.own?.of ?? 1);
  const logger = options.logger ?? openLog(config).logger;
  logger.info({ version, settings: describeConfig(given) }, 'starting');
  // A person has read them in the terminal already.
  const isFirst = (options.own?.number ?? 1) === 1;
  if (isFirst && !isForPeople(config)) for (const warning of config.warnings) logger.warn(warning);
  const { db, applied } = await openDatabase(
    config,
    (error) => reportUnavailable(logger, error),
    (options.clock ?? Date.now)(),
    (primary) => logger.warn({ primary }, 'PostgreSQL has another primary'),
    async (db) => {
      await refuseAccountsElsewhere(config, db);
      await refuseOtherKeyFirst(config, db);
    },
  );
  if (applied.length > 0) logger.info({ applied }, 'database migrated');
  const copier = await startCopy(config, db, logger);
  const close = async () => {
    await copier?.stop();
    await db.close();
    copier?.release();
  };
  try {
    const copyStatus = copier && (() => copier.status());
    return await serve(config, { db, copyStatus, close }, logger, options);
  } catch (error) {
    await close();
    throw error;
  }
}

async function serve(
  config: Config,
  storage: Pick<AppParts, 'db' | 'copyStatus'> & { close(): Promise<void> },
  logger: FastifyBaseLogger,
  options: StartOptions,
): Promise<RunningServer> {
  const { db, copyStatus, close } = storage;
  const time = await clockOf(db, logger, options);
  const clock = time?.now ?? options.clock ?? Date.now;
  const keys = await loadKeys(config, db);
  const otherKey = await noteCookieKey(db, keys.cookie);
  if (otherKey !== undefined) logger.warn(otherKey);
  let own: { port: number; url: string } | undefined;
  const turns = options.callTurns ?? callTurns(config.CALLBACK_TIMEOUT * 1000);
  const outbound = createOutbound({
    allowLoopback: config.loopbackApps,
    timeoutMs: config.CALLBACK_TIMEOUT * 1000,
    userAgent: `Parley/${version}`,
    own: () => own,
    showLoopback: config.ALLOW_LOOPBACK_APPS === 'yes',
    nameServers: config.DNS_SERVERS,
    clock,
    turns,
    ...(options.lookup && { lookup: options.lookup }),
  });
  // Anybody names these addresses, so that this machine is never among them, whatever applications may do.
  const pages = createOutbound({
    allowLoopback: options.previewsOfLoopback ?? false,
    turns,
    timeoutMs: VISIT_MS,
    userAgent: `ParleyPreview/${version} (link preview)`,
    own: () => own,
    nameServers: config.DNS_SERVERS,
    clock,
    ...(options.lookup && { lookup: options.lookup }),
  });
  const files = await openFileStore(config);
  const mailTransport = await mailTransportOf(config);
  let url = '';
  const app = await createApp({
    config,
    keys,
    db,
    clock,
    outbound,
    pages,
    previewsOfLoopback: options.previewsOfLoopback ?? false,
    mailTransport,
    files,
    spool: openSpool(config),
    copyStatus,
    siblings: options.own && new Siblings(options.own),
    logger,
    version,
    clockDeviation: () => time?.deviation() ?? 0,
    webFolder: options.webFolder ?? webFolder,
    guidesFolder,
    baseUrl: () => url,
    ...(options.workerIntervalMs !== undefined && { workerIntervalMs: options.workerIntervalMs }),
    ...(options.workerRest !== undefined && { workerRest: options.workerRest }),
    ...(options.leaseRenewalMs !== undefined && { leaseRenewalMs: options.leaseRenewalMs }),
    ...(options.housekeepingMs !== undefined && { housekeepingMs: options.housekeepingMs }),
    ...(options.searchPatienceMs !== undefined && { searchPatienceMs: options.searchPatienceMs }),
    ...(options.searchTurnMs !== undefined && { searchTurnMs: options.searchTurnMs }),
    ...(options.rateExchangeMs !== undefined && { rateExchangeMs: options.rateExchangeMs }),
    ...(options.passwordCost && { passwordCost: options.passwordCost }),
  });
  const stop = async () => {
    await app.stop();
    await time?.stop();
    await files.close();
  };
  try {
    await app.prepare();
    await listenAt(app.server, config, options.own !== undefined);
    const { port } = app.server.server.address() as AddressInfo;
    url = baseUrlOf(config, port);
    own = { port, url };
    await app.start();
    if (mailTransport) void warnOfMailServer(mailTransport, logger);
    void warnOfUploads(config, { db, files }, logger);
  } catch (error) {
    await stop();
    throw error;
  }
  const setUpToken = await app.setUpToken();
  return {
    url,
    db,
    setUpUrl: setUpToken && `${url}/set-up#${setUpToken}`,
    inject: (request) => app.server.inject(request),
    stop: once(async () => {
      await stop();
      await close();
    }),
  };
}

/**
 * The most connections that wait at a socket to be accepted; the system has a limit of its own, below it. Thousands come at
 * once when another server dies, and those above the limit may hang for minutes.
 */
const BACKLOG = 65_535;

/** How many sockets of a process that serves alone wait for connections at each address. */
const SOCKETS = 8;

/**
 * @param isSharing whether other processes of this server listen there, too. Each has one socket: a caller whom a process
 * resets while it is replaced finds another one at the second try
 */
async function listenAt(server: FastifyInstance, { PORT, HOST }: Config, isSharing: boolean): Promise<void> {
  const sockets = MAY_SHARE && !isSharing ? SOCKETS : 1;
  const isClaimed = MAY_SHARE && PORT !== 0 && !isSharing;
  const leave = isClaimed ? await claimPort({ PORT, HOST }) : undefined;
  try {
    await listening(() =>
      listen(server, { port: PORT, host: HOST, backlog: BACKLOG, sockets, isShared: MAY_SHARE }),
    );
  } finally {
    leave?.();
  }
}

export const MEASURE_EVERY_MS = 60_000;

/** PostgreSQL provides the time, because leases, lifetimes and ids are compared across nodes. */
async function clockOf(db: Database, logger: FastifyBaseLogger, { clock }: StartOptions) {
  if (clock || db.dialect !== 'postgres') return undefined;
  const time = await databaseClock(db, {
    everyMs: MEASURE_EVERY_MS,
    onMeasured: (deviation) => {
      if (Math.abs(deviation) > MOST_DEVIATION_MS)
        logger.warn({ milliseconds: deviation }, 'the clock of this machine differs from that of PostgreSQL');
    },
    onError: (error) => reportUnavailable(logger, error),
  });
  timeIdsBy(time.now);
  return time;
}

/** Beside the start: mails wait and are tried again, so a mail server that is away stops nothing. */
async function warnOfMailServer(transport: MailTransport, logger: FastifyBaseLogger): Promise<void> {
  const reason = await transport.check();
  if (reason === undefined) return;
  logger.warn(
    { reason },
    'The mail server of SMTP_URL cannot be used: mails wait. Check its address, user and password.',
  );
}

/** Beside the start, too: all but uploads works without the store. */
async function warnOfUploads(
  { S3_BUCKET }: Config,
  { db, files }: { db: Database; files: FileStore },
  logger: FastifyBaseLogger,
): Promise<void> {
  try {
    // An object that is not there: the store answers, and the key may read.
    if (S3_BUCKET !== undefined) (await files.get(newFileName()))?.destroy();
    const told = tellMissing(await lookForUploads((sql) => db.all<{ file: string }>(sql, []), files));
    if (told !== undefined) logger.warn(told);
  } catch (error) {
    // The server was stopped meanwhile, or the database is away, which is told elsewhere.
    if (!(error instanceof FileStoreUnavailable)) return;
    const advice =
      S3_BUCKET === undefined
        ? 'Uploads cannot be read: look at the folder DATA_DIR/files.'
        : 'The bucket of S3_BUCKET cannot be used: uploads fail. Check the S3 settings, and the rights of the key.';
    logger.warn({ reason: error.message }, advice);
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}
