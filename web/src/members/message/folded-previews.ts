import { useState } from 'react';
import { keepPreference, readPreference } from '../../storage/preferences.ts';

const NAME = 'foldedPreviews';
/** The latest alone: what was folded long ago is long out of sight. */
const MOST = 200;

const folded = (): string[] => readPreference(NAME)?.split(' ') ?? [];

/** Whether the reader has folded a preview, in this browser. */
export function useFolded(unfurl: string): [isFolded: boolean, fold: (isFolded: boolean) => void] {
  const [isFolded, setFolded] = useState(() => folded().includes(unfurl));
  const fold = (next: boolean) => {
    const others = folded().filter((id) => id !== unfurl);
    const kept = (next ? [...others, unfurl] : others).slice(-MOST);
    keepPreference(NAME, kept.length > 0 ? kept.join(' ') : null);
    setFolded(next);
  };
  return [isFolded, fold];
}
