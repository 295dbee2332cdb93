import type { QueryKey } from '@tanstack/react-query';
import type { VirtualItem } from '@tanstack/react-virtual';
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
import type { EphemeralAnswer } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import { tell } from '../../design/toast.tsx';
import { useFailureText } from '../../text/failure.ts';
import { AT_END as JOINED_SINCE, type JoinedPeople } from '../state/joined.ts';
import type { MessageList } from '../state/message-list.ts';
import { findMessage, firstUnread } from '../state/messages.ts';
import type { Unsent } from '../state/outbox.ts';
import { useMessageView } from '../state/view-context.tsx';
import { useWatched } from '../state/watched.ts';
import styles from './frame.module.css';
import { useKeptEnd } from './kept-end.ts';
import type { Mover, StreamHandle } from './mover.ts';
import { DayAtTop, isContinued, type Row, StreamRow } from './stream-row.tsx';
import { type Feed, useFeed, VirtualFeed } from './virtual-feed.tsx';

const ESTIMATED = 56;
const GROUPED = 26;
/** Within this distance of the end, new messages are followed. */
const AT_END = 48;
/** How many rows before an end the next page is read. */
const AHEAD = 30;
/** How far away the end may be before a button leads back to it. */
const FAR = 800;
const LAYOUT = {
  estimateSize: (row: Row | undefined) => (row && isContinued(row) ? GROUPED : ESTIMATED),
  paddingEnd: 12,
  scrollEndThreshold: AT_END,
};
/** While estimated heights may fit the view, no position counts as the end: it would be followed as rows are measured. */
const PLACING = { ...LAYOUT, scrollEndThreshold: -1 };
const keyOf = ({ key }: Row) => key;

/** What a stream shows: a team, or a conversation. */
export interface Streamed {
  /** The name of the list. */
  readonly label: string;
  /** Stands above the first message. */
  readonly beginning: string;
  /** Who joined a team, by the message before which they did. */
  readonly joined?: ReadonlyMap<string, JoinedPeople> | undefined;
  /** What applications have told the reader alone, below the newest message. */
  readonly answers?: readonly EphemeralAnswer[] | undefined;
  /** Whether messages stand under the name of their subject. */
  readonly titled?: boolean;
  /** Called with messages that are in view while the window is looked at. The same function while the place is the same. */
  seen(ids: readonly string[]): void;
}

/**
 * Messages, the newest at the bottom; only those near the view are in the page.
 * @param props.unread how many messages of the place are unread, by the server's count
 */
export function Stream(props: {
  list: MessageList;
  queryKey: QueryKey;
  of: Streamed;
  unread: number;
  unsent: readonly Unsent[];
  at: string | undefined;
  mover: RefObject<Mover | null>;
  handle: Ref<StreamHandle>;
  takeBack: (entry: Unsent) => void;
  showNewest: () => Promise<void>;
}) {
  const { list, queryKey, of, unread, unsent, at, mover, handle, takeBack, showNewest } = props;
  const t = useTranslations('members.stream');
  const failure = useFailureText();
  const { me, editing } = useMessageView();
  const [newLine] = useState(() => firstUnread(list, me));
  const { joined, answers } = of;
  const rows = useMemo(
    () => rowsOf(list, unsent, newLine, { joined, answers }),
    [list, unsent, newLine, joined, answers],
  );
  const [placing, setPlacing] = useState((at ?? newLine) !== undefined);
  const feed = useFeed({
    list,
    queryKey,
    rows,
    keyOf,
    newestFirst: false,
    kept: editing,
    ahead: AHEAD,
    mover,
    layout: placing ? PLACING : LAYOUT,
  });
  const { virtualizer, settled, scroller } = feed;

  // The first position: the message that the URL names, the first unread one, or the end.
  const placed = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    const wanted = at ?? 'begin';
    if (placed.current === wanted) return;
    const first = placed.current === undefined;
    placed.current = wanted;
    const index = rows.findIndex(({ key }) => key === (at ?? newLine));
    if (index === -1) return first ? virtualizer.scrollToEnd() : undefined;
    setPlacing(true);
    virtualizer.scrollToIndex(index, { align: at === undefined ? 'start' : 'center' });
  }, [at, newLine, rows, virtualizer]);
  useMeasured(placing && settled, virtualizer, () => setPlacing(false));
  const scrollToEnd = useKeptEnd(scroller, AT_END, () => virtualizer.scrollToEnd(), placing);
  const atEnd = list.newer === null && virtualizer.isAtEnd(AT_END);
  useSeen(of.seen, rows, virtualizer, settled);
  const below = atEnd
    ? 0
    : unreadBelow(list, unread, inView(virtualizer.getVirtualItems(), virtualizer).at(-1)?.index);

  const topAt = virtualizer.range?.startIndex ?? -1;
  const toEnd = () => {
    if (list.newer === null) scrollToEnd();
    else
      showNewest().then(
        () => requestAnimationFrame(scrollToEnd),
        (error: unknown) => tell(failure(error)),
      );
  };
  useImperativeHandle(handle, () => ({ follow: toEnd, toStart: () => virtualizer.scrollToIndex(0) }));
  return (
    <>
      <VirtualFeed feed={feed} label={of.label} className={styles.fill}>
        {(row, inFeed, index) => (
          <StreamRow
            row={row}
            beginning={index === 0 && list.older === null ? of.beginning : undefined}
            joinedSince={index === list.ids.length - 1 ? joined?.get(JOINED_SINCE) : undefined}
            titled={of.titled === true}
            marked={row.key === at}
            takeBack={takeBack}
            {...inFeed}
          />
        )}
      </VirtualFeed>
      {settled && !placing && <DayAtTop key={topAt} row={rows[topAt]} />}
      {(below > 0 || list.newer !== null || virtualizer.getDistanceFromEnd() > FAR) && (
        <div className={styles.jump}>
          <Button small look={below > 0 ? 'primary' : 'secondary'} onClick={toEnd}>
            {below > 0 ? t('below', { count: below }) : t('toEnd')}
            <ArrowDown size={16} aria-hidden />
          </Button>
        </div>
      )}
    </>
  );
}

