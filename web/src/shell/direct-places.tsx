import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { SessionUser } from '../api/types.ts';
import { UnmarkedLink } from '../design/unmarked-link.tsx';
import { Faces, useNameOf } from '../members/message/people.tsx';
import { conversationsQuery, hasNews, keyOf } from '../members/state/direct.ts';
import { Count } from './count.tsx';
import styles from './navigation.module.css';

/** How many people stand in the navigation; those with something new always do. */
const SHOWN = 6;

/** The people with whom the user talks, in the navigation: what is new first. */
export function DirectPlaces({ me }: { me: SessionUser }) {
  const t = useTranslations('shell');
  const nameOf = useNameOf(me.id);
  const { data } = useInfiniteQuery(conversationsQuery);
  const all = data?.pages.flatMap((page) => page.data) ?? [];
  const news = all.filter(hasNews);
  const shown = [...news, ...all.filter((one) => !hasNews(one)).slice(0, Math.max(0, SHOWN - news.length))];
  return (
    <div>
      <div className={styles.heading}>
        <h2>
          <Link to="/direct" className={styles.more} activeOptions={{ exact: true }}>
            {t('direct')}
          </Link>
        </h2>
        <UnmarkedLink to="/compose" className={styles.add} aria-label={t('newDirect')} title={t('newDirect')}>
          <Plus size={16} aria-hidden />
        </UnmarkedLink>
      </div>
      <ul className={styles.list}>
        {shown.map((one) => (
          <li key={one.id}>
            <Link
              to="/direct/$people"
              params={{ people: keyOf(one, me.id) }}
              className={`${styles.item} ${hasNews(one) ? styles.unread : ''}`}
              data-news={hasNews(one) || undefined}
            >
              <Faces people={one.users} size="small" />
              <span className={styles.name} dir="auto">
                {nameOf(one.users)}
              </span>
              <Count forMe={one.unread || Number(hasNews(one))} />
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
