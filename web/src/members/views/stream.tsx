import type { QueryKey } from '@tanstack/react-query';
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
import type { SessionUser, Team } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import type { MessageList } from '../state/message-list.ts';
import { findMessage, firstUnread } from '../state/messages.ts';
import type { Unsent } from '../state/outbox.ts';
import { noteSeen } from '../state/reading.ts';
import { useMessageView } from '../state/view-context.tsx';
import { useWatched } from '../state/watched.ts';
import styles from './frame.module.css';
import type { Mover } from './mover.ts';
import { isGrouped, type Row, StreamRow } from './stream-row.tsx';
import { type Feed, useFeed, VirtualFeed } from './virtual-feed.tsx';

export interface StreamHandle {
  /** Scrolls to the end, as after posting. */
  follow(): void;
}

const ESTIMATED = 56;
const GROUPED = 26;
/** Within this distance of the end, new messages are followed. */
const AT_END = 48;
/** How many rows before an end the next page is read. */
const AHEAD = 30;
/** How far away the end may be before a button leads back to it. */
const FAR = 800;
const LAYOUT = {
  estimateSize: (row: Row | undefined) => (row && isGrouped(row) ? GROUPED : ESTIMATED),
  paddingEnd: 12,
  scrollEndThreshold: AT_END,
};
const keyOf = ({ key }: Row) => key;

/** A team's messages, the newest at the bottom; only those near the view are in the page. */
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
  const [newLine] = useState(() => firstUnread(list, me));
  const rows = useMemo(() => rowsOf(list, unsent, newLine), [list, unsent, newLine]);
  const feed = useFeed({
    list,
    queryKey,
    rows,
    keyOf,
    newestFirst: false,
    kept: editing,
    ahead: AHEAD,
    mover,
    layout: LAYOUT,
  });
  const { virtualizer, settled } = feed;

  // The first position: the message that the URL names, the first unread one, or the end.
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
  const atEnd = list.newer === null && virtualizer.isAtEnd(AT_END);
  useSeen(team.id, rows, virtualizer, settled);
  const missed = useMissed(list, atEnd, me);

  const toEnd = () => {
    if (list.newer === null) virtualizer.scrollToEnd();
    else void showNewest().then(() => requestAnimationFrame(() => virtualizer.scrollToEnd()));
  };
  useImperativeHandle(handle, () => ({ follow: toEnd }));
  return (
    <>
      <VirtualFeed feed={feed} label={t('label', { team: team.name })} className={styles.fill}>
        {(row, inFeed, index) => (
          <StreamRow
            row={row}
            team={team}
            begins={index === 0 && list.older === null}
            marked={row.key === at}
            takeBack={takeBack}
            {...inFeed}
          />
        )}
      </VirtualFeed>
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

function rowsOf({ ids, newer }: MessageList, unsent: readonly Unsent[], newLine: string | undefined): Row[] {
  const rows: Row[] = ids.map((key, at) => ({ key, before: ids[at - 1], isNew: key === newLine }));
  if (newer !== null) return rows;
  return [...rows, ...unsent.map((entry, at) => ({ key: entry.key, entry, grouped: at > 0 }))];
}

/** Notes what is in view while the window is looked at. */
function useSeen(
  team: string,
  rows: readonly Row[],
  virtualizer: Feed<Row>['virtualizer'],
  settled: boolean,
): void {
  const watched = useWatched() && settled;
  const items = virtualizer.getVirtualItems();
  useEffect(() => {
    if (!watched) return;
    const top = virtualizer.scrollOffset ?? 0;
    const bottom = top + (virtualizer.scrollRect?.height ?? 0) + 4;
    const seen = items
      .filter(({ start, end }) => end > top && (end <= bottom || (start <= top && end >= bottom)))
      .map(({ index }) => rows[index])
      .flatMap((row) => (row && !('entry' in row) ? [row.key] : []));
    noteSeen(team, seen);
  }, [watched, team, rows, items, virtualizer]);
}

/** How many messages of others have arrived since the view was at the end. */
function useMissed({ ids, newer }: MessageList, atEnd: boolean, me: SessionUser): number {
  const last = useRef<string | undefined>(ids.at(-1));
  const complete = useRef(newer === null);
  useEffect(() => {
    // Messages loaded while scrolling from the past towards the end have not just arrived.
    if (atEnd || !complete.current) last.current = ids.at(-1);
    complete.current = newer === null;
  }, [atEnd, ids, newer]);
  if (atEnd || last.current === undefined) return 0;
  const at = ids.lastIndexOf(last.current);
  return ids.slice(at + 1).filter((id) => findMessage(id)?.author.id !== me.id).length;
}
