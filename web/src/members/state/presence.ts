import { signal } from '../../api/signal.ts';

/** Presence events since this window was opened, by user. One map, changed in place: large teams send many. */
const heard = signal(new Map<string, boolean>());

export function notePresence(user: string, online: boolean): void {
  heard.set(heard.get().set(user, online));
}

/** Earlier events may be stale. */
export function forgetPresence(): void {
  heard.get().clear();
}

/** @param person as loaded, maybe some time ago */
export function useOnline(person: { readonly id: string; readonly online: boolean }): boolean {
  return heard.useSelected((online) => online.get(person.id) ?? person.online);
}
