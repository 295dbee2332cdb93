import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { membershipsQuery } from '../api/queries.ts';
import styles from './navigation-scroller.module.css';

type Edge = 'above' | 'below';
const NONE: Record<Edge, number> = { above: 0, below: 0 };
/** Places with something new have this attribute. */
const NEWS = '[data-news]';

/** The scrolling part of the navigation. Its edges tell how many places with something new are out of view. */
export function NavigationScroller({ children }: { children: ReactNode }) {
  const scroller = useRef<HTMLDivElement>(null);
  const hidden = useHidden(scroller);
  useCurrentInView(scroller);
  const show = (edge: Edge) => {
    const places = placesOf(scroller.current, edge);
    const next = edge === 'above' ? places.at(-1) : places[0];
    next?.scrollIntoView({ block: 'center' });
    // The button may be gone now.
    next?.focus({ preventScroll: true });
  };
  return (
    <div className={styles.frame}>
      {hidden.above > 0 && <EdgeButton edge="above" count={hidden.above} show={show} />}
      <div ref={scroller} className={styles.places}>
        {children}
      </div>
      {hidden.below > 0 && <EdgeButton edge="below" count={hidden.below} show={show} />}
    </div>
  );
}

function EdgeButton({ edge, count, show }: { edge: Edge; count: number; show: (edge: Edge) => void }) {
  const t = useTranslations('shell');
  const Arrow = edge === 'above' ? ArrowUp : ArrowDown;
  return (
    <button type="button" className={`${styles.edge} ${styles[edge]}`} onClick={() => show(edge)}>
      {t('unreadCount', { count })}
      <span className="visually-hidden">{t(edge === 'above' ? 'unreadAbove' : 'unreadBelow')}</span>
      <Arrow size={14} aria-hidden />
    </button>
  );
}

/** The places with something new whose middle is out of view, in their order. */
function placesOf(scroller: HTMLElement | null, edge: Edge): HTMLElement[] {
  if (!scroller) return [];
  const { top, bottom } = scroller.getBoundingClientRect();
  return [...scroller.querySelectorAll<HTMLElement>(NEWS)].filter((place) => {
    const box = place.getBoundingClientRect();
    const middle = (box.top + box.bottom) / 2;
    return edge === 'above' ? middle < top : middle > bottom;
  });
}

function useHidden(scroller: RefObject<HTMLElement | null>) {
  const [hidden, setHidden] = useState(NONE);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const count = () => {
      const above = placesOf(element, 'above').length;
      const below = placesOf(element, 'below').length;
      setHidden((now) => (now.above === above && now.below === below ? now : { above, below }));
    };
    const places = new MutationObserver(count);
    places.observe(element, { subtree: true, childList: true, attributeFilter: ['data-news'] });
    const size = new ResizeObserver(count);
    size.observe(element);
    element.addEventListener('scroll', count, { passive: true });
    return () => {
      places.disconnect();
      size.disconnect();
      element.removeEventListener('scroll', count);
    };
  }, [scroller]);
  return hidden;
}

/** Scrolls to the current place, which a link from elsewhere may have opened. */
function useCurrentInView(scroller: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  const { isSuccess } = useQuery(membershipsQuery);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each address, and the teams when they have come
  useEffect(() => {
    const frame = scroller.current?.getBoundingClientRect();
    const place = scroller.current?.querySelector('[aria-current="page"]')?.getBoundingClientRect();
    if (!frame || !place) return;
    // Not `scrollIntoView`: Tab would begin behind the place, past the link to the content.
    const above = Math.min(0, place.top - frame.top);
    scroller.current?.scrollBy(0, above || Math.max(0, place.bottom - frame.bottom));
  }, [pathname, isSuccess]);
}
