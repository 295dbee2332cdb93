import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { AnsweredRequest, LimitName } from '#api';
import type { ReplicaStatus } from '#platform/db/index.ts';
import { type OnAttempt, OUTCOMES } from '#platform/jobs/index.ts';
import type { ServerStatus } from './status.service.ts';

const SIGN_INS = ['unknown_account', 'wrong_password', 'deactivated'] as const;
const FAULTS = ['unavailable', 'failed'] as const;
/** Queues whose attempts can fail one by one. */
const QUEUES = ['callbacks', 'mails', 'mail_jobs', 'notices', 'pushes', 'icons', 'erasures'] as const;

const SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export type Metrics = ReturnType<typeof metrics>;

/** Counts for Prometheus, in a registry of this server's own. */
export function metrics() {
  const registry = new Registry();
  const requests = new Histogram({
    name: 'parley_http_request_seconds',
    help: 'Answered requests by route and status, and how long they took',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: SECONDS_BUCKETS,
    registers: [registry],
  });
  const gauge = (name: string, help: string, labelNames: 'queue'[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const waiting = gauge('parley_queue_waiting', 'Work that is still to be done, counted to 10,000', [
    'queue',
  ]);
  const oldest = gauge('parley_queue_oldest_seconds', 'How long the first work of a queue has been due', [
    'queue',
  ]);
  const databaseUp = gauge('parley_database_up', 'Whether the database answered for these metrics');
  const streams = gauge('parley_streams', 'Streams of live events that are open at this process');
  const diskFree = gauge(
    'parley_disk_free_bytes',
    'Free space where uploads are kept, unless they are in S3',
  );
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
  let ofReplica: ReturnType<typeof replicaMetrics> | undefined;
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
    /** Shows the state of the server; undefined while the database does not answer. */
    show: (status: Awaited<ReturnType<ServerStatus['read']>> | undefined) => {
      databaseUp.set(status === undefined ? 0 : 1);
      waiting.reset();
      oldest.reset();
      if (status === undefined) return;
      for (const [queue, state] of Object.entries(status.queues)) {
        waiting.set({ queue }, state.waiting);
        oldest.set({ queue }, state.oldest_seconds ?? 0);
      }
      streams.set(status.streams);
      if (status.storage.disk_free_bytes !== null) diskFree.set(status.storage.disk_free_bytes);
    },
    showReplica: (replica: ReplicaStatus) => {
      ofReplica ??= replicaMetrics(registry);
      ofReplica(replica);
    },
    text: () => {
      // Only once somebody asks: the process metrics watch the event loop and the collector from then on.
      if (!collecting) collectDefaultMetrics({ register: registry });
      collecting = true;
      return registry.metrics();
    },
    contentType: registry.contentType,
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
