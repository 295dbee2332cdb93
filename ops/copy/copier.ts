import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SqliteDatabase } from '../../src/platform/db/index.ts';
import { pause, waitAtMost } from '../../src/platform/pause.ts';
import { BaseCopy } from './base.ts';
import {
  ancestry,
  faultOf,
  type Line,
  lastOf,
  lineName,
  linePrefix,
  listLines,
  missingOf,
  newLineId,
  outlived,
  type Parent,
  type Path,
  pathTo,
  segmentName,
  wholeName,
} from './catalogue.ts';
import type { LogPlace } from './log-frames.ts';
import { LogThread } from './log-thread.ts';
import { probe, type Target } from './target.ts';
import { CopiedUploads } from './uploads.ts';

export interface CopyOptions {
  readonly db: SqliteDatabase;
  /** The database file. */
  readonly file: string;
  readonly target: Target;
  /** The folder of the uploads; undefined where they are not copied. */
  readonly uploads: string | undefined;
  readonly everyMs: number;
  readonly keptMs: number;
  /** The log may grow to this while the target cannot be reached. */
  readonly mostLogBytes: number;
  /** Called when copying begins to fail. */
  readonly onFault: (error: unknown) => void;
  /** Called when copying works again. */
  readonly onWell: () => void;
}

export interface CopyStatus {
  /** All commits before this time are in the copy, in milliseconds since 1970; undefined before there is one. */
  readonly copiedUntil: number | undefined;
  readonly bytes: number;
  readonly failures: number;
  /** How often the copy had to start over, so that moments in between are missing. */
  readonly gaps: number;
  readonly uploadsWaiting: number;
  /** Why copying fails; undefined while it works. */
  readonly fault: string | undefined;
}

/** The state from which the next process continues. */
interface Remembered {
  readonly target: string;
  readonly parent: Parent;
  readonly place: LogPlace;
}

interface Unsent {
  readonly name: string;
  readonly number: number;
  readonly object: Uint8Array;
  readonly place: LogPlace;
}

/** The line that is being written. */
interface Current {
  readonly id: string;
  readonly parent: Parent | undefined;
  /** Whether line.json is stored. */
  isThere: boolean;
  /** The prefix of the base that a restore starts from; undefined before the first base. */
  base: string | undefined;
  /** The number of the last segment. */
  number: number;
  /** Whether something was committed since the last base. */
  hasChanged: boolean;
}

/** The size at which SQLite's log starts over, in bytes; the same as without a copy. */
const USUAL_LOG = 16 * 1024 * 1024;
/** The pause between two bases. */
export const MOST_BETWEEN_BASES_MS = 86_400_000;
/** Uploads are copied before commits, which wait for them no longer than this. */
export const UPLOADS_MS = 10_000;
/** How long a stop copies what is pending. The next start copies the rest. */
const STOP_MS = 500;
const HOLD_MS = 10_000;
export const SWEEP_MS = 3_600_000;
/** How often an idle copier checks that the target still has the copy. */
export const LOOK_MS = 10_000;
/** The pause after a base that took too long, while an older base exists. */
const BASE_AGAIN_MS = 600_000;
const FIRST_AGAIN_MS = 10_000;

/** Copies the embedded database to a target, commit by commit. */
export class Copier {
  readonly #options: CopyOptions;
  readonly #memory: string;
  readonly #uploads: CopiedUploads | undefined;
  readonly #stopping = new AbortController();
  /** Aborts the waits of the last round. */
  readonly #over = new AbortController();
  readonly #ended: LogThread[] = [];
  readonly #running: Promise<void>;
  #thread: LogThread;
  #current: Current | undefined;
  #unsent: Unsent | undefined;
  /** The state of an earlier process; undefined until it was read. */
  #found: { continues: Remembered | undefined } | undefined;
  #isLetGo = false;
  #base: BaseCopy | undefined;
  #nextBase = 0;
  #sweptAt = 0;
  #lookedAt = 0;
  #fault: string | undefined;
  #copiedUntil: number | undefined;
  #bytes = 0;
  #failures = 0;
  #gaps = 0;

