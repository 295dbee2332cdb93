import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { AnsweredRequest, LimitName } from '#api';
import type { DatabaseLoad, Dialect, ReplicaStatus, Watcher } from '#platform/db/index.ts';
import { type OnAttempt, OUTCOMES } from '#platform/jobs/index.ts';
import type { CopyStatus } from '../../../ops/copy/copier.ts';
import type { ServerStatus } from './status.service.ts';

const SIGN_INS = ['unknown_account', 'wrong_password', 'deactivated'] as const;
const FAULTS = ['unavailable', 'failed'] as const;
/** Queues whose attempts can fail one by one. */
const QUEUES = [
  'callbacks',
  'mails',
  'mail_jobs',
  'notices',
  'pushes',
  'icons',
  'scheduled',
  'erasures',
] as const;

/** A queue whose first work has been due for so long is behind. */
export const BEHIND_S = 60;

const SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export type Metrics = ReturnType<typeof metrics>;

/**
 * Counts for Prometheus, in registries of this server's own.
 * @param given.process the number of this process where several share a port: its series have it as a label, since the counters
 * of each begin at zero by themselves, and a sum of them would jump
 */
export function metrics(given: { version: string; database: Dialect; process?: number | undefined }) {
  const { version, database } = given;
  const registry = new Registry();
  if (given.process !== undefined) registry.setDefaultLabels({ process: String(given.process) });
  /** The same for all processes, and told once. */
  const common = new Registry();
  new Gauge({
    name: 'parley_build_info',
    help: 'Always 1; the version of the program and the kind of its database',
    labelNames: ['version', 'database'],
    registers: [common],
  }).set({ version, database }, 1);
  const requests = new Histogram({
    name: 'parley_http_request_seconds',
    help: 'Answered requests by route and status, and how long they took',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: SECONDS_BUCKETS,
    registers: [registry],
  });
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const commonGauge = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [common] });
  const waiting = commonGauge('parley_queue_waiting', 'Work that is still to be done, counted to 10,000', [
    'queue',
  ]);
  const oldest = commonGauge(
    'parley_queue_oldest_seconds',
    'How long the first work of a queue has been due',
    ['queue'],
  );
  const behind = commonGauge(
    'parley_queue_behind',
    'Queues whose first work has been due for a minute, by the reason: it failed, a worker has it, or none came to it',
    ['queue', 'reason'],
  );
  const databaseUp = commonGauge('parley_database_up', 'Whether the database answered for these metrics');
  const streams = gauge('parley_streams', 'Streams of live events that are open at this process');
  const diskFree = commonGauge('parley_disk_free_bytes', 'Free space on the disk of DATA_DIR');
  const diskSize = commonGauge('parley_disk_size_bytes', 'Size of the disk of DATA_DIR');
  const databaseFull = gauge(
    'parley_database_full',
    'Whether the last write failed because the disk is full',
  );
  const clockDeviation = gauge(
    'parley_clock_deviation_seconds',
    'How far the clock of this machine is ahead of that of PostgreSQL; 0 with SQLite',
  );
  const commits = new Histogram({
    name: 'parley_database_commit_seconds',
    help: 'How long commits take, by step',
    labelNames: ['step'] as const,
    buckets: SECONDS_BUCKETS,
    registers: [registry],
  });
  for (const step of database === 'sqlite' ? (['write', 'sync'] as const) : (['commit'] as const))
    commits.zero({ step });
  const ofDatabase = database === 'sqlite' ? sqliteMetrics(registry) : postgresMetrics(registry);
  /** A counter with one label, whose values are known: each is there from the start, so that its increase is seen. */
  const counter = <Value extends string>(
    name: string,
    help: string,
    label: string,
    values: readonly Value[],
  ) => {
    const made = new Counter({ name, help, labelNames: [label], registers: [registry] });
    for (const value of values) made.inc({ [label]: value }, 0);
    return (value: Value) => made.inc({ [label]: value });
  };
  const limited = counter<LimitName>(
    'parley_rate_limited_total',
    'Requests refused by a limit, by the reason that they were answered',
    'limit',
    [],
  );
  const outcomes = {
    callbacks: counter('parley_callback_attempts_total', 'Calls to applications', 'outcome', OUTCOMES),
    mails: counter('parley_mail_attempts_total', 'Mails handed to the mail server', 'outcome', OUTCOMES),
  };
  const queueFailures = counter(
    'parley_queue_failures_total',
    'Attempts at the work of a queue that failed, whether they are repeated or given up',
    'queue',
    QUEUES,
  );
  // Finding the series by its labels costs more than counting: each is found once.
  const known = new Map<string, ReturnType<typeof requests.labels>>();
  let collecting = false;
  // Only where a backup is known: a time of 0 would look like a very old one.
  let backup: Gauge | undefined;
  // Only where several share a port.
  let silent: Gauge | undefined;
  // Only where somebody is reminded.
  let backupLate: Gauge | undefined;
  const backupFailures = new Counter({
    name: 'parley_backup_failures_total',
    help: 'Scheduled backups that this process could not make',
    registers: [registry],
  });
  const textOfProcess = () => {
    // Only once somebody asks: the process metrics watch the event loop and the collector from then on.
    if (!collecting) collectDefaultMetrics({ register: registry });
    collecting = true;
    return registry.metrics();
  };
  let ofReplica: ReturnType<typeof replicaMetrics> | undefined;
  let ofCopy: ReturnType<typeof copyMetrics> | undefined;
  return {
    observe: ({ method, route, status, milliseconds, limit }: AnsweredRequest) => {
      if (limit !== undefined) limited(limit);
      const key = `${status} ${method} ${route}`;
      let series = known.get(key);
      if (!series) {
        series = requests.labels({ method, route, status });
        known.set(key, series);
      }
      series.observe(milliseconds / 1000);
    },
    /** Counts the attempts of one queue. Of calls and mails, those that succeed as well. */
    attemptsOf:
      (queue: (typeof QUEUES)[number]): OnAttempt =>
      (outcome) => {
        if (queue === 'callbacks' || queue === 'mails') outcomes[queue](outcome);
        if (outcome !== 'succeeded') queueFailures(queue);
      },
    refusedSignIn: counter(
      'parley_sign_ins_refused_total',
      'Sign-ins that were refused after the password was compared',
      'reason',
      SIGN_INS,
    ),
    backgroundError: counter(
      'parley_background_errors_total',
      'Work outside of requests that failed, and is repeated: the database was away, or another fault',
      'kind',
      FAULTS,
    ),
    failedBackup: () => backupFailures.inc(),
    /** Shows the state of the server; undefined while the database does not answer. */
    show: (status: Awaited<ReturnType<ServerStatus['readLoad']>> | undefined) => {
      databaseUp.set(status === undefined ? 0 : 1);
      waiting.reset();
      oldest.reset();
      behind.reset();
      if (status === undefined) return;
      for (const [queue, state] of Object.entries(status.queues)) {
        waiting.set({ queue }, state.waiting);
        oldest.set({ queue }, state.oldest_seconds ?? 0);
        if (state.reason !== null && (state.oldest_seconds ?? 0) >= BEHIND_S)
          behind.set({ queue, reason: state.reason }, 1);
      }
      if (status.disk) {
        diskFree.set(status.disk.free);
        diskSize.set(status.disk.size);
      }
      if (status.backup.every_seconds > 0) {
        backupLate ??= commonGauge(
          'parley_backup_late_after_seconds',
          'From which age on the last backup is too old: twice BACKUP_EVERY',
        );
        backupLate.set(2 * status.backup.every_seconds);
      }
      if (status.backup.last_at !== null) {
        backup ??= commonGauge('parley_last_backup_timestamp_seconds', 'When the last backup was made here');
        backup.set(status.backup.last_at);
      }
    },
    /** Shows what is known without asking the database. */
    showProcess: (state: ProcessState) => {
      streams.set(state.streams);
      databaseFull.set(state.isFull ? 1 : 0);
      clockDeviation.set(state.clockDeviation / 1000);
      ofDatabase.show(state);
    },
    /** Hears of commits and waits. */
    ofDatabase: {
      committed: (step, ms) => commits.observe({ step }, ms / 1000),
      waited: ofDatabase.waited,
    } satisfies Watcher,
    /** @param count of the processes that share the port, those that did not tell their metrics */
    showSilent: (count: number) => {
      silent ??= commonGauge(
        'parley_processes_silent',
        'Processes that share the port and did not tell their metrics: they start, or they or the supervisor are frozen',
      );
      silent.set(count);
    },
    showReplica: (replica: ReplicaStatus) => {
      ofReplica ??= replicaMetrics(registry);
      ofReplica(replica);
    },
    showCopy: (copy: CopyStatus) => {
      ofCopy ??= copyMetrics(registry);
      ofCopy(copy);
    },
    /** @param others the texts of the other processes that share the port */
    text: async (others: readonly string[] = []) =>
      joined([await common.metrics(), await textOfProcess(), ...others]),
    textOfProcess,
    contentType: registry.contentType,
  };
}

