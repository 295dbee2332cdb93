import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import styles from './hint.module.css';

const DELAY_MS = 500;
/** How long the pointer may take from the button to the hint, which stays while it is pointed at (WCAG 1.4.13). */
const LEAVE_MS = 150;
const GAP = 6;

/**
 * Shows what a `data-hint` says when its element is pointed at or focused with the keyboard: one layer for the whole
 * page. It repeats the element's label, so a screen reader needs none of it. Escape hides it.
 */
export function HintLayer() {
  const [shown, setShown] = useState<Element>();
  const [, drawAgain] = useReducer((count: number) => count + 1, 0);
  useEffect(() => watchForHints(setShown), []);
  // Some texts are loaded on demand and arrive later; an element that is gone has no hint.
  useEffect(() => {
    if (!shown) return;
    const look = () => (shown.isConnected ? drawAgain() : setShown(undefined));
    const observer = new MutationObserver(look);
    observer.observe(shown, { attributeFilter: ['data-hint'] });
    observer.observe(document.body, { childList: true, subtree: true });
    look();
    return () => observer.disconnect();
  }, [shown]);
  const text = shown?.getAttribute('data-hint');
  if (!shown || !text) return null;
  // Beside the dialogs, and not below them: the page has a layer of its own.
  return createPortal(<Bubble key={text} at={shown.getBoundingClientRect()} text={text} />, document.body);
}

function Bubble({ at, text }: { at: DOMRect; text: string }) {
  const bubble = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<{ left: number; top: number }>();
  useLayoutEffect(() => {
    const { width = 0, height = 0 } = bubble.current?.getBoundingClientRect() ?? {};
    const left = Math.min(Math.max(GAP, at.left + at.width / 2 - width / 2), innerWidth - width - GAP);
    const above = at.top - height - GAP;
    setPlace({ left, top: above > GAP ? above : at.bottom + GAP });
  }, [at]);
  return (
    <div
      ref={bubble}
      className={styles.hint}
      style={place ?? { left: 0, top: 0, visibility: 'hidden' }}
      data-hint-layer=""
      aria-hidden="true"
    >
      {text}
    </div>
  );
}

/** @returns a function that ends it */
function watchForHints(show: (element: Element | undefined) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = (element: Element | undefined, ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => show(element), ms);
  };
  const hide = () => soon(undefined, 0);
  const onPointer = ({ target, pointerType }: PointerEvent) => {
    if (pointerType !== 'mouse' || !(target instanceof Element)) return;
    if (target.closest('[data-hint-layer]')) return clearTimeout(timer);
    const element = target.closest('[data-hint]') ?? undefined;
    soon(element, element ? DELAY_MS : LEAVE_MS);
  };
  const onFocus = ({ target }: FocusEvent) => {
    if (target instanceof Element && target.matches('[data-hint]:focus-visible')) soon(target, DELAY_MS);
  };
  const ended = new AbortController();
  const { signal } = ended;
  document.addEventListener('pointerover', onPointer, { signal });
  document.addEventListener('focusin', onFocus, { signal });
  document.addEventListener('focusout', hide, { signal });
  document.addEventListener('pointerdown', hide, { signal });
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && hide(), { signal });
  document.addEventListener('scroll', hide, { capture: true, passive: true, signal });
  return () => {
    clearTimeout(timer);
    ended.abort();
  };
}
