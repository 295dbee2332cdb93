import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { timestamp } from '#api';
import type { Database } from '#platform/db/index.ts';
import { keepWhole } from '#platform/files/index.ts';
import type { Clock } from '#platform/ids.ts';
import { type KeepLease, LEASE_MS, startRounds } from '#platform/jobs/index.ts';
import type { Manifest } from '../../../ops/backup/manifest.ts';
import type { Pack } from '../../../ops/backup/pack.ts';
import type { Recorder } from '../audit/index.ts';
import { beginSchedule, findSchedule, firstAccount, lastBackup, swapSchedule } from './backup.store.ts';
import { explain } from './explain.ts';
import {
  dueAt,
  judgeBackups,
  latest,
  latestAt,
  lookEveryMs,
  readSchedule,
  type Schedule,
} from './schedule.ts';

/** A backup that was made. */
export interface MadeBackup {
  readonly file: string;
  readonly bytes: number;
  readonly files: number;
  /** Uploads that the database names and that are not there. */
  readonly lost: number;
}

const NEW = { until: 0, tried_at: 0, made_at: 0, failed: false };

/**
 * Makes a backup now and then, by one server among those on one database, and deletes old ones.
 * @param deps.folder undefined where none are made here
 * @param deps.everyMs how often; without a folder, how often one is expected of others
 * @param deps.keep how many stay @param deps.intervalMs how often to look at most seldom whether one is due
 */
export function scheduledBackups(deps: {
  db: Database;
  clock: Clock;
  folder: string | undefined;
  everyMs: number;
  keep: number;
  pack: Pack;
  record: Recorder;
  keepLease: KeepLease;
  intervalMs: number;
  onMade: (made: MadeBackup) => void;
  /** @param told one line for the operator, where the folder is the reason */
  onFailed: (error: unknown, told: string | undefined) => void;
  onError: (error: unknown) => void;
}) {
  const { db, clock, folder, everyMs, keep, pack, record, keepLease, intervalMs, onError } = deps;
  const stopping = new AbortController();

  async function work(): Promise<void> {
    if (folder === undefined) return;
    const before = (await findSchedule.first(db, {}))?.value ?? (await begin());
    const present = readSchedule(before) as Schedule;
    const now = clock();
    // After a clock that was ahead: what it wrote would keep servers from making any until then.
    const isAhead = Math.max(present.until, present.tried_at, present.made_at) > latestAt(now);
    if (!isAhead && (now < present.until || now < dueAt(present, everyMs))) return;
    // As failed: what kills the server while it makes one is not begun again at once.
    const claimed = { ...present, until: now + LEASE_MS, tried_at: now, failed: true };
    if (!(await swap(before, claimed))) return;
    await carryOut(folder, present, claimed);
  }

  async function begin(): Promise<string> {
    const value = JSON.stringify({ name: randomBytes(4).toString('hex'), ...NEW });
    await db.write((tx) => beginSchedule.run(tx, { value }));
    return (await findSchedule.first(db, {}))?.value ?? value;
  }

  async function swap(before: string, after: Schedule): Promise<boolean> {
    const value = JSON.stringify(after);
    return (await db.write((tx) => swapSchedule.all(tx, { before, value }))).length > 0;
  }

  async function carryOut(where: string, present: Schedule, claimed: Schedule): Promise<void> {
    const as = (until: number) => JSON.stringify({ ...claimed, until });
    const lease = keepLease(claimed.until, async (tx, { held, until }) => {
      const [row] = await swapSchedule.all(tx, { before: as(held), value: as(until) });
      return row;
    });
    let made: MadeBackup | undefined;
    let failure: unknown;
    try {
      made = await make(where, claimed);
    } catch (error) {
      failure = error;
    }
    const held = await lease.end();
    if (!made && stopping.signal.aborted) return void (await swap(as(held), { ...present, until: 0 }));
    const failed = made === undefined;
    const after = { ...claimed, until: 0, failed, ...(made && { made_at: claimed.tried_at }) };
    if (made) deps.onMade(made);
    else deps.onFailed(failure, explain(failure, where));
    await db.write(async (tx) => {
      // A server that was frozen for long has lost its lease: another one has made it meanwhile.
      if ((await swapSchedule.all(tx, { before: as(held), value: JSON.stringify(after) })).length === 0)
        return;
      await record(tx, {
        action: made ? 'backup.made' : 'backup.failed',
        detail: { scheduled: true, ...(made && { bytes: made.bytes, files: made.files }) },
      });
    });
  }

  async function make(where: string, { name, tried_at }: Schedule): Promise<MadeBackup> {
    await mkdir(where, { recursive: true, mode: 0o700 });
    // Left behind by a killed server.
    const left = new RegExp(`^\\.${ownName(name)}\\.[\\w.-]+$`);
    for (const one of await readdir(where, { withFileTypes: true }))
      if (one.isFile() && left.test(one.name)) await rm(join(where, one.name), { force: true });
    const called = `parley-${name}-${timeIn(tried_at)}.zip`;
    const file = join(where, called);
    let manifest: Manifest | undefined;
    const content = await pack({
      copy: join(where, `.${called}.database`),
      complete: async (packed) => {
        manifest = packed;
      },
      signal: stopping.signal,
    });
    try {
      await keepWhole(file, content);
    } finally {
      content.destroy();
    }
    await deleteOld(where, name, called);
    const { size } = await stat(file);
    return { file, bytes: size, files: manifest?.files ?? 0, lost: manifest?.lost.length ?? 0 };
  }

  /** Only files with the name that this one gives. Names in the future are of a clock that was ahead: the newest was just made. */
  async function deleteOld(where: string, name: string, newest: string): Promise<void> {
    const own = new RegExp(`^${ownName(name)}$`);
    const all = (await readdir(where)).filter((one) => own.test(one)).sort();
    const inOrder = [...all.filter((one) => one > newest), ...all.filter((one) => one <= newest)];
    for (const one of inOrder.slice(0, -keep)) await rm(join(where, one), { force: true });
  }

  /** The state shown to administrators. */
  async function state() {
    const now = clock();
    const [audited, row, first] = await Promise.all([
      lastBackup.first(db, { latestAt: latestAt(now) }),
      findSchedule.first(db, {}),
      firstAccount.first(db, {}),
    ]);
    const schedule = folder === undefined ? undefined : readSchedule(row?.value);
    const lastAt = latest(now, audited?.at, readSchedule(row?.value));
    return {
      last_at: lastAt === undefined ? null : timestamp(lastAt),
      state: judgeBackups({ now, everyMs, lastAt, since: first?.created_at }),
      scheduled: folder !== undefined,
      failed: schedule?.failed === true && schedule.until <= now,
      every_seconds: everyMs / 1000,
    };
  }

  const rounds = startRounds({
    work,
    ...(folder !== undefined && { intervalMs: lookEveryMs(everyMs, intervalMs) }),
    onError,
  });
  return {
    state,
    start: rounds.wake,
    stop: async () => {
      stopping.abort(new Error('the server is stopping'));
      await rounds.stop();
    },
  };
}

/** The pattern of the names that one schedule gives. */
const ownName = (name: string) => `parley-${name}-\\d{8}T\\d{6}Z\\.zip`;

/** As 20260131T120000Z: sorted by name is sorted by time. */
const timeIn = (at: number) => `${new Date(at).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
