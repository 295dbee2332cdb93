import * as fake from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Keeping, keeping } from './keep.ts';

let databases = 0;
const windows: Keeping[] = [];

/** The windows of a browser. */
function browser() {
  databases += 1;
  const name = `parley-${databases}`;
  return {
    open: async (): Promise<Keeping> => {
      const window = keeping(name);
      windows.push(window);
      await window.opened;
      return window;
    },
  };
}

beforeEach(() => {
  for (const [name, value] of Object.entries(fake)) if (name !== 'default') vi.stubGlobal(name, value);
});

afterEach(() => {
  for (const window of windows.splice(0)) window.close();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('what a browser keeps', () => {
  it('is there at once, in the other windows soon, and in later ones', async () => {
    const { open } = browser();
    const [one, other] = [await open(), await open()];
    const heard: [string, boolean][] = [];
    other.watch((name, elsewhere) => heard.push([name, elsewhere]));
    one.set('draft.1', { text: 'Half' });
    expect(one.get('draft.1')).toEqual({ text: 'Half' });
    await vi.waitFor(() => expect(other.get('draft.1')).toEqual({ text: 'Half' }));
    expect(heard).toEqual([['draft.1', true]]);
    await one.settled();
    one.close();
    const later = await open();
    expect(later.list('draft.')).toEqual([{ text: 'Half' }]);
    later.remove('draft.1');
    await later.settled();
    await vi.waitFor(() => expect(other.get('draft.1')).toBeUndefined());
    expect((await open()).names('')).toEqual([]);
  });

  it('is read again by its prefix: what another window wrote, and nothing that this one has alone', async () => {
    const { open } = browser();
    const [one, other] = [await open(), await open()];
    other.setHere('outbox.alone', { text: 'mine' });
    one.set('outbox.1', { text: 'a' });
    one.set('draft.1', { text: 'b' });
    await one.settled();
    await other.refresh('outbox.');
    expect(other.names('outbox.').sort()).toEqual(['outbox.1', 'outbox.alone']);
    one.remove('outbox.1');
    await one.settled();
    await other.refresh('outbox.');
    expect(other.names('outbox.')).toEqual(['outbox.alone']);
    expect(other.isKept('outbox.alone')).toBe(false);
  });

  it('keeps what is written while the storage is being read', async () => {
    const { open } = browser();
    const window = await open();
    window.set('draft.1', { text: 'old' });
    await window.settled();
    const reading = window.refresh();
    window.set('draft.1', { text: 'new' });
    await reading;
    expect(window.get('draft.1')).toEqual({ text: 'new' });
  });

  it('stays in memory, and says so, where there is no storage or it is full', async () => {
    const window = await browser().open();
    const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('exceeded the quota', 'QuotaExceededError');
    });
    window.set('draft.1', { text: 'a' });
    await vi.waitFor(() => expect(window.isKept('draft.1')).toBe(false));
    expect(window.get('draft.1')).toEqual({ text: 'a' });
    full.mockRestore();
    window.set('draft.1', { text: 'ab' });
    await vi.waitFor(() => expect(window.isKept('draft.1')).toBe(true));

    vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('blocked', 'SecurityError');
    });
    const blocked = await browser().open();
    blocked.set('draft.1', { text: 'a' });
    blocked.addFile('file.1', new Blob(['flour']));
    await vi.waitFor(() => expect(blocked.isKept('draft.1')).toBe(false));
    expect(blocked.get('draft.1')).toEqual({ text: 'a' });
    expect(await (await blocked.file('file.1'))?.text()).toBe('flour');
    blocked.remove('draft.1');
    await vi.waitFor(() => expect(blocked.isKept('draft.1')).toBe(true));
  });

  it('is not waited for where the storage does not answer', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    vi.spyOn(indexedDB, 'open').mockImplementation(() => new IDBOpenDBRequest());
    const opening = browser().open();
    await vi.runAllTimersAsync();
    const window = await opening;
    window.set('draft.1', { text: 'a' });
    expect(window.get('draft.1')).toEqual({ text: 'a' });
  });

  it('is not stopped by what is damaged', async () => {
    const { open } = browser();
    const window = await open();
    const damaged = [null, 7, 'text', {}, { text: 7 }, { text: 'a', files: 'b' }, { text: 'a', waiting: {} }];
    for (const [at, value] of damaged.entries()) window.set(`draft.${at}`, value as object);
    window.set('draft.whole', { text: 'a' });
    await window.settled();
    const later = await open();
    expect(later.names('')).toEqual(['draft.whole']);
    await later.sweepFiles((text) => (text as { files?: string[] }).files ?? []);
  });

  it('drops the files that no text names', async () => {
    const { open } = browser();
    const window = await open();
    window.set('draft.1', { text: 'a', files: ['file.1'] });
    window.addFile('file.1', new Blob(['flour']));
    window.addFile('file.2', new Blob(['water']));
    await window.settled();
    const later = await open();
    await later.sweepFiles((text) => (text as { files: string[] }).files);
    expect(await later.file('file.2')).toBeUndefined();
    expect(await (await later.file('file.1'))?.text()).toBe('flour');
  });
});