function rowsOf(
  { ids, newer }: MessageList,
  unsent: readonly Unsent[],
  newLine: string | undefined,
  { joined, answers = [] }: Pick<Streamed, 'joined' | 'answers'>,
): Row[] {
  const rows: Row[] = ids.map((key, at) => ({
    key,
    before: ids[at - 1],
    isNew: key === newLine,
    joined: joined?.get(key),
  }));
  if (newer !== null) return rows;
  return [
    ...rows,
    ...unsent.map((entry, at) => ({
      ...{ key: entry.key, entry, before: unsent[at - 1] ?? ids.at(-1) },
      joined: at === 0 ? joined?.get(JOINED_SINCE) : undefined,
    })),
    ...answers.map((answer) => ({ key: answer.id, answer })),
  ];
}

/** Calls `then` when the rows near the view have their real heights. */
function useMeasured(waiting: boolean, virtualizer: Feed<Row>['virtualizer'], then: () => void): void {
  const items = virtualizer.getVirtualItems();
  const measured = waiting && items.every(({ key }) => virtualizer.itemSizeCache.has(key));
  const latest = useRef(then);
  latest.current = then;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows near the view are other heights
  useEffect(() => {
    if (!measured) return;
    // In the next frame the position is written again if the heights have moved it.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => latest.current());
    });
    return () => cancelAnimationFrame(frame);
  }, [measured, items]);
}

/** Notes what is in view while the window is looked at. */
function useSeen(
  seen: (ids: readonly string[]) => void,
  rows: readonly Row[],
  virtualizer: Feed<Row>['virtualizer'],
  settled: boolean,
): void {
  const watched = useWatched() && settled;
  const items = virtualizer.getVirtualItems();
  useEffect(() => {
    if (!watched) return;
    const ids = inView(items, virtualizer)
      .map(({ index }) => rows[index])
      .flatMap((row) => (row && 'isNew' in row ? [row.key] : []));
    seen(ids);
  }, [watched, seen, rows, items, virtualizer]);
}

/** The rows that can be read: they are in view to their ends, or fill the view. */
function inView(items: readonly VirtualItem[], virtualizer: Feed<Row>['virtualizer']) {
  const top = virtualizer.scrollOffset ?? 0;
  const bottom = top + (virtualizer.scrollRect?.height ?? 0) + 4;
  return items.filter(({ start, end }) => end > top && (end <= bottom || (start <= top && end >= bottom)));
}

/**
 * How many unread messages stand below the view: of those that are not loaded, the server's count knows.
 * @param end the last row in view
 */
function unreadBelow({ ids, older, newer }: MessageList, unread: number, end = ids.length): number {
  const isUnread = (id: string | undefined) => id !== undefined && findMessage(id)?.read === false;
  if (newer === null) return ids.slice(end + 1).filter(isUnread).length;
  // Unread messages above the loaded ones are in the server's count, too.
  if (older !== null && isUnread(ids[0])) return 0;
  return Math.max(0, unread - ids.slice(0, end + 1).filter(isUnread).length);
}
