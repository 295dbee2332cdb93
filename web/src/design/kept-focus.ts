import { useEffect } from 'react';

/** Gives the focus to the view's title if what had it is gone, as the button that led to a removal may be. */
export function keepFocus(): void {
  // In the frame before, the dialog returns the focus if it can.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const { activeElement } = document;
      if (activeElement !== null && activeElement !== document.body) return;
      const view = document.getElementById('content');
      const title = view?.querySelector('h1') ?? view;
      title?.setAttribute('tabindex', '-1');
      title?.focus();
    }),
  );
}

/** For a dialog: the view that opened it may be left while it is open. @returns what to call when it has closed */
export function useKeptFocus(): (open: boolean) => void {
  useEffect(() => keepFocus, []);
  return (open) => {
    if (!open) keepFocus();
  };
}
