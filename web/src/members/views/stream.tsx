import type { QueryKey } from '@tanstack/react-query';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import {
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslations } from 'use-intl';
import type { Message, Team } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import { arrivedAs } from '../state/arrivals.ts';
import { goesOn, type MessageList } from '../state/message-list.ts';
import type { Unsent } from '../state/outbox.ts';
import { noteSeen } from '../state/reading.ts';
import { useMessageView } from '../state/view-context.tsx';
import { useWatched } from '../state/watched.ts';
import styles from './frame.module.css';
import { moveByArrow } from './keys.ts';
import type { Mover } from './mover.ts';
import { type Row, StreamRow, sameDay } from './stream-row.tsx';
import { useExtend } from './use-extend.tsx';

export interface StreamHandle {
  /** To the end, to see what one has just written. */
  follow(): void;
}

const ESTIMATED = 56;
const GROUPED = 26;
/** So close to the end one wants to see what comes. */
const AT_END = 48;
/** How long before an end is reached what follows is asked for. */
const AHEAD = 30;
/** How far away the end may be before there is a way back to it. */
const FAR = 800;

/** Messages one below the other, the newest at the bottom; only those in view are in the page. */
export function Stream(props: {
  list: MessageList;
  queryKey: QueryKey;
  team: Team;
  unsent: readonly Unsent[];
  at: string | undefined;
  mover: RefObject<Mover | null>;
  handle: Ref<StreamHandle>;
  takeBack: (entry: Unsent) => void;
  showNewest: () => Promise<void>;
}) {
  const { list, queryKey, team, unsent, at, mover, handle, takeBack, showNewest } = props;
  const t = useTranslations('members.stream');
  const { me, editing } = useMessageView();
  const [newLine] = useState(() => firstUnread(list, me.id));
  const rows = useMemo(() => rowsOf(list, unsent, newLine), [list, unsent, newLine]);
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<string>();
  const activeAt = active === undefined ? -1 : rows.findLastIndex(({ key }) => key === active);
  const editingAt = editing === undefined ? -1 : rows.findLastIndex(({ key }) => key === editing);
  const extend = useExtend(queryKey);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => rows[index]?.key ?? index,
    estimateSize: (index) => (rows[index]?.grouped ? GROUPED : ESTIMATED),
    anchorTo: 'end',
    // Further down there is more to read first.
    followOnAppend: list.newer === null,
    scrollEndThreshold: AT_END,
    overscan: 8,
    paddingEnd: 12,
    // What has the focus, or is being edited, stays in the page.
    rangeExtractor: (range) => {
      const shown = new Set([...defaultRangeExtractor(range), activeAt, editingAt]);
      shown.delete(-1);
      return [...shown].sort((one, other) => one - other);
    },
  });
  const items = virtualizer.getVirtualItems();
  const range = virtualizer.range;

  // Where one begins: at the message of the address, at what is new, or at the end.
  const placed = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    const wanted = at ?? 'begin';
    if (placed.current === wanted) return;
    const first = placed.current === undefined;
    placed.current = wanted;
    const index = rows.findIndex(({ key }) => key === (at ?? newLine));
    if (index !== -1) virtualizer.scrollToIndex(index, { align: at === undefined ? 'start' : 'center' });
    else if (first) virtualizer.scrollToEnd();
  }, [at, newLine, rows, virtualizer]);
  // Before that, what is in view is by accident.
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    const frame = requestAnimationFrame(() => setSettled(true));
    return () => cancelAnimationFrame(frame);
  }, []);

  useEffect(() => {
    if (!range || !settled) return;
    if (range.startIndex < AHEAD && list.older !== null) extend.read('older');
    if (range.endIndex > rows.length - AHEAD && list.newer !== null) extend.read('newer');
  }, [range, settled, rows.length, list, extend]);

  const atEnd = list.newer === null && virtualizer.isAtEnd(AT_END);
  useSeen(team.id, rows, virtualizer, items, settled);
  const missed = useMissed(list, atEnd, me.id);

  const toEnd = () => {
    if (list.newer === null) virtualizer.scrollToEnd();
    else void showNewest().then(() => requestAnimationFrame(() => virtualizer.scrollToEnd()));
  };
  useImperativeHandle(handle, () => ({ follow: toEnd }));
  useImperativeHandle(mover, () => ({
    move: (by) => {
      const visible = virtualizer.range?.endIndex ?? rows.length - 1;
      const index = Math.max(0, Math.min(rows.length - 1, activeAt === -1 ? visible : activeAt + by));
      const row = rows[index];
      if (!row) return;
      setActive(row.key);
      virtualizer.scrollToIndex(index, { align: 'auto' });
      requestAnimationFrame(() => focusRow(scroller.current, row.key));
    },
  }));
  const tabStop = activeAt === -1 ? rows.length - 1 : activeAt;
  return (
    <>
      {extend.busy && <div className={styles.busy} />}
      <div ref={scroller} className={styles.scroll} data-stream>
        <div className={styles.fill}>
          <div
            role="feed"
            aria-label={t('label', { team: team.name })}
            aria-busy={extend.busy}
            className={styles.sizer}
            style={{ height: virtualizer.getTotalSize() }}
            onKeyDown={(event) => moveByArrow(event, mover)}
          >
            {items.map(({ key, index, start }) => {
              const row = rows[index];
              if (!row) return null;
              return (
                <div
                  key={key}
                  ref={virtualizer.measureElement}
                  data-index={index}
                  role="presentation"
                  className={styles.row}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <StreamRow
                    row={row}
                    team={team}
                    begins={index === 0 && list.older === null}
                    focusable={index === tabStop}
                    marked={row.key === at}
                    place={index + 1}
                    size={list.older === null && list.newer === null ? rows.length : -1}
                    setActive={setActive}
                    takeBack={takeBack}
                  />
                </div>
              );
            })}
          </div>
        </div>
      </div>
      {extend.failure}
      {(missed > 0 || list.newer !== null || virtualizer.getDistanceFromEnd() > FAR) && (
        <div className={styles.jump}>
          <Button small look="primary" onClick={toEnd}>
            {missed > 0 ? t('missed', { count: missed }) : t('toEnd')}
            <ArrowDown size={16} aria-hidden />
          </Button>
        </div>
      )}
    </>
  );
}

