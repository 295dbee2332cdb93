import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { isFileName } from '../../src/platform/files/file-name.ts';
import { fileName, parse } from './catalogue.ts';
import type { LogThread } from './log-thread.ts';
import type { Target } from './target.ts';

/** Copies uploads. Files never change, so each is copied once. */
export class CopiedUploads {
  readonly #target: Target;
  readonly #folder: string;
  /** The files in the target, by folder. */
  readonly #there = new Map<string, Set<string>>();
  /** Changed folders and their files. */
  readonly #changed = new Map<string, readonly string[]>();
  readonly #missing = new Set<string>();
  #hasLooked = false;
  #running: Promise<void> | undefined;

  constructor(target: Target, folder: string) {
    this.#target = target;
    this.#folder = folder;
  }

  get waiting(): number {
    return this.#missing.size;
  }

  /** Whether files are waiting although nothing was committed. */
  get isBehind(): boolean {
    return !this.#hasLooked || this.#changed.size > 0 || this.#missing.size > 0;
  }

  /** Compares all files again, since the target may be another one. */
  forget(): void {
    this.#there.clear();
    this.#hasLooked = false;
  }

  /** Copies new files. */
  async copy(thread: LogThread): Promise<void> {
    const all = !this.#hasLooked;
    this.#hasLooked = true;
    const changed = await thread.ask('changed', { folder: this.#folder, all });
    // The log thread reports a folder once, so keep it until it is copied.
    for (const [part, names] of Object.entries(changed)) this.#changed.set(part, names);
    for (const [part, names] of this.#changed) {
      const there = await this.#thereIn(part);
      for (const name of names) {
        const path = `${part}/${name}`;
        if (isFileName(path) && !there.has(path)) this.#missing.add(path);
      }
      if (this.#changed.get(part) === names) this.#changed.delete(part);
    }
    this.#running ??= this.#copyMissing().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
  }

  async #copyMissing(): Promise<void> {
    for (const name of this.#missing) {
      // No later commit names a file that was deleted meanwhile.
      if (await this.#target.putFile(fileName(name), join(this.#folder, name)))
        (await this.#thereIn(name.slice(0, 2))).add(name);
      this.#missing.delete(name);
    }
  }

  async #thereIn(part: string): Promise<Set<string>> {
    const known = this.#there.get(part);
    if (known) return known;
    const prefix = fileName(`${part}/`);
    const names = (await this.#target.list(prefix)).map((name) => name.slice('files/'.length));
    const found = new Set(names);
    this.#there.set(part, found);
    return found;
  }

  /**
   * Deletes copies of files that were deleted long ago, and finds files that the target lost.
   * @param names of all files of this server
   * @param before copies of files deleted before this time go, in milliseconds since 1970
   */
  async sweep(names: ReadonlySet<string>, now: number, before: number): Promise<void> {
    const noted = new Set<string>();
    for (const record of await this.#target.list('gone/')) {
      const content = await this.#target.get(record);
      const listed = content ? parse(await buffer(content)) : [];
      // Entries of a damaged list are noted again, and so are kept for longer.
      const gone = (Array.isArray(listed) ? listed.map(String) : []).filter((name) => !names.has(name));
      if (Number(/^gone\/(\d{13})-/.exec(record)?.[1]) > before) {
        for (const name of gone) noted.add(name);
        continue;
      }
      for (const name of gone) {
        if (!isFileName(name)) continue;
        await this.#target.delete(fileName(name));
        this.#there.get(name.slice(0, 2))?.delete(name);
        noted.add(name);
      }
      await this.#target.delete(record);
    }
    const there = (await this.#target.list('files/')).map((name) => name.slice('files/'.length));
    for (const name of names.difference(new Set(there))) if (isFileName(name)) this.#missing.add(name);
    const gone = there.filter((name) => isFileName(name) && !names.has(name) && !noted.has(name));
    if (gone.length === 0) return;
    const record = `gone/${now}-${randomBytes(8).toString('hex')}`;
    await this.#target.put(record, Buffer.from(JSON.stringify(gone)));
  }
}