/** One text of several. The series of one name stand together, below what tells their meaning. */
function joined(texts: readonly string[]): string {
  const series = new Map<string, string[]>();
  for (const block of texts.flatMap((text) => text.trimEnd().split('\n\n'))) {
    const [help, type, ...lines] = block.split('\n');
    const head = `${help}\n${type}`;
    series.set(head, [...(series.get(head) ?? []), ...lines]);
  }
  return [...series].map(([head, lines]) => `${[head, ...lines].join('\n')}\n`).join('\n');
}

interface ProcessState extends DatabaseLoad {
  readonly streams: number;
  readonly isFull: boolean;
  /** In milliseconds. */
  readonly clockDeviation: number;
}

function sqliteMetrics(registry: Registry) {
  const log = new Gauge({
    name: 'parley_sqlite_log_bytes',
    help: 'Size of the write-ahead log; a checkpoint every 16 MiB keeps it small',
    registers: [registry],
  });
  return { show: ({ logBytes = 0 }: DatabaseLoad) => log.set(logBytes), waited: () => undefined };
}

function postgresMetrics(registry: Registry) {
  const connections = new Gauge({
    name: 'parley_database_connections',
    help: 'Connections of this process to PostgreSQL, by use',
    labelNames: ['pool', 'state'] as const,
    registers: [registry],
  });
  const waiting = new Gauge({
    name: 'parley_database_waiting',
    help: 'Who waits for a connection at present',
    labelNames: ['pool'] as const,
    registers: [registry],
  });
  const waits = new Histogram({
    name: 'parley_database_wait_seconds',
    help: 'How long those waited who found no connection free',
    buckets: SECONDS_BUCKETS,
    registers: [registry],
  });
  return {
    show: ({ pools }: DatabaseLoad) => {
      for (const pool of ['readers', 'writers'] as const) {
        const { used = 0, idle = 0, waiting: callers = 0 } = pools?.[pool] ?? {};
        connections.set({ pool, state: 'used' }, used);
        connections.set({ pool, state: 'idle' }, idle);
        waiting.set({ pool }, callers);
      }
    },
    waited: (ms: number) => waits.observe(ms / 1000),
  };
}

