import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import {
  CheckCheck,
  Inbox as InboxIcon,
  type LucideIcon,
  MessageCircle,
  PartyPopper,
  Send,
} from 'lucide-react';
import { type MouseEvent, type RefObject, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { meQuery } from '../../api/queries.ts';
import { Button, ButtonLink } from '../../design/button.tsx';
import { useTitle } from '../../design/page.tsx';
import { nameOf } from '../../design/person.tsx';
import { Empty, Loaded } from '../../design/states.tsx';
import { MessageBody } from '../message/message-body.tsx';
import { UnsentMessage } from '../message/unsent-message.tsx';
import { Where } from '../message/where.tsx';
import { listQuery, type Tag } from '../state/lists.ts';
import { isUnread, type MessageList } from '../state/message-list.ts';
import { useMessage } from '../state/messages.ts';
import { type Unsent, useUnsent } from '../state/outbox.ts';
import { markAllRead } from '../state/reading.ts';
import { useMessageView } from '../state/view-context.tsx';
import styles from './frame.module.css';
import { opensMessage } from './keys.ts';
import { MessagesFrame } from './messages-frame.tsx';
import type { Mover } from './mover.ts';
import { type InFeed, useFeed, VirtualFeed } from './virtual-feed.tsx';

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

/** A list of messages by tag, newest first. */
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
  const newest = query.data?.ids.at(-1);
  return (
    <>
      <header className={styles.header}>
        <div className={styles.grow}>
          <h1>{t('title')}</h1>
        </div>
        {tag !== '_sent' && unread > 0 && newest && (
          <Button small look="quiet" onClick={() => view.run({ id: newest }, markAllRead)}>
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

const LAYOUT = { estimateSize: () => 96 };
const AHEAD = 10;
const idOf = (id: string) => id;

function Entries({ tag, list, openId, mover }: ListProps & { list: MessageList }) {
  const t = useTranslations(`members.${LISTS[tag].text}`);
  const lists = useTranslations('members.lists');
  const rows = list.ids.toReversed();
  const unsent = useUnsent(
    ({ target }) => target.kind === 'people' && (tag === '_sent' || tag === '_direct'),
  );
  const { queryKey } = listQuery({ tag });
  const { editing } = useMessageView();
  const feed = useFeed({
    list,
    queryKey,
    rows,
    keyOf: idOf,
    newestFirst: true,
    kept: editing,
    ahead: AHEAD,
    mover,
    layout: LAYOUT,
  });
  if (rows.length === 0 && unsent.length === 0) {
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
      <VirtualFeed feed={feed} label={t('title')} above={<Waiting entries={unsent} />}>
        {(id, inFeed) => <Entry id={id} isOpen={id === openId} {...inFeed} />}
      </VirtualFeed>
      <p className="visually-hidden" role="status">
        {list.older === null ? lists('all') : ''}
      </p>
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

function Entry(props: InFeed & { id: string; isOpen: boolean }) {
  const { id, isOpen, focusable, position, size, setActive } = props;
  const message = useMessage(id);
  const view = useMessageView();
  const t = useTranslations('members.lists');
  const unread = isUnread(message);
  // A click opens it, unless it was on a control or selected text. The keyboard has Enter.
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
      data-message={id}
      tabIndex={focusable ? 0 : -1}
      aria-label={unread ? t('unreadFrom', { name: nameOf(message.author) }) : nameOf(message.author)}
      aria-posinset={position}
      aria-setsize={size}
      aria-current={isOpen || undefined}
      onFocus={() => setActive(id)}
      onClick={onClick}
      onKeyDown={(event) => opensMessage(event) && view.open(message)}
    >
      <MessageBody message={message} where={<Where message={message} />} cut />
    </article>
  );
}
