import { type DBSchema, type IDBPDatabase, openDB } from 'idb';

interface Schema extends DBSchema {
  /** Drafts, edits, and messages that are not sent yet. */
  texts: { key: string; value: unknown };
  /** The bytes of files that are not sent yet. */
  files: { key: string; value: Blob };
}

/** @param elsewhere whether another window has changed it */
type Watcher = (name: string, elsewhere: boolean) => void;
type Told = { readonly name: string; readonly value: unknown };

/** A storage that does not answer in this time is treated as if there were none: nothing waits longer for it. */
const PATIENCE_MS = 2000;
const CHANNEL = 'parley.kept';

export type Keeping = ReturnType<typeof keeping>;

/**
 * What the browser keeps of things that are being written. Memory comes first: reading and writing need no waiting.
 * Each change goes to IndexedDB and to the browser's other windows. Where IndexedDB is missing, blocked or full, the
 * window has it alone, and `isKept` says so.
 */
export function keeping(database = 'parley') {
  const texts = new Map<string, unknown>();
  const files = new Map<string, Blob>();
  /** The names that only this window has. */
  const unkept = new Set<string>();
  const watchers = new Set<Watcher>();
  /** The names that were changed while the storage was being read: memory is newer there. */
  const readings = new Set<Set<string>>();
  const writing = new Set<Promise<unknown>>();
  let db: IDBPDatabase<Schema> | undefined;
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data: { name, value } }: MessageEvent<Told>) => hold(name, value, true);

  function hold(name: string, value: unknown, elsewhere = false): void {
    if (value === undefined) texts.delete(name);
    else texts.set(name, value);
    for (const changed of readings) changed.add(name);
    for (const watcher of watchers) watcher(name, elsewhere);
  }

  function markKept(name: string, kept: boolean): void {
    if (unkept.has(name) !== kept) return;
    if (kept) unkept.delete(name);
    else unkept.add(name);
    for (const watcher of watchers) watcher(name, false);
  }

  /** The commit is asked for at once: a window that is closed in this moment still keeps its last word. */
  async function write<Store extends 'texts' | 'files'>(
    store: Store,
    name: string,
    value: Schema[Store]['value'] | undefined,
  ): Promise<boolean> {
    if (!db) return value === undefined;
    try {
      const change = db.transaction(store, 'readwrite');
      // A failed request makes the transaction fail, too, which is awaited below.
      change.done.catch(() => undefined);
      const request = value === undefined ? change.store.delete(name) : change.store.put(value, name);
      request.catch(() => undefined);
      change.commit();
      writing.add(change.done);
      await change.done.finally(() => writing.delete(change.done));
      return true;
    } catch {
      return false;
    }
  }

  async function save(name: string, value: unknown): Promise<void> {
    const kept = await write('texts', name, value);
    if (texts.get(name) === value) markKept(name, kept);
  }

  function set(name: string, value: unknown): void {
    hold(name, value);
    channel.postMessage({ name, value } satisfies Told);
    void save(name, value);
  }

  // Asynchronous also where opening throws at once, as it does where storage is blocked.
  const openStores = async () =>
    openDB<Schema>(database, 1, {
      upgrade(fresh) {
        fresh.createObjectStore('texts');
        fresh.createObjectStore('files');
      },
      blocking: (_, __, { target }) => (target as IDBDatabase).close(),
      terminated: () => {
        db = undefined;
      },
    });

  async function open(): Promise<void> {
    let late = false;
    const opening = openStores();
    void opening.then((opened) => late && opened.close()).catch(() => undefined);
    const opened = await inTime(opening);
    late = opened === undefined;
    db = opened;
    if (db) await inTime(refresh());
  }

  /** Reads what other windows have written. @param prefix of the names */
  async function refresh(prefix = ''): Promise<void> {
    if (!db) return;
    const changed = new Set<string>();
    readings.add(changed);
    try {
      const { store } = db.transaction('texts');
      const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
      const [names, values] = await Promise.all([store.getAllKeys(range), store.getAll(range)]);
      const stored = new Map(names.map((name, at) => [name, values[at]]));
      const known = [...texts.keys()].filter((name) => name.startsWith(prefix));
      for (const name of new Set([...known, ...names])) {
        if (!changed.has(name) && !unkept.has(name)) hold(name, readable(stored.get(name)));
      }
    } catch {
      // The storage has gone: this window goes on with its memory.
    } finally {
      readings.delete(changed);
    }
  }

  return {
    /** Settles once what earlier windows have kept is known. It never rejects, and never takes long. */
    opened: open(),
    get: <T>(name: string) => texts.get(name) as T | undefined,
    list: <T>(prefix: string) =>
      [...texts].filter(([name]) => name.startsWith(prefix)).map(([, value]) => value as T),
    names: (prefix: string) => [...texts.keys()].filter((name) => name.startsWith(prefix)),
    isKept: (name: string) => !unkept.has(name),
    set: (name: string, value: object) => set(name, value),
    /** For what is too large to be kept: this window alone has it. */
    setHere(name: string, value: object): void {
      unkept.add(name);
      hold(name, value);
    },
    remove: (name: string) => set(name, undefined),
    refresh,
    /** Settles once all changes so far are written, or cannot be. */
    settled: () => Promise.allSettled([...writing]),
    /** @returns a function that ends it */
    watch(watcher: Watcher): () => void {
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    addFile(name: string, bytes: Blob): void {
      files.set(name, bytes);
      void write('files', name, bytes);
    },
    /** @returns undefined when the browser has not kept it */
    async file(name: string): Promise<Blob | undefined> {
      return files.get(name) ?? (await db?.get('files', name).catch(() => undefined));
    },
    removeFile(name: string): void {
      files.delete(name);
      void write('files', name, undefined);
    },
    /** Removes the files that no text names. @param named returns the names in a text */
    async sweepFiles(named: (text: unknown) => readonly string[]): Promise<void> {
      if (!db) return;
      // One transaction: another window may be adding a text and its file.
      const sweep = db.transaction(['texts', 'files'], 'readwrite');
      const held = new Set((await sweep.objectStore('texts').getAll()).filter(readable).flatMap(named));
      const names = await sweep.objectStore('files').getAllKeys();
      const gone = names.filter((name) => !held.has(name));
      await Promise.all(gone.map((name) => sweep.objectStore('files').delete(name)));
      await sweep.done;
    },
    close(): void {
      channel.close();
      db?.close();
      db = undefined;
    },
  };
}

/** @returns undefined for what no version has written so: the storage may be damaged */
function readable(value: unknown): { readonly text: string } | undefined {
  if (typeof value !== 'object' || value === null || !('text' in value)) return undefined;
  const { text, files = [], waiting = [] } = value as Record<string, unknown>;
  const fits = typeof text === 'string' && Array.isArray(files) && Array.isArray(waiting);
  return fits ? (value as { text: string }) : undefined;
}

/** @returns undefined when it fails or takes too long */
async function inTime<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE_MS);
  });
  try {
    return await Promise.race([work, end]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
