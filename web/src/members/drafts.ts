import { useState } from 'react';
import type { Attachment } from '../api/types.ts';

/** What somebody has begun to write. */
export interface Draft {
  readonly text: string;
  readonly files: readonly Attachment[];
}

const NOTHING: Draft = { text: '', files: [] };

/**
 * A draft that outlives the window.
 * @param place what is written there, by a name of its own
 */
export function useDraft(userId: string, place: string): [Draft, (draft: Draft) => void] {
  const name = `parley.draft.${userId}.${place}`;
  const [draft, setDraft] = useState(() => read(name));
  const keep = (next: Draft) => {
    setDraft(next);
    if (next.text === '' && next.files.length === 0) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(next));
  };
  return [draft, keep];
}

function read(name: string): Draft {
  const kept = localStorage.getItem(name);
  return kept === null ? NOTHING : { ...NOTHING, ...(JSON.parse(kept) as Partial<Draft>) };
}
