import { useEffect, useRef, useState } from 'react';
import { signal } from '../api/signal.ts';
import { isOfInputMethod } from '../design/hands.ts';
import { fieldForLetter, isAtRow, isOccupied } from './letters.ts';

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

/** Keys without a modifier that no field needs. */
const WHILE_WRITING: ReadonlySet<string> = new Set(['F6']);

export const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);

const groups = signal<readonly Group[]>([]);
let rendered = 0;

/**
 * Shortcuts that work while a view is shown. Keys without a modifier are ignored while a field has the focus, and letters in
 * a view with a field to write in unless the keyboard has led to a row.
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
  if (!modified && (event.ctrlKey || event.metaKey)) return;
  const field = fieldForLetter(event);
  const meant = field && !isAtRow() ? undefined : shortcutOf(event, modified);
  if (meant) {
    event.preventDefault();
    meant.run();
  }
  // The letter follows the focus.
  else field?.focus({ preventScroll: true });
}

/**
 * @returns the key that is pressed with Ctrl, or Command on a Mac, as shortcuts are written: `Mod+Shift+x`. Digits and what
 * is pressed with Alt go by the place of the key, since these make other signs.
 */
export function pressedKey(event: KeyboardEvent): string | undefined {
  const { key, code, shiftKey, altKey, ctrlKey, metaKey } = event;
  if (!(isMac ? metaKey : ctrlKey) || event.getModifierState('AltGraph')) return undefined;
  const place = /^(?:Digit|Key)(.)$/.exec(code)?.[1]?.toLowerCase();
  const isByPlace = place !== undefined && (altKey || code.startsWith('Digit'));
  return `Mod+${altKey ? 'Alt+' : ''}${shiftKey ? 'Shift+' : ''}${isByPlace ? place : key.toLowerCase()}`;
}

/** The view that was opened last has precedence, and a view before the one around it. */
function shortcutOf(event: KeyboardEvent, modified: boolean): Shortcut | undefined {
  if (!modified && !WHILE_WRITING.has(event.key) && isOccupied(event.target)) return undefined;
  const key = modified ? `Mod+${event.key.toLowerCase()}` : event.key;
  return groups
    .get()
    .map(({ current }) => current.shortcuts[key])
    .findLast((shortcut) => shortcut && shortcut.isMeant?.() !== false);
}

const ARROWS = { ArrowUp: '↑', ArrowDown: '↓' };

/** German keyboards name these two in German; Arabic ones in English. */
const GERMAN = { Ctrl: 'Strg', Shift: 'Umschalt' };

const onKeyboard = (name: keyof typeof GERMAN): string =>
  document.documentElement.lang.startsWith('de') && !isMac ? GERMAN[name] : name;

/** How a key is written on the reader's keyboard. */
export const keyName = (key: string) =>
  ARROWS[key as keyof typeof ARROWS] ??
  key
    .replace('Mod+', isMac ? '⌘ ' : `${onKeyboard('Ctrl')} `)
    .replace('Shift+', `${onKeyboard('Shift')} `)
    .replaceAll('+', ' ')
    .replace(/\b[a-z]$/, (letter) => letter.toUpperCase());
