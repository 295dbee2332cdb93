/** The layout of a phone, where writing takes room from reading. */
const NARROW = '(max-width: 52rem)';

let last: Event | undefined;

/** Notes whether keys are pressed or a pointer. Call once. @returns a function that ends it */
export function watchHands(): () => void {
  const ending = new AbortController();
  const options = { signal: ending.signal, capture: true };
  const note = (event: Event) => {
    last = event;
  };
  addEventListener('pointerdown', note, options);
  addEventListener('keydown', note, options);
  return () => ending.abort();
}

/**
 * Whether a click of the mouse led here: the next keys are then a text, not shortcuts, and the field to write in takes the
 * focus. A reader who came by the keyboard goes on with its shortcuts. On a touch screen, a keyboard would cover what
 * there is to read.
 */
export function isLedByMouse(): boolean {
  const isMouse = last instanceof PointerEvent && last.pointerType === 'mouse';
  return isMouse && !matchMedia(NARROW).matches && !document.activeElement?.matches('input, textarea');
}
