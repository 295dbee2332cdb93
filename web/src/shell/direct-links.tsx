import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { DirectConversation, SessionUser } from '../api/types.ts';
import { UnmarkedLink } from '../design/unmarked-link.tsx';
import { ConversationFace, OneWhereabouts, useNameOfConversation } from '../members/message/people.tsx';
import { conversationsQuery, hasNews, keyOf } from '../members/state/direct.ts';
import { Count } from './count.tsx';
import styles from './navigation.module.css';
import { useNewsFirst } from './risen.ts';
import { Section } from './section.tsx';

/** How many people stand in the navigation; those with something new always do. */
const SHOWN = 6;

/** The people with whom the user talks, in the navigation: what is new first. */
export function DirectLinks({ me }: { me: SessionUser }) {
  const t = useTranslations('shell');
  const nameOf = useNameOfConversation(me.id);
  const { data } = useInfiniteQuery(conversationsQuery);
  const { pathname } = useLocation();
  const all = data?.pages.flatMap((page) => page.data) ?? [];
  const isCurrent = (one: DirectConversation) => pathname === `/direct/${keyOf(one, me.id)}`;
  const sorted = useNewsFirst(all, { id: ({ id }) => id, hasNews, isCurrent });
  const shown = sorted.filter((one, at) => at < SHOWN || hasNews(one) || isCurrent(one));
  return (
    <Section
      keptAs={`folded.${me.id}.direct`}
      name={t('direct')}
      heading={
        <Link to="/direct" className={styles.more} activeOptions={{ exact: true }}>
          {t('direct')}
        </Link>
      }
      add={
        <UnmarkedLink to="/compose" className={styles.add} aria-label={t('newDirect')} title={t('newDirect')}>
          <Plus size={16} aria-hidden />
        </UnmarkedLink>
      }
      places={shown}
      stays={(one) => hasNews(one) || isCurrent(one)}
    >
      {(one) => (
        <li key={one.id}>
          <Link
            to="/direct/$people"
            params={{ people: keyOf(one, me.id) }}
            className={`${styles.item} ${hasNews(one) ? styles.unread : ''}`}
            data-news={hasNews(one) || undefined}
          >
            <ConversationFace conversation={one} size="place" />
            <span className={styles.name} dir="auto">
              {nameOf(one)}
            </span>
            <OneWhereabouts users={one.users} />
            <Count forMe={one.unread || Number(hasNews(one))} />
          </Link>
        </li>
      )}
    </Section>
  );
}
