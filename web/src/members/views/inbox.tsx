import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  CheckCheck,
  Inbox as InboxIcon,
  type LucideIcon,
  MessageCircle,
  PartyPopper,
  Send,
} from 'lucide-react';
import { type MouseEvent, type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { meQuery } from '../../api/queries.ts';
import type { Message } from '../../api/types.ts';
import { Button, ButtonLink } from '../../design/button.tsx';
import { useTitle } from '../../design/page.tsx';
import { nameOf } from '../../design/person.tsx';
import { Empty, Loaded } from '../../design/states.tsx';
import { MessageBody } from '../message/message-body.tsx';
import { UnsentMessage } from '../message/unsent-message.tsx';
import { Where } from '../message/where.tsx';
import { arrivedAs } from '../state/arrivals.ts';
import { isUnread, type MessageList } from '../state/message-list.ts';
import { listQuery, type Tag } from '../state/message-queries.ts';
import { type Unsent, useOutbox } from '../state/outbox.ts';
import { markAllRead } from '../state/reading.ts';
import { useMessageView } from '../state/view-context.tsx';
import styles from './frame.module.css';
import { moveByArrow, opensMessage } from './keys.ts';
import { MessagesFrame } from './messages-frame.tsx';
import type { Mover } from './mover.ts';
import { useExtend } from './use-extend.tsx';

const LISTS = {
  _inbox: { text: 'inbox', icon: InboxIcon },
  _direct: { text: 'direct', icon: MessageCircle },
  _sent: { text: 'sent', icon: Send },
  _unread: { text: 'unread', icon: PartyPopper },
} as const satisfies Record<Tag, { text: string; icon: LucideIcon }>;

export const Inbox = () => <Listing tag="_inbox" />;
export const Direct = () => <Listing tag="_direct" />;
export const Sent = () => <Listing tag="_sent" />;
export const Unread = () => <Listing tag="_unread" />;

/** What opens conversations, of one kind, the newest first. */
function Listing({ tag }: { tag: Tag }) {
  const { open } = useSearch({ strict: false }) as { open?: string };
  const mover = useRef<Mover>(null);
  return (
    <MessagesFrame openId={open} mover={mover}>
      <List tag={tag} openId={open} mover={mover} />
    </MessagesFrame>
  );
}

interface ListProps {
  readonly tag: Tag;
  readonly openId: string | undefined;
  readonly mover: RefObject<Mover | null>;
}

function List({ tag, openId, mover }: ListProps) {
  const t = useTranslations(`members.${LISTS[tag].text}`);
  const lists = useTranslations('members.lists');
  useTitle(t('title'));
  const query = useQuery(listQuery({ tag }));
  const { data: me } = useQuery(meQuery);
  const view = useMessageView();
  const unread = me?.unread_counts.user.total ?? 0;
  const newest = query.data?.items.at(-1);
  return (
    <>
      <header className={styles.header}>
        <div className={styles.grow}>
          <h1>{t('title')}</h1>
        </div>
        {tag !== '_sent' && unread > 0 && newest && (
          <Button small look="quiet" onClick={() => view.run(newest, markAllRead)}>
            <CheckCheck size={16} aria-hidden />
            {lists('markAllRead')}
          </Button>
        )}
        <ButtonLink to="/compose" small className={styles.onPhone as string}>
          {lists('compose')}
        </ButtonLink>
      </header>
      <div className={styles.body}>
        <Loaded query={query}>
          {(list: MessageList) => <Entries tag={tag} openId={openId} mover={mover} list={list} />}
        </Loaded>
      </div>
    </>
  );
}

const ESTIMATED = 96;
const AHEAD = 10;

function Entries({ tag, list, openId, mover }: ListProps & { list: MessageList }) {
  const t = useTranslations(`members.${LISTS[tag].text}`);
  const lists = useTranslations('members.lists');
  const items = list.items.toReversed();
  const known = new Set(items.map(({ id }) => id));
  const unsent = useOutbox().filter(
    ({ place, key }) =>
      place.kind === 'people' && (tag === '_sent' || tag === '_direct') && !known.has(arrivedAs(key) ?? ''),
  );
  const { queryKey } = listQuery({ tag });
  const extend = useExtend(queryKey);
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<string>();
  const scrolled = (scroller.current?.scrollTop ?? 0) > 0;
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => items[index]?.id ?? index,
    estimateSize: () => ESTIMATED,
    overscan: 6,
    // Who reads further down stays there when something new comes above it.
    anchorTo: scrolled ? 'end' : 'start',
  });
  const { range } = virtualizer;
  useEffect(() => {
    if (range && range.endIndex > items.length - AHEAD && list.older !== null) extend.read('older');
  }, [range, items.length, list.older, extend]);
  const activeAt = items.findIndex(({ id }) => id === active);
  useImperativeHandle(mover, () => ({
    move: (by) => {
      const index = Math.max(0, Math.min(items.length - 1, activeAt === -1 ? 0 : activeAt + by));
      const id = items[index]?.id;
      if (id === undefined) return;
      setActive(id);
      virtualizer.scrollToIndex(index, { align: 'auto' });
      requestAnimationFrame(() =>
        scroller.current
          ?.querySelector<HTMLElement>(`[data-message="${id}"]`)
          ?.focus({ preventScroll: true }),
      );
    },
  }));
  if (items.length === 0 && unsent.length === 0) {
    return (
      <div className={styles.scroll}>
        <Empty icon={LISTS[tag].icon} title={t('emptyTitle')}>
          <p>{t('emptyText')}</p>
        </Empty>
      </div>
    );
  }
  return (
    <>
      {extend.busy && <div className={styles.busy} />}
      <div ref={scroller} className={styles.scroll}>
        <Waiting entries={unsent} />
        <div
          role="feed"
          aria-label={t('title')}
          aria-busy={extend.busy}
          className={styles.sizer}
          style={{ height: virtualizer.getTotalSize() }}
          onKeyDown={(event) => moveByArrow(event, mover)}
        >
          {virtualizer.getVirtualItems().map(({ key, index, start }) => {
            const message = items[index];
            if (!message) return null;
            return (
              <div
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                role="presentation"
                className={styles.row}
                style={{ transform: `translateY(${start}px)` }}
              >
                <Entry
                  message={message}
                  isOpen={message.id === openId}
                  focusable={index === Math.max(0, activeAt)}
                  place={index + 1}
                  size={list.older === null ? items.length : -1}
                  setActive={setActive}
                />
              </div>
            );
          })}
        </div>
        <p className="visually-hidden" role="status">
          {list.older === null ? lists('all') : ''}
        </p>
      </div>
      {extend.failure}
    </>
  );
}

