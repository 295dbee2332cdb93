/** The layout of a phone, where writing takes room from reading. */
const NARROW = '(max-width: 52rem)';
const TOUCH = '(pointer: coarse)';

let last: Event | typeof JUMP | undefined;
/** The palette of Ctrl-K led to a place to write. */
const JUMP = Symbol('jump');

let isPressed = false;
let isGiven = false;
let isPointed = false;
/** The controls to which a pointer has led last. */
const pointedAt = new WeakSet<EventTarget>();

/** Tells the styles what the hands are at: keys, or a mouse that moves over the rows of a list. */
function show(hand: 'keys' | 'mouse'): void {
  const { dataset } = document.documentElement;
  if (dataset.hand !== hand) dataset.hand = hand;
}

/** Notes whether keys are pressed or a pointer. Call once. @returns a function that ends it */
export function watchHands(): () => void {
  const ending = new AbortController();
  const options = { signal: ending.signal, capture: true };
  const note = (event: Event) => {
    last = event;
    isPressed = event.type === 'pointerdown';
    if (isPressed) isPointed = true;
  };
  const showKeys = () => show('keys');
  const showMouse = ({ pointerType, target }: PointerEvent) => {
    if (pointerType === 'mouse' && target instanceof Element && target.closest('article')) show('mouse');
  };
  const release = () => {
    isPressed = false;
  };
  // A control in a row may have the focus back from a menu, a row from a conversation that was closed.
  const arrive = ({ target }: FocusEvent) => {
    if (!(target instanceof Element)) return;
    const isRow = target.matches('article');
    // A key closed what a click had opened.
    const isBack = !isRow && !isTab(last) && pointedAt.has(target);
    isPointed = isPressed || isBack || (last instanceof PointerEvent && (isGiven || !isRow));
    if (isPointed) pointedAt.add(target);
    else pointedAt.delete(target);
  };
  for (const type of ['pointerdown', 'keydown']) addEventListener(type, note, options);
  for (const type of ['pointerup', 'pointercancel']) addEventListener(type, release, options);
  addEventListener('keydown', showKeys, options);
  addEventListener('pointermove', showMouse, options);
  addEventListener('focusin', arrive, options);
  return () => ending.abort();
}

/** Whether a pointer has led to what has the focus: a click is no sign that keys are meant for it. */
export const isPointedAt = (): boolean => isPointed;

/** Gives the focus to a row that its reader did not ask for. */
export function giveFocus(row: HTMLElement): void {
  isGiven = true;
  row.focus({ preventScroll: true });
  isGiven = false;
}

export const isFocusGiven = (): boolean => isGiven;

/** Call it when a person or a team was chosen by name. */
export const noteJump = (): void => {
  last = JUMP;
};

/** Whether this is a phone, or a screen that is touched: there each line counts. */
export const hasLittleRoom = (): boolean => matchMedia(NARROW).matches || matchMedia(TOUCH).matches;

/** Whether a field may take the focus unasked. On a touch screen, a keyboard would cover what there is to read. */
export function mayInvite(): boolean {
  if (hasLittleRoom()) return false;
  // The palette's own field may still have the focus.
  return last === JUMP || !document.activeElement?.matches('input, textarea');
}

/** Whether a click of the mouse, a name in the palette or the address led here, and not a key that moves through a list. */
export const isLedToWrite = (): boolean =>
  mayInvite() && !(last instanceof KeyboardEvent) && (last === JUMP || !isTouch(last));

const isTab = (event: typeof last) => event instanceof KeyboardEvent && event.key === 'Tab';

const isTouch = (event: Event | undefined) => event instanceof PointerEvent && event.pointerType !== 'mouse';

/** The key of an input method that is still open, or was closed by it. */
const OF_INPUT_METHOD = 229;

/** Whether a key belongs to an input method. Safari says so by its code alone, after the composition has ended. */
export const isOfInputMethod = ({
  isComposing,
  keyCode,
}: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean => isComposing || keyCode === OF_INPUT_METHOD;

type Key = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey'>;

/** Whether a key sends what is written. The keyboard of a touch screen has no other key for a new line; a button sends there. */
export const isSendKey = ({ key, shiftKey, ctrlKey, metaKey }: Key): boolean =>
  key === 'Enter' && !shiftKey && (ctrlKey || metaKey || !matchMedia(TOUCH).matches);