function focusRow(scroller: HTMLElement | null, key: string): void {
  scroller?.querySelector<HTMLElement>(`[data-row="${key}"]`)?.focus({ preventScroll: true });
}

function firstUnread({ items }: MessageList, userId: string): string | undefined {
  return items.find(({ read, author }) => !read && author.id !== userId)?.id;
}

function rowsOf(list: MessageList, unsent: readonly Unsent[], newLine: string | undefined): Row[] {
  const rows: Row[] = list.items.map((message, at) => {
    const before = list.items[at - 1];
    const day = !before || !sameDay(before.created_at, message.created_at);
    const isNew = message.id === newLine;
    return { key: message.id, message, day, isNew, grouped: !day && !isNew && goesOn(message, before) };
  });
  if (list.newer !== null) return rows;
  const last = new Set(list.items.slice(-50).map(({ id }) => id));
  const waiting = unsent.filter(({ key }) => !last.has(arrivedAs(key) ?? ''));
  return [...rows, ...waiting.map((entry, at) => ({ key: entry.key, entry, grouped: at > 0 }))];
}

type Virtual = ReturnType<typeof useVirtualizer<HTMLDivElement, Element>>;

/** Tells what is in view while somebody looks. */
function useSeen(
  team: string,
  rows: readonly Row[],
  virtualizer: Virtual,
  items: unknown,
  settled: boolean,
): void {
  const watched = useWatched() && settled;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is in view changes with the items
  useEffect(() => {
    if (!watched) return;
    const top = virtualizer.scrollOffset ?? 0;
    const bottom = top + (virtualizer.scrollRect?.height ?? 0) + 4;
    const seen = virtualizer
      .getVirtualItems()
      .filter(({ start, end }) => end > top && (end <= bottom || (start <= top && end >= bottom)))
      .map(({ index }) => rows[index])
      .flatMap((row) => (row && 'message' in row ? [row.message] : []));
    noteSeen(team, seen);
  }, [watched, team, rows, items]);
}

/** How many messages of others have come since one was at the end. */
function useMissed({ items, newer }: MessageList, atEnd: boolean, userId: string): number {
  const last = useRef<string | undefined>(items.at(-1)?.id);
  const complete = useRef(newer === null);
  useEffect(() => {
    // What was read on purpose, from a stretch of the past towards the end, has not just come.
    if (atEnd || !complete.current) last.current = items.at(-1)?.id;
    complete.current = newer === null;
  }, [atEnd, items, newer]);
  if (atEnd || last.current === undefined) return 0;
  const at = items.findLastIndex(({ id }) => id === last.current);
  return items.slice(at + 1).filter((message: Message) => message.author.id !== userId).length;
}
