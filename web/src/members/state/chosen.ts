import { giveFocus, isFocusGiven, isPointedAt } from '../../design/hands.ts';

/*
 * The message that a reader has chosen with the keyboard. Only this one takes keys that act: a message may have the focus
 * because the application gave it back, while its reader goes on writing.
 */

let chosen: string | undefined;

const idOf = (element: Element | null): string | undefined =>
  element?.closest<HTMLElement>('[data-message]')?.dataset.message;

/** Call once. @returns a function that ends it */
export function watchChosen(): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const note = ({ target }: FocusEvent) => {
    if (!(target instanceof Element)) return;
    // Writing ends it.
    if (target.matches('textarea, input')) chosen = undefined;
    else if (!isFocusGiven() && idOf(target) !== undefined) chosen = isPointedAt() ? undefined : idOf(target);
  };
  const forget = () => {
    chosen = undefined;
  };
  addEventListener('focusin', note, { signal });
  addEventListener('pointerdown', forget, { signal, capture: true });
  return () => ending.abort();
}

/** The chosen message, if it still has the focus. */
export const chosenMessage = (): string | undefined =>
  chosen !== undefined && idOf(document.activeElement) === chosen ? chosen : undefined;

/** Gives the focus to a row because its reader asked for it. */
export function choose(row: HTMLElement): void {
  giveFocus(row);
  chosen = idOf(row);
}
