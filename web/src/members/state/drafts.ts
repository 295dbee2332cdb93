import { signal } from '../../api/signal.ts';
import type { Attachment } from '../../api/types.ts';

/** A message that is being written. */
export interface Draft {
  readonly text: string;
  readonly files: readonly Attachment[];
}

const NOTHING: Draft = { text: '', files: [] };
const PREFIX = 'parley.draft.';

/** The drafts read so far, by name. Shared, not a field's own: an upload may finish after the field has gone. */
const drafts = signal(new Map<string, Draft>());

function read(name: string): Draft {
  const known = drafts.get().get(name);
  if (known) return known;
  const kept = localStorage.getItem(name);
  const draft = kept === null ? NOTHING : { ...NOTHING, ...(JSON.parse(kept) as Partial<Draft>) };
  drafts.get().set(name, draft);
  return draft;
}

// Another window has changed or sent a draft.
addEventListener('storage', ({ key }) => {
  if (key !== null && !key.startsWith(PREFIX)) return;
  const kept = drafts.get();
  if (key === null) kept.clear();
  else kept.delete(key);
  drafts.set(kept);
});

/**
 * A draft that outlives the window.
 * @param place the draft's name
 * @returns the draft, and a function that changes its current value
 */
export function useDraft(userId: string, place: string): [Draft, (change: (now: Draft) => Draft) => void] {
  const name = `${PREFIX}${userId}.${place}`;
  const draft = drafts.useSelected(() => read(name));
  const change = (work: (now: Draft) => Draft) => {
    const next = work(read(name));
    drafts.set(drafts.get().set(name, next));
    if (next.text === '' && next.files.length === 0) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(next));
  };
  return [draft, change];
}
