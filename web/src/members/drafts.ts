import { useSyncExternalStore } from 'react';
import type { Attachment } from '../api/types.ts';

/** What somebody has begun to write. */
export interface Draft {
  readonly text: string;
  readonly files: readonly Attachment[];
}

const NOTHING: Draft = { text: '', files: [] };
const PREFIX = 'parley.draft.';

/** Those that were looked at, by their names. One for all who look: a file may arrive after the field is gone. */
const drafts = new Map<string, Draft>();
const watchers = new Set<() => void>();

function read(name: string): Draft {
  const known = drafts.get(name);
  if (known) return known;
  const kept = localStorage.getItem(name);
  const draft = kept === null ? NOTHING : { ...NOTHING, ...(JSON.parse(kept) as Partial<Draft>) };
  drafts.set(name, draft);
  return draft;
}

function tell(): void {
  for (const watcher of watchers) watcher();
}

// What another window has sent is no draft here any more.
addEventListener('storage', ({ key }) => {
  if (key !== null && !key.startsWith(PREFIX)) return;
  if (key === null) drafts.clear();
  else drafts.delete(key);
  tell();
});

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}

/**
 * A draft that outlives the window.
 * @param place what is written there, by a name of its own
 * @returns the draft, and how to change it from what it is by then
 */
export function useDraft(userId: string, place: string): [Draft, (change: (now: Draft) => Draft) => void] {
  const name = `${PREFIX}${userId}.${place}`;
  const draft = useSyncExternalStore(watch, () => read(name));
  const change = (work: (now: Draft) => Draft) => {
    const next = work(read(name));
    drafts.set(name, next);
    if (next.text === '' && next.files.length === 0) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(next));
    tell();
  };
  return [draft, change];
}
