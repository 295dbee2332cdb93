import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type LucideIcon, PenLine, Send } from 'lucide-react';
import { type MouseEvent, type RefObject, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { ButtonLink } from '../../design/button.tsx';
import { useTitle } from '../../design/page.tsx';
import { nameOf } from '../../design/person.tsx';
import { Empty, Loaded } from '../../design/states.tsx';
import { ViewHead } from '../../design/view.tsx';
import { MessageBody } from '../message/message-body.tsx';
import { UnsentMessage } from '../message/unsent-message.tsx';
import { Where } from '../message/where.tsx';
import { listQuery, type Tag } from '../state/lists.ts';
import { isUnread, type MessageList } from '../state/message-list.ts';
import { useMessage } from '../state/messages.ts';
import { type Unsent, useUnsent } from '../state/outbox.ts';
import { useMessageView } from '../state/view-context.tsx';
import styles from './frame.module.css';
import { opensMessage } from './keys.ts';
import { MessagesFrame } from './messages-frame.tsx';
import type { Mover } from './mover.ts';
import { type InFeed, useFeed, VirtualFeed } from './virtual-feed.tsx';

const LISTS = {
  _sent: { text: 'sent', icon: Send },
} as const satisfies Partial<Record<Tag, { text: string; icon: LucideIcon }>>;
type Listed = keyof typeof LISTS;

export const Sent = () => <Listing tag="_sent" />;

/** A list of messages by tag, newest first. */
function Listing({ tag }: { tag: Listed }) {
  const { open } = useSearch({ strict: false }) as { open?: string };
  const mover = useRef<Mover>(null);
  return (
    <MessagesFrame openId={open} mover={mover}>
      <List tag={tag} openId={open} mover={mover} />
    </MessagesFrame>
  );
}

interface ListProps {
  readonly tag: Listed;
  readonly openId: string | undefined;
  readonly mover: RefObject<Mover | null>;
}

function List({ tag, openId, mover }: ListProps) {
  const t = useTranslations(`members.${LISTS[tag].text}`);
  const lists = useTranslations('members.lists');
  useTitle(t('title'));
  const query = useQuery(listQuery({ tag }));
  return (
    <>
      <ViewHead title={t('title')}>
        <ButtonLink to="/compose" small className={styles.onPhone as string}>
          <PenLine size={16} aria-hidden />
          <span className={styles.word}>{lists('compose')}</span>
        </ButtonLink>
      </ViewHead>
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
  const unsent = useUnsent(({ target }) => target.kind === 'people' && tag === '_sent');
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
          <ButtonLink to="/compose" look="primary">
            {lists('compose')}
          </ButtonLink>
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
