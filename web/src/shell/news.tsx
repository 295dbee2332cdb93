import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { inboxCountsQuery } from '../api/queries.ts';
import styles from './navigation.module.css';

/** How much is new to the reader, in words; undefined when it is nothing. */
function useNewsText(): string | undefined {
  const t = useTranslations('shell');
  const { data: counts } = useQuery(inboxCountsQuery);
  if (!counts || counts.total + counts.teams === 0) return undefined;
  return counts.total > 0
    ? t('newForYou', { count: counts.total })
    : t('teamsUnread', { count: counts.teams });
}

/** How much is new to the reader: a number for what concerns them, else a dot for what is unread in their teams. */
export function News() {
  const text = useNewsText();
  const { data: counts } = useQuery(inboxCountsQuery);
  if (!counts || text === undefined) return null;
  const { total } = counts;
  return (
    <span className={total > 0 ? styles.count : styles.dot}>
      {total > 0 && <span aria-hidden="true">{total > 99 ? '99+' : total}</span>}
      <span className="visually-hidden">{text}</span>
    </span>
  );
}