/** Series that only a server with a replica has. */
function replicaMetrics(registry: Registry) {
  const up = new Gauge({
    name: 'parley_replica_up',
    help: 'Whether lists are read from the replica at present',
    registers: [registry],
  });
  const lists = new Counter({
    name: 'parley_lists_total',
    help: 'Lists and searches, by where they were read',
    labelNames: ['from'] as const,
    registers: [registry],
  });
  const shown = { replica: 0, primary: 0 };
  return (replica: ReplicaStatus) => {
    up.set(replica.leftOut === undefined ? 1 : 0);
    for (const from of ['replica', 'primary'] as const) {
      lists.inc({ from }, replica.lists[from] - shown[from]);
      shown[from] = replica.lists[from];
    }
  };
}

/** Series that only a server with COPY_TO has. */
function copyMetrics(registry: Registry) {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const until = gauge(
    'parley_copy_until_timestamp_seconds',
    'All commits before this time are in the copy; 0 before there is a copy',
  );
  const uploads = gauge('parley_copy_uploads_waiting', 'Files of uploads that are not in the copy yet');
  const counters = {
    bytes: ['parley_copy_bytes_total', 'Bytes that were put into the copy'],
    failures: ['parley_copy_failures_total', 'Attempts to copy that failed, and are repeated'],
    gaps: ['parley_copy_gaps_total', 'How often the copy started over, so that moments before are missing'],
  } as const;
  const made = Object.entries(counters).map(([name, [series, help]]) => {
    const counter = new Counter({ name: series, help, registers: [registry] });
    let shown = 0;
    return (copy: CopyStatus) => {
      const value = copy[name as keyof typeof counters];
      counter.inc(value - shown);
      shown = value;
    };
  });
  return (copy: CopyStatus) => {
    until.set((copy.copiedUntil ?? 0) / 1000);
    uploads.set(copy.uploadsWaiting);
    for (const show of made) show(copy);
  };
}
