import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, type LinkProps, useNavigate } from '@tanstack/react-router';
import { type LucideIcon, MessageSquare } from 'lucide-react';
import {
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useRef,
} from 'react';
import { useTranslations } from 'use-intl';
import { onLive } from '../../api/live.ts';
import { queryClient } from '../../api/queries.ts';
import type { Message } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import { focusTitle } from '../../design/kept-focus.ts';
import { nameOf } from '../../design/person.tsx';
import { Empty, Loaded } from '../../design/states.tsx';
import { MessageBody } from '../message/message-body.tsx';
import { Where } from '../message/where.tsx';
import { choose } from '../state/chosen.ts';
import { isDeleted } from '../state/message-list.ts';
import { findMessage, useFromMessages, useMessage } from '../state/messages.ts';
import type { Kept, KeptPage, KeptQuery } from '../state/saved.ts';
import { useMessageView } from '../state/view-context.tsx';
import frame from './frame.module.css';
import styles from './kept-list.module.css';
import { opensMessage } from './keys.ts';
import type { Mover } from './mover.ts';

interface ListProps {
  readonly query: KeptQuery;
  readonly flag: 'saved' | 'pinned';
  readonly label: string;
  readonly openId: string | undefined;
  readonly mover: RefObject<Mover | null>;
  readonly empty: { readonly icon: LucideIcon; readonly title: string; readonly text: string };
  /** Whether a message that is flagged from now on belongs here. */
  readonly takes: (message: Partial<Message>) => boolean;
  /** When, and by whom. */
  readonly note: (kept: Kept) => ReactNode;
}

/** Messages that were saved or pinned, the last one first, as they are now. */
export function KeptList(props: ListProps) {
  const query = useInfiniteQuery(props.query);
  useChanges(props);
  return (
    <div className={frame.body}>
      <Loaded query={query}>
        {({ pages }) => (
          <Rows
            {...props}
            kept={pages.flatMap(({ rows }) => rows)}
            more={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
            isReading={query.isFetching}
          />
        )}
      </Loaded>
    </div>
  );
}

/** What leaves the list is hidden by its flag; what comes into it is read. So is all when rights have changed. */
function useChanges({ query, flag, takes }: ListProps): void {
  const latest = useRef({ query, takes });
  latest.current = { query, takes };
  useEffect(() => {
    const refresh = () => void queryClient.invalidateQueries({ queryKey: latest.current.query.queryKey });
    const onMessage = (message: Partial<Message> & { id: string }) => {
      const pages = queryClient.getQueryData(latest.current.query.queryKey)?.pages ?? [];
      const isListed = pages.some(({ ids }) => ids.includes(message.id));
      if (message[flag] === true && !isListed && latest.current.takes(message)) refresh();
    };
    const ends = [
      onLive(flag === 'saved' ? 'message.state' : 'message.updated', ({ message }) => onMessage(message)),
      onLive('team.members', refresh),
      onLive('team.updated', refresh),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [flag]);
}

interface RowsProps extends ListProps {
  readonly kept: KeptPage['rows'];
  readonly more: (() => void) | undefined;
  readonly isReading: boolean;
}

function Rows({ kept, flag, label, openId, mover, empty, note, more, isReading }: RowsProps) {
  const t = useTranslations('members.saved');
  const list = useRef<HTMLDivElement>(null);
  const ids = useFromMessages(() =>
    kept
      .filter(({ id }) => {
        const message = findMessage(id);
        return message?.[flag] === true && !isDeleted(message);
      })
      .map(({ id }) => id)
      .join(),
  ).split(',');
  const rows = kept.filter(({ id }) => ids.includes(id));
  const focusAt = (at: number, focus: (row: HTMLElement) => void) => {
    const row = articlesIn(list.current)[at];
    if (row) focus(row);
    row?.scrollIntoView({ block: 'nearest' });
    return row !== undefined;
  };
  const current = () => articlesIn(list.current).findIndex((row) => row.contains(document.activeElement));
  useImperativeHandle(mover, () => ({
    move: (by) => focusAt(current() === -1 ? 0 : current() + by, choose),
    enter: () => focusAt(Math.max(current(), 0), choose),
    back: (id, focus) => {
      const at = rows.findIndex((row) => row.id === id || findMessage(row.id)?.reply_to === id);
      if (!focusAt(at, focus)) focusTitle();
      return true;
    },
  }));
  // Nothing of a page may be there for the reader any more.
  const goesOn = rows.length === 0 && more !== undefined && !isReading;
  useEffect(() => {
    if (goesOn) more?.();
  }, [goesOn, more]);
  if (rows.length === 0 && !more)
    return (
      <div className={frame.scroll}>
        <Empty icon={empty.icon} title={empty.title}>
          <p>{empty.text}</p>
        </Empty>
      </div>
    );
  return (
    <div className={frame.scroll}>
      <div ref={list} role="feed" aria-label={label} aria-busy={isReading}>
        {rows.map((one, index) => (
          <Row
            key={one.id}
            id={one.id}
            isOpen={one.id === openId}
            note={note(one)}
            place={{ position: index + 1, size: more ? -1 : rows.length }}
          />
        ))}
      </div>
      {more && (
        <p className={styles.more}>
          <Button small look="quiet" onClick={more}>
            {t('more')}
          </Button>
        </p>
      )}
    </div>
  );
}

const articlesIn = (list: HTMLElement | null) => [...(list?.querySelectorAll<HTMLElement>('article') ?? [])];

interface RowProps {
  readonly id: string;
  readonly isOpen: boolean;
  readonly note: ReactNode;
  readonly place: { readonly position: number; readonly size: number };
}

function Row({ id, isOpen, note, place }: RowProps) {
  const t = useTranslations('members.saved');
  const message = useMessage(id);
  const view = useMessageView();
  const navigate = useNavigate();
  const way = wayTo(message);
  // What is said in a sidebar is read there.
  const open = () => (message.sidebar === undefined ? view.open(message) : void navigate(way));
  const onClick = (event: MouseEvent) => {
    const target = event.target as Element;
    if (!event.currentTarget.contains(target)) return;
    if (target.closest('a, button, textarea, input, video, audio') || getSelection()?.isCollapsed === false)
      return;
    open();
  };
  return (
    <article
      className={`${frame.article} ${frame.entry} ${isOpen ? frame.open : ''}`}
      data-message={id}
      tabIndex={place.position === 1 ? 0 : -1}
      aria-label={nameOf(message.author)}
      aria-posinset={place.position}
      aria-setsize={place.size}
      aria-current={isOpen || undefined}
      onClick={onClick}
      onKeyDown={(event) => opensMessage(event) && open()}
    >
      <MessageBody message={message} where={<Where message={message} />} cut />
      <p className={styles.note}>
        <span>{note}</span>
        {message.sidebar !== undefined && <span>{t('inSidebar')}</span>}
        <Link {...way} className={styles.way as string}>
          <MessageSquare size={14} aria-hidden />
          {t('toMessage')}
        </Link>
      </p>
    </article>
  );
}

/** To a message in its place: a team's stream, or its conversation. */
function wayTo({ id, addressed_teams, reply_to, sidebar }: Message): LinkProps {
  const [team] = addressed_teams;
  if (team === undefined || sidebar !== undefined)
    return { to: '/messages/$message', params: { message: id } } as LinkProps;
  const search = reply_to === undefined ? { at: id } : { at: reply_to, open: reply_to, reply: id };
  return { to: '/teams/$team', params: { team }, search } as LinkProps;
}
