import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MessageCircle, PenLine } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { meQuery } from '../../api/queries.ts';
import type { DirectConversation, SessionUser } from '../../api/types.ts';
import { Button, ButtonLink } from '../../design/button.tsx';
import { useTitle } from '../../design/page.tsx';
import { nameOf } from '../../design/person.tsx';
import { Empty, Loaded } from '../../design/states.tsx';
import { Time } from '../../design/time.tsx';
import { ViewHead } from '../../design/view.tsx';
import { ConversationFace, OneWhereabouts, useNameOfConversation } from '../message/people.tsx';
import { conversationsQuery, hasNews, keyOf } from '../state/direct.ts';
import { useSaid } from '../text/said.ts';
import styles from './direct.module.css';
import frame from './frame.module.css';

/** Direct messages, one row for each set of people. */
export function Direct() {
  const t = useTranslations('members.direct');
  useTitle(t('title'));
  const query = useInfiniteQuery(conversationsQuery);
  const { data: me } = useSuspenseQuery(meQuery);
  if (!me) return null;
  return (
    <div className={frame.frame}>
      <div className={frame.list}>
        <ViewHead title={t('title')}>
          <ButtonLink to="/sent" small look="quiet">
            {t('sent')}
          </ButtonLink>
          <ButtonLink to="/compose" small>
            <PenLine size={16} aria-hidden />
            <span className={frame.word}>{t('begin')}</span>
          </ButtonLink>
        </ViewHead>
        <div className={frame.scroll}>
          <Loaded query={query}>
            {({ pages }) => <Rows all={pages.flatMap(({ data }) => data)} me={me} />}
          </Loaded>
          {query.hasNextPage && (
            <div className={frame.failed}>
              <Button small busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                {t('older')}
              </Button>
            </div>
          )}
        </div>
      </div>
    </div>
  );
}

function Rows({ all, me }: { all: readonly DirectConversation[]; me: SessionUser }) {
  const t = useTranslations('members.direct');
  if (all.length === 0) {
    return (
      <Empty icon={MessageCircle} title={t('emptyTitle')}>
        <p>{t('emptyText')}</p>
        <ButtonLink to="/compose" look="primary">
          {t('begin')}
        </ButtonLink>
      </Empty>
    );
  }
  const rows = [...all.filter(hasNews), ...all.filter((one) => !hasNews(one))];
  return (
    <ul className={styles.rows}>
      {rows.map((one) => (
        <li key={one.id}>
          <Row conversation={one} me={me} />
        </li>
      ))}
    </ul>
  );
}

function Row({ conversation, me }: { conversation: DirectConversation; me: SessionUser }) {
  const { users, last, unread } = conversation;
  const t = useTranslations('members.direct');
  const shell = useTranslations('shell');
  const nameOfConversation = useNameOfConversation(me.id);
  const said = useSaid();
  const isNew = hasNews(conversation);
  // With one other person, only one's own words need a name.
  const author = last?.author.id === me.id ? t('you') : users.length > 1 && last && nameOf(last.author);
  return (
    <Link
      to="/direct/$people"
      params={{ people: keyOf(conversation, me.id) }}
      className={`${styles.row} ${isNew ? styles.unread : ''}`}
    >
      <ConversationFace conversation={conversation} />
      <span className={styles.text}>
        <span className={styles.head}>
          <span className={styles.name} dir="auto">
            {nameOfConversation(conversation)}
          </span>
          <OneWhereabouts users={users} />
          {last && (
            <span className={styles.time}>
              <Time at={last.created_at} />
            </span>
          )}
        </span>
        {last && (
          <span className={styles.last}>
            <span className={styles.said}>
              {author && <span>{t('said', { name: author, text: '' })}</span>}
              <span dir="auto">{said(last)}</span>
            </span>
            {isNew && (
              <span className={styles.count}>
                <span aria-hidden="true">{unread === 0 ? t('reply') : unread}</span>
                <span className="visually-hidden">
                  {unread === 0 ? t('newReply') : shell('unreadCount', { count: unread })}
                </span>
              </span>
            )}
          </span>
        )}
      </span>
    </Link>
  );
}
