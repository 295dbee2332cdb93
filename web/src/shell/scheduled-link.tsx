import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CalendarClock } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { scheduledQuery } from '../members/state/scheduled.ts';
import { QuietCount } from './count.tsx';
import styles from './navigation.module.css';

/** Leads to what the user has scheduled, with the number of messages that are not sent yet. */
export function ScheduledLink() {
  const t = useTranslations('shell');
  const { data: { length } = [] } = useQuery(scheduledQuery);
  return (
    <li>
      <Link to="/scheduled" className={styles.item}>
        <CalendarClock size={18} aria-hidden />
        <span className={styles.name}>{t('scheduled')}</span>
        <QuietCount count={length} words={t('scheduledCount', { count: length })} />
      </Link>
    </li>
  );
}