  constructor(options: CopyOptions) {
    this.#options = options;
    this.#memory = `${options.file}-copied`;
    this.#uploads =
      options.uploads === undefined ? undefined : new CopiedUploads(options.target, options.uploads);
    this.#thread = this.#newThread();
    this.#running = this.#run();
  }

  status(): CopyStatus {
    return {
      copiedUntil: this.#copiedUntil,
      bytes: this.#bytes,
      failures: this.#failures,
      gaps: this.#gaps,
      uploadsWaiting: this.#uploads?.waiting ?? 0,
      fault: this.#fault,
    };
  }

  /** Copies what is pending, for a short time. The caller closes the database, then calls `release`. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await waitAtMost(STOP_MS, this.#running);
    this.#over.abort();
    await this.#thread.stop();
    await this.#options.target.close();
  }

  release(): void {
    for (const thread of [...this.#ended, this.#thread]) thread.release();
  }

  #newThread(): LogThread {
    return new LogThread(this.#options.file, () => {
      // The log thread has ended, so SQLite checkpoints its own log again.
      if (!this.#stopping.signal.aborted) this.#options.db.keepLog(false);
    });
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    for (let isLast = false; !isLast; ) {
      isLast = signal.aborted;
      await this.#tryRound();
      if (!isLast) await pause(this.#options.everyMs, signal);
    }
    await this.#base?.stop();
  }

  async #tryRound(): Promise<void> {
    const before = this.#failures;
    try {
      if (this.#thread.hasEnded) this.#replaceThread();
      await this.#round();
      if (this.#failures !== before || this.#fault === undefined || this.#current?.base === undefined) return;
      this.#fault = undefined;
      this.#options.onWell();
    } catch (error) {
      this.#fail(error);
      await this.#letGoOfLong().catch((second: unknown) => this.#fail(second));
    }
  }

  #fail(error: unknown): void {
    this.#failures++;
    if (this.#fault === undefined) this.#options.onFault(error);
    this.#fault = (error as Error).message;
  }

  #replaceThread(): void {
    this.#ended.push(this.#thread);
    this.#thread = this.#newThread();
    this.#options.db.keepLog(true);
    this.#found = undefined;
    this.#forget();
  }

  #forget(): void {
    this.#current = undefined;
    this.#unsent = undefined;
    this.#copiedUntil = undefined;
    this.#uploads?.forget();
  }

  async #round(): Promise<void> {
    this.#found ??= await this.#find(this.#recall());
    this.#current ??= await this.#beginLine(this.#found.continues);
    const current = this.#current;
    // A long read blocks the checkpoint. The next round tries again.
    if (!current) return;
    const begun = Date.now();
    const { lost, isPending, usedBytes } = await this.#thread.ask('scan');
    if (lost !== undefined) return this.#beginAnew(lost);
    if (this.#unsent || isPending || Math.abs(Date.now() - this.#lookedAt) > LOOK_MS)
      await this.#look(current);
    if (this.#unsent || isPending || this.#uploads?.isBehind) await this.#copyUploads();
    await this.#send(current);
    if (current.base !== undefined) this.#copiedUntil = begun;
    if (this.#stopping.signal.aborted) return;
    await this.#keepLogSmall(current, usedBytes);
    if (current.base !== undefined) await this.#sweep(current);
  }

  async #find(remembered: Remembered | undefined) {
    const { isContinuous } = await this.#thread.ask('open', { from: remembered?.place });
    if (remembered && !isContinuous)
      return this.#beginAnew('the log does not have what followed the last commit that was copied');
    return { continues: remembered };
  }

  async #beginLine(continues: Remembered | undefined): Promise<Current | undefined> {
    const lines = await listLines(this.#options.target);
    const old = lines.find((line) => line.id === continues?.parent.line);
    // Later than its parent, even if the clock was set back.
    const id = newLineId(Math.max(Date.now(), old ? lastOf(old) + 1 : 0));
    const begun = { id, number: 0, hasChanged: true };
    if (continues) {
      const { parent } = continues;
      const { base } = await this.#expectPath(lines, { id, parent, number: 0 });
      this.#nextBase = base.at + this.#everyBase;
      return { ...begun, parent, isThere: false, base: base.prefix };
    }
    // Fails before the log is touched if the target cannot be written.
    await this.#put(lineName(id), Buffer.from('{}'));
    const { isSealed, place } = await this.#whileNobodyWrites(() => this.#thread.ask('sealAnew'));
    if (!isSealed) return undefined;
    this.#isLetGo = false;
    const current = { ...begun, parent: undefined, isThere: true, base: undefined };
    this.#beginBase(current, 0);
    this.#remember({ line: id, segment: 0 }, place);
    return current;
  }

  get #everyBase(): number {
    return Math.min(MOST_BETWEEN_BASES_MS, this.#options.keptMs / 2);
  }

  async #beginAnew(reason: string): Promise<never> {
    this.#gaps++;
    await this.#base?.stop();
    this.#forget();
    this.#found = { continues: undefined };
    throw new Error(`the copy starts over: ${reason}`);
  }

  /** Stores pending segments in order. */
  async #send(current: Current): Promise<void> {
    for (;;) {
      if (!this.#unsent) {
        const { isPending } = await this.#thread.ask('state');
        if (!isPending) return;
        this.#unsent = await this.#take(current);
      }
      const { name, number, object, place } = this.#unsent;
      if (!current.isThere) {
        // A line with a parent is created with its first segment.
        await this.#put(lineName(current.id), Buffer.from(JSON.stringify({ parent: current.parent })));
        current.isThere = true;
      }
      await this.#put(name, object);
      this.#unsent = undefined;
      this.#remember({ line: current.id, segment: number }, place);
    }
  }

  async #take(current: Current): Promise<Unsent> {
    const number = current.number + 1;
    const { object, at, place } = await this.#thread.ask('segment', { line: current.id, number });
    current.number = number;
    current.hasChanged = true;
    return { name: segmentName(current.id, number, at), number, object, place };
  }

  async #put(name: string, content: Uint8Array): Promise<void> {
    try {
      await this.#options.target.put(name, content);
    } catch (error) {
      // Stored by an earlier attempt whose response was lost: names are unique to this server.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    this.#bytes += content.length;
  }

  /** Copies uploads. A failure here does not keep commits from being copied. */
  async #copyUploads(): Promise<void> {
    const copied = this.#uploads?.copy(this.#thread).catch((error: unknown) => this.#fail(error));
    if (copied) await Promise.race([copied, pause(UPLOADS_MS, this.#over.signal)]);
  }

  /** Lets the log start over, and makes a base when one is due. */
  async #keepLogSmall(current: Current, usedBytes: number): Promise<void> {
    const { mostLogBytes } = this.#options;
    if (this.#base) {
      // The log starts over only when all of it is in the database.
      if (usedBytes > mostLogBytes) await this.#base.stop();
      return;
    }
    const isDue = Date.now() >= this.#nextBase && (current.hasChanged || current.base === undefined);
    if (usedBytes < Math.min(USUAL_LOG, mostLogBytes) && !isDue) return;
    await this.#thread.ask('checkpoint');
    const sealed = await this.#whileNobodyWrites(() => this.#thread.ask('seal', { freeze: isDue }));
    if (sealed.lost !== undefined) return this.#beginAnew(sealed.lost);
    // The last commits are pending, and belong before the base.
    if (sealed.isSealed && isDue) this.#beginBase(current, current.number + sealed.tail);
    await this.#send(current);
  }

  #beginBase(current: Current, after: number): void {
    const base = new BaseCopy(after, {
      thread: this.#thread,
      line: current.id,
      put: (name, content) => this.#put(name, content),
      everyMs: this.#options.everyMs,
      onError: (error) => this.#fail(error),
    });
    this.#base = base;
    current.hasChanged = false;
    void base.done.then((isWhole) => {
      this.#base = undefined;
      if (isWhole) current.base = base.prefix;
      this.#nextBase = isWhole
        ? base.at + this.#everyBase
        : Date.now() + (current.base !== undefined ? BASE_AGAIN_MS : FIRST_AGAIN_MS);
    });
  }

  /** Drops what the target lacks when the log would fill the disk. Those moments are missing from the copy. */
  async #letGoOfLong(): Promise<void> {
    if (this.#thread.hasEnded) return;
    if (!this.#isLetGo) {
      const { usedBytes, fileBytes } = await this.#thread.ask('state');
      if ((this.#current ? usedBytes : fileBytes) < this.#options.mostLogBytes) return;
      this.#gaps++;
      await this.#base?.stop();
      this.#forget();
      this.#found = { continues: undefined };
      this.#isLetGo = true;
    }
    await this.#thread.ask('letGo');
  }

  async #whileNobodyWrites<T>(work: () => Promise<T>): Promise<T> {
    const release = await this.#options.db.hold();
    const timer = setTimeout(release, HOLD_MS);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      release();
    }
  }

  /** Detects a target that lost the copy, such as an unmounted disk or an emptied bucket: later segments alone restore nothing. */
  async #look(current: Current): Promise<void> {
    const { target } = this.#options;
    for (const name of rootsOf(current)) {
      const fault = await faultOf(target, name);
      if (fault !== undefined) await this.#lose(fault === 'missing' ? name : `${name}, which is damaged`);
    }
    this.#lookedAt = Date.now();
  }

  /** @returns the path to the last copied commit. @throws when the target lacks a part of it */
  async #expectPath(
    lines: readonly Line[],
    { id, parent, number }: Pick<Current, 'id' | 'parent' | 'number'>,
  ): Promise<Path> {
    const line = lines.find((one) => one.id === id) ?? {
      id,
      startedAt: 0,
      parent,
      segments: [],
      bases: [],
      objects: [],
      damaged: [],
    };
    const path = pathTo(lines, line, Number.POSITIVE_INFINITY);
    const missing = path && missingOf(path, number);
    if (!path || missing !== undefined) return this.#lose(missing ?? 'a whole copy of the database');
    return path;
  }

  /** Starts over if the target can be written. A target that cannot may come back with all it had. */
  async #lose(what: string): Promise<never> {
    const { target } = this.#options;
    await probe(target);
    return this.#beginAnew(`${target.name} lacks ${what}`);
  }

  /** Compares the target with what it must have, and deletes what has outlived COPY_RETENTION. */
  async #sweep(current: Current): Promise<void> {
    const { target, keptMs, uploads } = this.#options;
    const now = Date.now();
    if (Math.abs(now - this.#sweptAt) < Math.min(SWEEP_MS, keptMs / 100)) return;
    this.#sweptAt = now;
    const horizon = now - keptMs;
    const lines = await listLines(target);
    await this.#expectPath(lines, current);
    const own = lines.find(({ id }) => id === (current.isThere ? current.id : current.parent?.line));
    if (!own) return;
    for (const name of outlived(lines, own, horizon)) await target.delete(name);
    const family = ancestry(lines, own).map(({ line }) => line);
    // The uploads of another server are unknown here.
    const isShared = lines.some((line) => !family.includes(line) && lastOf(line) > own.startedAt);
    if (uploads !== undefined && !isShared) await this.#uploads?.sweep(await namesIn(uploads), now, horizon);
  }

  #remember(parent: Parent, place: LogPlace): void {
    const remembered: Remembered = { target: this.#options.target.name, parent, place };
    const arriving = `${this.#memory}.arriving`;
    writeFileSync(arriving, JSON.stringify(remembered), { mode: 0o600 });
    renameSync(arriving, this.#memory);
  }

  /** Where an earlier process stopped. Whether the log still reaches back there, the log tells. */
  #recall(): Remembered | undefined {
    try {
      const remembered = JSON.parse(readFileSync(this.#memory, 'utf8')) as Remembered;
      return remembered.target === this.#options.target.name ? remembered : undefined;
    } catch {
      return undefined;
    }
  }
}

/** Objects without which nothing of a line can be restored. */
function rootsOf({ id, parent, isThere, base }: Current): string[] {
  const isOwn = base?.startsWith(linePrefix(id)) ?? false;
  return [
    ...(base === undefined ? [] : [wholeName(base)]),
    ...(isThere ? [lineName(id)] : []),
    ...(parent && !isOwn ? [lineName(parent.line)] : []),
  ];
}

async function namesIn(folder: string): Promise<Set<string>> {
  const names = new Set<string>();
  for (const part of await readdir(folder).catch(() => []))
    if (/^[0-9a-f]{2}$/.test(part))
      for (const name of await readdir(join(folder, part))) names.add(`${part}/${name}`);
  return names;
}
