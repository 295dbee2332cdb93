import { useEffect, useRef, useSyncExternalStore } from 'react';

export interface Shortcut {
  /** What it does, for the list of all of them. */
  readonly label: string;
  run(): void;
}

/** By the key, as KeyboardEvent.key names it. */
export type Shortcuts = Readonly<Record<string, Shortcut>>;

export interface ShortcutGroup {
  readonly group: string;
  readonly shortcuts: Shortcuts;
}

interface Registered {
  readonly group: string;
  readonly latest: { current: Shortcuts };
}

let registered: readonly Registered[] = [];
const watchers = new Set<() => void>();

/** Single keys of a view, while it is shown. Of two views with the same key the one that came last has it. */
export function useShortcuts(group: string, shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    const own = { group, latest };
    change([...registered, own]);
    return () => change(registered.filter((other) => other !== own));
  }, [group]);
}

/** All that work at the moment, by group. */
export function useShortcutList(): ShortcutGroup[] {
  const all = useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    () => registered,
  );
  return all.map(({ group, latest }) => ({ group, shortcuts: latest.current }));
}

function change(next: readonly Registered[]): void {
  if (registered.length === 0) document.addEventListener('keydown', onKey);
  registered = next;
  if (registered.length === 0) document.removeEventListener('keydown', onKey);
  for (const watcher of watchers) watcher();
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return;
  const owner = registered.findLast(({ latest }) => Object.hasOwn(latest.current, event.key));
  if (!owner) return;
  event.preventDefault();
  owner.latest.current[event.key]?.run();
}

const TYPING = 'input, textarea, select, [contenteditable="true"]';
const OWN_KEYS = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

/** Somebody types, or what has the focus has a use for the key itself. */
function isTaken({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest(`${TYPING}, ${OWN_KEYS}`)) return true;
  return key === 'Enter' && target.closest('button, a') !== null;
}
