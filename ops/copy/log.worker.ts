import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import {
  frameSize,
  isStillAt,
  LOG_HEADER,
  type LogCommits,
  type LogPlace,
  readCommits,
  readLogHeader,
} from './log-frames.ts';
import { type ChunkFacts, pack, type SegmentFacts } from './parcel.ts';

/*
 * Reads the log of the database in its own thread, on connections of its own, and decides when it starts over.
 *
 * A read transaction is open at all times. One that reads from the log keeps it from starting over, and one that reads from
 * the database alone (all of the log is in it) keeps everybody from writing to the database file: either way nothing
 * is overwritten that was not read, whatever else has the database open.
 */

const { file, database } = workerData as { file: string; database: number };

const BUSY_MS = 5000;
/** The target size of a segment before compression. A larger single mark makes a larger segment. */
const MOST_SEGMENT = 16 * 1024 * 1024;
/** A mark is held in memory. Above this size a base replaces it. */
const MOST_MARK = 256 * 1024 * 1024;
const CHUNK = 8 * 1024 * 1024;

interface Pending extends LogCommits {
  readonly at: number;
}

class Connection {
  readonly #db: DatabaseSync;

  constructor(readOnly: boolean) {
    this.#db = new DatabaseSync(file, { readOnly, timeout: BUSY_MS });
    this.#db.exec('PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -256');
    this.read();
  }

  read(): void {
    this.#db.prepare('SELECT count(*) FROM sqlite_schema').all();
  }

  begin(): void {
    this.#db.exec('BEGIN');
    this.read();
  }

  lock(): void {
    this.#db.exec('BEGIN IMMEDIATE');
  }

  end(): void {
    if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
  }

  /** @returns whether all of the log is in the database, and how many frames the log has */
  checkpoint(): { isWhole: boolean; frames: number } {
    const [row] = this.#db.prepare('PRAGMA wal_checkpoint(PASSIVE)').all() as {
      busy: number;
      log: number;
      checkpointed: number;
    }[];
    const { busy = 1, log = 0, checkpointed = -1 } = row ?? {};
    return { isWhole: busy === 0 && log === checkpointed, frames: log };
  }

  close(): void {
    this.#db.close();
  }
}

const NOWHERE: LogPlace = { salt: undefined, sequence: 0, offset: LOG_HEADER, sums: [0, 0] };

let [holding, other] = [new Connection(true), new Connection(true)];
const frozen = new Connection(true);
const writer = new Connection(false);
const checkpointer = new Connection(false);
let log: number | undefined;
let place = NOWHERE;
/** Set when all of the log was read and checkpointed: the next writer may start it over once. */
let isSealed = false;
let pageSize = 4096;
let pending: Pending[] = [];
let newestAt = 0;
/** Segments already read, whose frames may be overwritten. */
let sealedMarks: Taken[] = [];
const looked = new Map<string, number>();

