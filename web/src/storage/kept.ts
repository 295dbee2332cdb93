import { useSyncExternalStore } from 'react';
import { keeping } from './keep.ts';

/** What this browser keeps for its windows. */
export const kept = keeping();

/** @returns the text kept by a name, the same object until it changes */
export const useKept = <T>(name: string): T | undefined =>
  useSyncExternalStore(kept.watch, () => kept.get<T>(name));

/** @returns whether it would survive the window */
export const useIsKept = (name: string): boolean => useSyncExternalStore(kept.watch, () => kept.isKept(name));

/** @returns the names that begin so and whose texts fit */
export function useKeptNames<T>(prefix: string, fits: (name: string, text: T) => boolean): string[] {
  // A string is the same for React as long as the names are.
  const names = useSyncExternalStore(kept.watch, () =>
    kept
      .names(prefix)
      .filter((name) => fits(name, kept.get<T>(name) as T))
      .join('\n'),
  );
  return names === '' ? [] : names.split('\n');
}
