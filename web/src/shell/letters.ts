import { isPointedAt } from '../design/hands.ts';

/*
 * Beside a field to write in, a letter is the first of a text, wherever the focus is: on the page, on a link, on a title. Keys
 * act where the keyboard has led to a row.
 */

/** Another window, or a control to which letters mean something, has the keys. */
const OCCUPIED =
  'input, textarea, select, [contenteditable], audio, video, [role="dialog"], [role="alertdialog"], [role="menu"]';
const OVER_ALL = '[role="dialog"], [role="alertdialog"]';
/** Each has a field of its own. */
const SCOPE = '[data-scope]';

const fields = new Set<HTMLElement>();

/** @returns a function that ends it */
export function takeLetters(field: HTMLElement): () => void {
  fields.add(field);
  return () => fields.delete(field);
}

const visibleFields = () => [...fields].filter((field) => field.checkVisibility());

/** The field to write in that belongs to where an element stands; undefined where there is none. */
export function fieldBeside(element: Element | null): HTMLElement | undefined {
  const scope = element?.closest(SCOPE);
  return scope ? visibleFields().find((field) => field.closest(SCOPE) === scope) : undefined;
}

/** The one that belongs to where the focus is; from elsewhere that of the open conversation. */
export function fieldHere(): HTMLElement | undefined {
  const all = visibleFields();
  return (
    fieldBeside(document.activeElement) ?? all.find((field) => field.closest('[data-conversation]')) ?? all[0]
  );
}

export const isOccupied = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest(OCCUPIED) !== null;

/** Whether a key is the first letter of a text. A space moves the page, or presses a button. */
const isLetter = (event: KeyboardEvent): boolean =>
  !event.ctrlKey &&
  !event.metaKey &&
  event.key !== ' ' &&
  (event.key === 'Dead' || [...event.key].length === 1);

/** Whether the keyboard has led to a row of a list. */
export const isAtRow = (): boolean => !isPointedAt() && Boolean(document.activeElement?.closest('article'));

/** @returns the field that a letter is for. It arrives there by itself if the field has the focus by then. */
export function fieldForLetter(event: KeyboardEvent): HTMLElement | undefined {
  if (!isLetter(event) || isOccupied(event.target) || document.querySelector(OVER_ALL)) return undefined;
  return fieldHere();
}