function logFile(): number | undefined {
  try {
    log ??= openSync(`${file}-wal`, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return log;
}

/** Opens a read transaction, and checks that the log has everything since `from`. */
function open({ from }: { from: LogPlace | undefined }) {
  holding.begin();
  const opened = logFile();
  const header = opened === undefined ? undefined : readLogHeader(opened);
  if (header) pageSize = header.pageSize;
  const isContinuous =
    from !== undefined && opened !== undefined && header !== undefined && isStillAt(opened, header, from);
  if (isContinuous) place = from;
  return { isContinuous };
}

/** @returns why commits may be missing; undefined if none are */
function findPlace(opened: number): string | undefined {
  const header = readLogHeader(opened);
  if (!header) return undefined;
  pageSize = header.pageSize;
  if (header.salt === place.salt)
    return isStillAt(opened, header, place) ? undefined : 'the log was written over';
  const follows = place.salt === undefined || header.sequence === (place.sequence + 1) >>> 0;
  if (!isSealed || !follows) return 'the log started over before it was copied';
  isSealed = false;
  place = { salt: header.salt, sequence: header.sequence, offset: LOG_HEADER, sums: header.sums };
  return undefined;
}

function scan() {
  const opened = logFile();
  const lost = opened === undefined ? undefined : findPlace(opened);
  if (lost !== undefined || opened === undefined) return { lost, ...state() };
  const header = readLogHeader(opened);
  const found = header?.salt === place.salt && header ? readCommits(opened, header, place) : undefined;
  if (found) {
    // Times never decrease, even if the clock is set back.
    newestAt = Math.max(Date.now(), newestAt + 1);
    pending.push({ ...found, at: newestAt });
    place = { ...place, offset: found.end, sums: found.sums };
    isSealed = false;
    if (found.pages.size * pageSize > MOST_MARK) return { lost: 'one change was too large', ...state() };
  }
  return { lost: undefined, ...state() };
}

const state = () => ({
  place,
  isPending: pending.length > 0 || sealedMarks.length > 0,
  /** The frames of the log that are kept from being overwritten. */
  usedBytes: isSealed ? 0 : place.offset,
  fileBytes: log === undefined ? 0 : fstatSync(log).size,
});

interface Taken {
  readonly marks: { at: number; size: number; pages: number[] }[];
  readonly content: Buffer;
  /** The position after them. */
  readonly place: LogPlace;
}

/** The oldest marks that are pending, read from the log. */
function takeMarks(): Taken {
  let bytes = 0;
  const taken = pending.filter(({ pages }, index) => {
    bytes += pages.size * pageSize;
    return index === 0 || bytes <= MOST_SEGMENT;
  });
  pending = pending.slice(taken.length);
  const content = Buffer.alloc(taken.reduce((sum, { pages }) => sum + pages.size, 0) * pageSize);
  let at = 0;
  for (const { pages } of taken)
    for (const offset of pages.values()) at += readSync(log as number, content, at, pageSize, offset);
  if (at !== content.length) throw new Error('the log is shorter than it was');
  const { end: offset, sums } = taken.at(-1) as Pending;
  const marks = taken.map(({ at: when, size, pages }) => ({ at: when, size, pages: [...pages.keys()] }));
  return { marks, content, place: { ...place, offset, sums } };
}

/** Takes the next segment. The caller keeps it until it is stored. */
function segment({ line, number }: { line: string; number: number }) {
  const taken = sealedMarks.shift() ?? takeMarks();
  const facts: SegmentFacts = { line, number, pageSize, marks: taken.marks };
  return {
    object: pack(facts, taken.content),
    at: taken.marks.at(-1)?.at ?? 0,
    /** The state from which the next process continues. */
    place: taken.place,
  };
}

/** Checkpoints most of the log while others write (PASSIVE). */
function checkpoint() {
  rotate();
  return checkpointer.checkpoint();
}

/** Begins the next read before the last one ends. */
function rotate(): void {
  other.begin();
  holding.end();
  [holding, other] = [other, holding];
}

/**
 * Brings the rest of the log into the database while nobody writes, so that the log may start over.
 * @param wanted.freeze keeps the database file as it is then, for a copy
 */
function seal({ freeze }: { freeze: boolean }) {
  writer.lock();
  try {
    const { lost } = scan();
    if (lost !== undefined) return { isSealed: false, lost, tail: 0 };
    while (pending.length > 0) sealedMarks.push(takeMarks());
    holding.end();
    const { isWhole, frames } = checkpointer.checkpoint();
    holding.begin();
    const read = place.salt === undefined ? 0 : (place.offset - LOG_HEADER) / frameSize(pageSize);
    if (isWhole && frames !== read)
      return { isSealed: false, lost: 'the log has frames that were not read', tail: 0 };
    isSealed = isWhole;
    if (isSealed && freeze) frozen.begin();
    return { isSealed, lost: undefined, tail: sealedMarks.length };
  } finally {
    writer.end();
  }
}

/** Discards the position, and starts over from a base. */
function sealAnew() {
  writer.lock();
  try {
    frozen.end();
    holding.end();
    const { isWhole } = checkpointer.checkpoint();
    holding.begin();
    pending = [];
    sealedMarks = [];
    isSealed = isWhole;
    const opened = logFile();
    const header = opened === undefined ? undefined : readLogHeader(opened);
    place = NOWHERE;
    if (isWhole && opened !== undefined && header) {
      const start = { salt: header.salt, sequence: header.sequence, offset: LOG_HEADER, sums: header.sums };
      const all = readCommits(opened, header, start);
      place = all ? { ...start, offset: all.end, sums: all.sums } : start;
      pageSize = header.pageSize;
    }
    if (isSealed) frozen.begin();
    return { isSealed, place };
  } finally {
    writer.end();
  }
}

/** Reads a part of the frozen database file. The file is not opened here: closing it would drop the locks of all connections. */
function chunk({ line, number }: { line: string; number: number }) {
  const content = Buffer.alloc(Math.max(0, Math.min(CHUNK, fstatSync(database).size - number * CHUNK)));
  const facts: ChunkFacts = { line, chunk: number };
  const read = readSync(database, content, 0, content.length, number * CHUNK);
  if (read !== content.length) throw new Error('the database is shorter than it was');
  return { object: pack(facts, content), isLast: (number + 1) * CHUNK >= fstatSync(database).size };
}

const thaw = () => frozen.end();

/** Checkpoints without copying. */
function letGo() {
  frozen.end();
  holding.end();
  other.end();
  checkpointer.checkpoint();
  place = NOWHERE;
  isSealed = false;
  pending = [];
  sealedMarks = [];
}

/** A folder that was changed within this time may change again without a new time. */
const GRAIN_MS = 2000;

/** The files in all folders, or in those that have changed since the last look. */
function changed({ folder, all }: { folder: string; all: boolean }) {
  if (all) looked.clear();
  const found: Record<string, string[]> = {};
  for (const name of listOf(folder)) {
    if (!/^[0-9a-f]{2}$/.test(name)) continue;
    const path = join(folder, name);
    const now = Date.now();
    const { mtimeMs } = statSync(path);
    if (looked.get(name) === mtimeMs) continue;
    found[name] = listOf(path);
    if (now - mtimeMs > GRAIN_MS) looked.set(name, mtimeMs);
  }
  return found;
}

function listOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function close() {
  for (const one of [checkpointer, writer, holding, other, frozen]) one.close();
  if (log !== undefined) closeSync(log);
}

const work = { open, scan, state, segment, checkpoint, seal, sealAnew, chunk, thaw, letGo, changed, close };
export type LogWork = typeof work;

parentPort?.on('message', ({ id, name, given }: { id: number; name: keyof LogWork; given: never }) => {
  try {
    parentPort?.postMessage({ id, value: work[name](given) });
    if (name === 'close') parentPort?.close();
  } catch (error) {
    parentPort?.postMessage({ id, error });
  }
});
