import { statfs } from 'node:fs/promises';
import { timestamp } from '#api';
import type { Database, Reader } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { QueueState } from '#platform/jobs/index.ts';
import { reasonOf, type WaitingRow } from './queue-reasons.ts';
import { countAll, sumUploads, waitingEvents, waitingForIndex } from './status.store.ts';

/** Queues that each database has. */
const KEPT = [
  'callbacks',
  'webhooks',
  'icons',
  'mails',
  'mail_jobs',
  'mail_streams',
  'notices',
  'team_notices',
  'pushes',
  'previews',
  'scheduled',
  'erasures',
] as const;
type Kept = (typeof KEPT)[number];
export type QueueStates = Record<Kept, QueueState>;

export type ServerStatus = ReturnType<typeof serverStatus>;

/** How the server is: what its administrators look at. */
export function serverStatus(deps: {
  db: Database;
  clock: Clock;
  version: string;
  /** The folder of the settings, where uploads are unless they have a store. */
  dataFolder: string;
  /** The folder of uploads; undefined for a store elsewhere. */
  filesFolder: string | undefined;
  countStreams: () => number;
  backups: () => Promise<{
    last_at: number | null;
    state: 'ok' | 'late' | 'missing';
    scheduled: boolean;
    failed: boolean;
    every_seconds: number;
  }>;
  queues: QueueStates;
}) {
  const { db, clock, version, dataFolder, filesFolder, countStreams, backups, queues } = deps;
  const startedAt = clock();

  async function read() {
    const [database, storage, counts, waiting, backup] = await Promise.all([
      describeDatabase(db),
      describeStorage(),
      countAll.first(db, {}),
      describeQueues(db, clock(), queues),
      backups(),
    ]);
    return {
      version,
      node: process.version,
      started_at: timestamp(startedAt),
      database,
      storage,
      counts: {
        users: counts?.users ?? 0,
        active_users: counts?.active_users ?? 0,
        teams: counts?.teams ?? 0,
        messages: counts?.messages ?? 0,
        applications: counts?.applications ?? 0,
        installations: counts?.installations ?? 0,
      },
      queues: waiting,
      backup,
      streams: countStreams(),
      memory: { rss_bytes: process.memoryUsage.rss() },
    };
  }

  async function describeStorage() {
    const sum = await sumUploads.first(db, {});
    const kind = filesFolder === undefined ? ('s3' as const) : ('folder' as const);
    return {
      kind,
      files: sum?.files ?? 0,
      bytes: Number(sum?.bytes ?? 0),
      disk_free_bytes: filesFolder === undefined ? null : await freeBytes(filesFolder),
    };
  }

  /** What metrics show: nothing here grows with what people write. */
  async function readLoad() {
    const [waiting, disk, backup] = await Promise.all([
      describeQueues(db, clock(), queues),
      diskOf(dataFolder),
      backups(),
    ]);
    return { queues: waiting, disk, backup };
  }

  return { read, readLoad, countStreams };
}

/** What waits in each queue, how late it is and why. */
export async function describeQueues(db: Reader, now: number, queues: QueueStates) {
  const [events, index, ...kept] = await Promise.all([
    db.dialect === 'postgres' ? waitingEvents.first(db, {}) : undefined,
    waitingForIndex.first(db, {}),
    ...KEPT.map(async (name) => [name, queue(await queues[name].first(db, {}), now)] as const),
  ]);
  return {
    ...(Object.fromEntries(kept) as Record<Kept, ReturnType<typeof queue>>),
    events: queue(events, now),
    search_index: queue(index, now),
  };
}

/** Work that is planned for later waits, but is not late. */
function queue(row: WaitingRow | undefined, now: number) {
  const late = row?.since === null || row === undefined ? null : (now - row.since) / 1000;
  const oldest_seconds = late === null || late < 0 ? null : late;
  return {
    waiting: row?.waiting ?? 0,
    oldest_seconds,
    reason: row === undefined || oldest_seconds === null ? null : reasonOf(row, now),
  };
}

async function describeDatabase(db: Database) {
  const ask =
    db.dialect === 'postgres'
      ? "SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS size"
      : 'SELECT sqlite_version() AS version, page_count * page_size AS size FROM pragma_page_count, pragma_page_size';
  const [row] = await db.all<{ version: string; size: number }>(ask, []);
  return { kind: db.dialect, version: row?.version ?? '', size_bytes: Number(row?.size ?? 0) };
}

/** Null before there is anything in the data folder, which is made when it is needed. */
async function freeBytes(folder: string): Promise<number | null> {
  return (await diskOf(folder))?.free ?? null;
}

async function diskOf(folder: string): Promise<{ free: number; size: number } | undefined> {
  try {
    const { bavail, bsize, blocks } = await statfs(folder);
    return { free: bavail * bsize, size: blocks * bsize };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
