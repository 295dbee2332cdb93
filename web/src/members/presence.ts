import { useSyncExternalStore } from 'react';

/** Who came and went since this window began. */
const heard = new Map<string, boolean>();
const watchers = new Set<() => void>();

export function notePresence(user: string, online: boolean): void {
  heard.set(user, online);
  for (const watcher of watchers) watcher();
}

/** What was heard before may be old. */
export function forgetPresence(): void {
  heard.clear();
}

/** @param person as they were read, maybe some time ago */
export function useOnline(person: { readonly id: string; readonly online: boolean }): boolean {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    () => heard.get(person.id) ?? person.online,
  );
}
