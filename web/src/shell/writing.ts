/*
 * On a narrow screen, a view makes room for its messages while a text is written: `data-writing` at the root, for the
 * styles. It is `keyboard` while a keyboard takes a part of the screen, and `field` while a field waits for one.
 */

const WRITES = 'textarea, [contenteditable]';
const TYPES = `${WRITES}, input`;
/** A keyboard leaves less than this part of the greatest height. */
const SHORT = 0.8;

/** Call once. @returns a function that ends it */
export function watchWriting(): () => void {
  const root = document.documentElement;
  const view = window.visualViewport;
  const ending = new AbortController();
  let tallest = 0;
  let width = 0;
  let pressed = false;
  /** A keyboard was there since the field has the focus. Without it now, the user has closed it. */
  let hadKeyboard = false;

  const judge = () => {
    const height = view?.height ?? innerHeight;
    if (innerWidth !== width) tallest = 0;
    width = innerWidth;
    tallest = Math.max(tallest, height);
    const field = document.activeElement;
    const keyboard = height < SHORT * tallest && field?.matches(TYPES) === true;
    hadKeyboard = keyboard || (hadKeyboard && field?.matches(WRITES) === true);
    const writing = keyboard ? 'keyboard' : field?.matches(WRITES) && !hadKeyboard ? 'field' : undefined;
    if (writing) root.dataset.writing = writing;
    else delete root.dataset.writing;
  };
  // Safari lays the keyboard over the page, and moves the page up.
  const follow = () => {
    const isCovered = view && Math.abs(view.scale - 1) < 0.01 && innerHeight - view.height > 1;
    if (isCovered) root.style.setProperty('--shown', `${view.height}px`);
    else root.style.removeProperty('--shown');
    if (isCovered && view.offsetTop > 0) scrollTo(0, 0);
    judge();
  };
  // Not while a finger or a button is down: what it is about to click would move away.
  const soon = () => {
    if (!pressed) setTimeout(judge);
  };
  const press = ({ type }: Event) => {
    pressed = type === 'pointerdown';
    soon();
  };
  const { signal } = ending;
  for (const type of ['focusin', 'focusout']) addEventListener(type, soon, { signal });
  for (const type of ['pointerdown', 'pointerup', 'pointercancel'])
    addEventListener(type, press, { signal, capture: true });
  addEventListener('resize', follow, { signal });
  view?.addEventListener('resize', follow, { signal });
  view?.addEventListener('scroll', follow, { signal });
  follow();
  return () => {
    ending.abort();
    delete root.dataset.writing;
  };
}
