import { useEffect, useRef, useState } from 'react';
import { signal } from '../api/signal.ts';
import { isOfInputMethod } from '../design/hands.ts';

export interface Shortcut {
  /** Its action, in the reader's language. */
  readonly label: string;
  readonly run: () => void;
  /** Whether it is meant where the focus is; otherwise the key goes to the view around this one. */
  readonly isMeant?: () => boolean;
}

/** By the key that runs it: `?`, `j`, `Escape`, or with Ctrl (on a Mac: Command) `Mod+k`. */
export type Shortcuts = Readonly<Record<string, Shortcut>>;

interface Group {
  readonly name: string;
  /** A view is rendered before those inside it, although their effects run first. */
  readonly order: number;
  readonly current: { readonly shortcuts: Shortcuts };
}

export const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);

const groups = signal<readonly Group[]>([]);
let rendered = 0;

/**
 * Shortcuts that work while a view is shown. Keys without a modifier are ignored while a field has the focus.
 * @param name of the group on the page of shortcuts
 */
export function useShortcuts(name: string, shortcuts: Shortcuts): void {
  const current = useRef({ shortcuts });
  const [order] = useState(() => rendered++);
  current.current = { shortcuts };
  useEffect(() => {
    const group: Group = {
      name,
      order,
      get current() {
        return current.current;
      },
    };
    groups.set([...groups.get(), group].sort((one, other) => one.order - other.order));
    return () => groups.set(groups.get().filter((other) => other !== group));
  }, [name, order]);
}

/** The active shortcuts, for the list of shortcuts. */
export function useActiveShortcuts(): readonly { name: string; shortcuts: Shortcuts }[] {
  return groups.useValue().map(({ name, current }) => ({ name, shortcuts: current.shortcuts }));
}

/** Call once. @returns a function that ends it */
export function listenForShortcuts(): () => void {
  addEventListener('keydown', onKeyDown);
  return () => removeEventListener('keydown', onKeyDown);
}

function onKeyDown(event: KeyboardEvent): void {
  const modified = isMac ? event.metaKey : event.ctrlKey;
  if (event.defaultPrevented || event.altKey || isOfInputMethod(event)) return;
  if (!modified && (event.ctrlKey || event.metaKey || isOccupied(event.target))) return;
  const key = modified ? `Mod+${event.key.toLowerCase()}` : event.key;
  // The view that was opened last has precedence, and a view before the one around it.
  const meant = groups
    .get()
    .map(({ current }) => current.shortcuts[key])
    .findLast((shortcut) => shortcut && shortcut.isMeant?.() !== false);
  if (!meant) return;
  event.preventDefault();
  meant.run();
}

const OCCUPIED =
  'input, textarea, select, [contenteditable], [role="dialog"], [role="alertdialog"], [role="menu"]';

/** A text field has the focus, or a dialog has the keys. */
function isOccupied(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.closest(OCCUPIED) !== null;
}

/** How a key is written on the reader's keyboard. */
export const keyName = (key: string) =>
  key.replace('Mod+', isMac ? '⌘ ' : 'Ctrl ').replace(/\b[a-z]$/, (letter) => letter.toUpperCase());
