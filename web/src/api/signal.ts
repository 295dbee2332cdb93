import { useSyncExternalStore } from 'react';

/** A value that lives outside of the components. Those that read it by a hook are rendered again when it is set. */
export function signal<T>(initial: T) {
  let value = initial;
  const watchers = new Set<() => void>();
  const watch = (watcher: () => void) => {
    watchers.add(watcher);
    return () => void watchers.delete(watcher);
  };
  return {
    get: () => value,
    set(next: T) {
      value = next;
      for (const watcher of watchers) watcher();
    },
    useValue: () => useSyncExternalStore(watch, () => value),
    /** @param select returns the part that the component shows: the same one until it changes */
    useSelected: <S>(select: (value: T) => S) => useSyncExternalStore(watch, () => select(value)),
  };
}
