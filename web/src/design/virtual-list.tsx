import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import styles from './list.module.css';

const ROW_PX = 64;
const OVERSCAN = 12;

/**
 * A list of any length in the view's own scrolling: only the rows that are near are on the page.
 * @param props.row gives what stands in a row, a `RowContent`
 * @param props.onEnd is called when the last row comes near
 */
export function VirtualList<T>(props: {
  label: string;
  items: readonly T[];
  /** The total, including items that are not loaded yet. */
  count: number;
  keyOf: (item: T) => string;
  row: (item: T) => ReactNode;
  onEnd: () => void;
}) {
  const { label, items, count, keyOf, row, onEnd } = props;
  const list = useRef<HTMLUListElement>(null);
  const [above, setAbove] = useState(0);
  // Measured after each render: the content above it may have grown.
  useLayoutEffect(() => setAbove(distanceToTop(list.current)));
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scrollerOf(list.current),
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: above,
    getItemKey: (index) => keyOf(items[index] as T),
  });
  const shown = virtualizer.getVirtualItems();
  const isAtEnd = (shown.at(-1)?.index ?? -1) >= items.length - 1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each row that becomes the last
  useEffect(() => {
    if (isAtEnd) onEnd();
  }, [isAtEnd, items.length]);
  return (
    <ul
      ref={list}
      aria-label={label}
      className={`${styles.list} ${styles.virtual}`}
      style={{ height: virtualizer.getTotalSize() }}
    >
      {shown.map(({ key, index, start }) => (
        <li
          key={key}
          ref={virtualizer.measureElement}
          data-index={index}
          aria-setsize={count}
          aria-posinset={index + 1}
          className={styles.row}
          style={{ transform: `translateY(${start - above}px)` }}
        >
          {row(items[index] as T)}
        </li>
      ))}
    </ul>
  );
}

/** The scrolling element: the view, or the part of the page that holds it. */
const scrollerOf = (list: HTMLElement | null) => list?.closest<HTMLElement>('[data-scrolls]') ?? null;

function distanceToTop(list: HTMLElement | null): number {
  const view = scrollerOf(list);
  if (!list || !view) return 0;
  return Math.round(list.getBoundingClientRect().top - view.getBoundingClientRect().top + view.scrollTop);
}
