import { giveFocus } from './hands.ts';

/*
 * The focus is never lost: when the element that has it goes away, as a row that is done or a button that is no longer
 * needed, a neighbour gets it, else the view's title. Otherwise keys would begin at the top of the page again.
 */

const ROW = 'article, li, tr';
const LIST = '[role="feed"], ul, ol, tbody, [data-scope]';
const FOCUSABLE = 'a[href], button, [tabindex]';

/** Call once. */
export function watchFocus(): void {
  let last: Element | undefined;
  let neighbours: readonly Element[] = [];
  let checking = false;
  const note = ({ target }: FocusEvent) => {
    if (!(target instanceof Element)) return;
    last = target;
    const row = target.closest(ROW);
    const list = row?.closest(LIST);
    const rows = [...(list?.querySelectorAll(row?.localName ?? '') ?? [])];
    const at = row ? rows.indexOf(row) : -1;
    neighbours = [...rows.slice(at + 1), ...rows.slice(0, Math.max(0, at)).reverse()];
  };
  const isLost = () =>
    last?.isConnected === false && (document.activeElement ?? document.body) === document.body;
  const check = () => {
    checking = false;
    if (!isLost()) return;
    last = undefined;
    const next = neighbours.find(({ isConnected }) => isConnected);
    if (!next || !focusIn(next)) focusTitle();
  };
  addEventListener('focusin', note);
  new MutationObserver(() => {
    if (checking || !isLost()) return;
    checking = true;
    // What was removed may give the focus back itself, as a dialog does.
    requestAnimationFrame(() => requestAnimationFrame(check));
  }).observe(document.body, { childList: true, subtree: true });
}

function focusIn(row: Element): boolean {
  const target = row.matches(FOCUSABLE) ? row : row.querySelector(FOCUSABLE);
  if (!(target instanceof HTMLElement)) return false;
  giveFocus(target);
  return true;
}

/** Gives the focus to the view's title. */
export function focusTitle(): void {
  const view = document.getElementById('content');
  const title = view?.querySelector('h1') ?? view;
  title?.setAttribute('tabindex', '-1');
  title?.focus();
}