function Waiting({ entries }: { entries: readonly Unsent[] }) {
  return entries.map((entry) => (
    <div key={entry.key} className={styles.entry}>
      <UnsentMessage entry={entry} grouped={false} />
    </div>
  ));
}

function Entry(props: {
  message: Message;
  isOpen: boolean;
  focusable: boolean;
  place: number;
  size: number;
  setActive: (id: string) => void;
}) {
  const { message, isOpen, focusable, place, size, setActive } = props;
  const view = useMessageView();
  const t = useTranslations('members.lists');
  const unread = isUnread(message);
  // A click anywhere opens it, unless it meant something in it; the keyboard has Enter.
  const onClick = (event: MouseEvent) => {
    const target = event.target as Element;
    if (!event.currentTarget.contains(target)) return;
    if (target.closest('a, button, textarea, input, video, audio') || getSelection()?.isCollapsed === false)
      return;
    view.open(message);
  };
  return (
    <article
      className={`${styles.article} ${styles.entry} ${unread ? styles.unread : ''} ${isOpen ? styles.open : ''}`}
      data-message={message.id}
      tabIndex={focusable ? 0 : -1}
      aria-label={unread ? t('unreadFrom', { name: nameOf(message.author) }) : nameOf(message.author)}
      aria-posinset={place}
      aria-setsize={size}
      aria-current={isOpen || undefined}
      onFocus={() => setActive(message.id)}
      onClick={onClick}
      onKeyDown={(event) => opensMessage(event) && view.open(message)}
    >
      <MessageBody message={message} where={<Where message={message} />} cut />
    </article>
  );
}
