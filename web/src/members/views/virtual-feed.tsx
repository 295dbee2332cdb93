import type { QueryKey } from '@tanstack/react-query';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { giveFocus } from '../../design/hands.ts';
import { choose } from '../state/chosen.ts';
import type { MessageList } from '../state/message-list.ts';
import styles from './frame.module.css';
import type { Mover } from './mover.ts';
import { useExtend } from './use-extend.tsx';

interface FeedOptions<R> {
  /** The list that the rows show; it says whether more can be read. */
  readonly list: MessageList;
  readonly queryKey: QueryKey;
  readonly rows: readonly R[];
  keyOf(row: R): string;
  readonly newestFirst: boolean;
  /** A row that stays in the page while it is out of view, as the one with the focus does. */
  readonly kept?: string | undefined;
  /** How many rows before an end of the list the next page is read. */
  readonly ahead: number;
  readonly mover: RefObject<Mover | null>;
  readonly layout: {
    estimateSize(row: R | undefined): number;
    readonly paddingEnd?: number;
    readonly scrollEndThreshold?: number;
  };
}

/** Rows of a feed of any length: only those near the view are in the page, and more are read towards both ends. */
export function useFeed<R>(options: FeedOptions<R>) {
  const { list, queryKey, rows, keyOf, newestFirst, kept, ahead, mover, layout } = options;
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<string>();
  const indexOf = (key: string | undefined) =>
    key === undefined ? -1 : rows.findLastIndex((row) => keyOf(row) === key);
  const activeAt = indexOf(active);
  const keptAt = indexOf(kept);
  const extend = useExtend(queryKey);
  const isAtTop = (scroller.current?.scrollTop ?? 0) === 0;
  const virtualizer = useVirtualizer({
    ...layout,
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : keyOf(row);
    },
    estimateSize: (index) => layout.estimateSize(rows[index]),
    overscan: 8,
    // New rows above the view do not move it.
    anchorTo: newestFirst && isAtTop ? 'start' : 'end',
    // In the past, what follows is read before the end is followed.
    followOnAppend: !newestFirst && list.newer === null,
    rangeExtractor: (range) => {
      const shown = new Set([...defaultRangeExtractor(range), activeAt, keptAt]);
      shown.delete(-1);
      return [...shown].sort((one, other) => one - other);
    },
  });
  const { range } = virtualizer;

  // In the first frame the view is not at its place yet.
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    const frame = requestAnimationFrame(() => setSettled(true));
    return () => cancelAnimationFrame(frame);
  }, []);
  useEffect(() => {
    if (!range || !settled) return;
    const [top, bottom] = newestFirst ? (['newer', 'older'] as const) : (['older', 'newer'] as const);
    if (range.startIndex < ahead && list[top] !== null) extend.read(top);
    if (range.endIndex > rows.length - ahead && list[bottom] !== null) extend.read(bottom);
  }, [range, settled, rows.length, list, extend, newestFirst, ahead]);

  const focusAt = (index: number, focus: (row: HTMLElement) => void) => {
    const row = rows[index];
    if (row === undefined) return false;
    setActive(keyOf(row));
    virtualizer.scrollToIndex(index, { align: 'auto' });
    requestAnimationFrame(() => {
      const article = scroller.current?.querySelector<HTMLElement>(`[data-row="${keyOf(row)}"] article`);
      if (article) focus(article);
    });
    return true;
  };
  const first = newestFirst ? 0 : (range?.endIndex ?? rows.length - 1);
  const isInView = range !== null && activeAt >= range.startIndex && activeAt <= range.endIndex;
  useImperativeHandle(mover, () => ({
    move: (by) => focusAt(activeAt === -1 ? first : activeAt + by, choose),
    enter: () => focusAt(isInView ? activeAt : first, giveFocus),
    back: (id, focus) => focusAt(indexOf(id), focus),
  }));
  const tabStop = activeAt !== -1 ? activeAt : newestFirst ? 0 : rows.length - 1;
  return { ...options, scroller, virtualizer, extend, settled, tabStop, setActive };
}

export type Feed<R> = ReturnType<typeof useFeed<R>>;

/** The attributes of a row's article in its feed (ARIA 1.2, role feed). */
export interface InFeed {
  /** It is where Tab enters the feed. */
  readonly focusable: boolean;
  readonly position: number;
  /** -1 while the list has not been read to its ends. */
  readonly size: number;
  setActive(key: string): void;
}

/** A list's own name for the router, which gives the place of a scroller to one of the same name in the next view. */
const nameOf = (queryKey: QueryKey) => JSON.stringify(queryKey).replaceAll('"', "'");

/**
 * The page's part of a feed.
 * @param props.children gives a row's content, with one article in it
 * @param props.above stands over the rows and scrolls with them
 */
export function VirtualFeed<R>(props: {
  feed: Feed<R>;
  label: string;
  className?: string | undefined;
  above?: ReactNode;
  children: (row: R, inFeed: InFeed, index: number) => ReactNode;
}) {
  const { feed, label, className, above, children } = props;
  const { list, queryKey, rows, keyOf, scroller, virtualizer, extend, tabStop, setActive } = feed;
  const size = list.older === null && list.newer === null ? rows.length : -1;
  return (
    <>
      {extend.busy && <div className={styles.busy} />}
      <div ref={scroller} className={styles.scroll} data-feed data-scroll-restoration-id={nameOf(queryKey)}>
        <div className={className}>
          {above}
          <div
            role="feed"
            aria-label={label}
            aria-busy={extend.busy}
            className={styles.sizer}
            style={{ height: virtualizer.getTotalSize() }}
          >
            {virtualizer.getVirtualItems().map(({ key, index, start }) => {
              const row = rows[index];
              if (row === undefined) return null;
              return (
                <div
                  key={key}
                  ref={virtualizer.measureElement}
                  data-index={index}
                  data-row={keyOf(row)}
                  role="presentation"
                  className={styles.row}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  {children(
                    row,
                    { focusable: index === tabStop, position: index + 1, size, setActive },
                    index,
                  )}
                </div>
              );
            })}
          </div>
        </div>
      </div>
      {extend.failure}
    </>
  );
}
