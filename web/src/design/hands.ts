/** The layout of a phone, where writing takes room from reading. */
const NARROW = '(max-width: 52rem)';

let last: Event | typeof JUMP | undefined;
/** The palette of Ctrl-K led to a place to write. */
const JUMP = Symbol('jump');

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

/** Call it when a person or a team was chosen by name. */
export const noteJump = (): void => {
  last = JUMP;
};

/**
 * Whether a click of the mouse, or a name in the palette, led here: the next keys are then a text, not shortcuts, and the
 * field to write in takes the focus. A reader who came by other keys goes on with shortcuts. On a touch screen, a keyboard
 * would cover what there is to read.
 */
export function isLedToWrite(): boolean {
  if (matchMedia(NARROW).matches) return false;
  // The palette's own field may still have the focus.
  if (last === JUMP) return true;
  const isMouse = last instanceof PointerEvent && last.pointerType === 'mouse';
  return isMouse && !document.activeElement?.matches('input, textarea');
}

/** The key of an input method that is still open, or was closed by it. */
const OF_INPUT_METHOD = 229;

/** Whether a key belongs to an input method. Safari says so by its code alone, after the composition has ended. */
export const isOfInputMethod = ({
  isComposing,
  keyCode,
}: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean => isComposing || keyCode === OF_INPUT_METHOD;
