import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CalendarClock } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { Target } from '../state/outbox.ts';
import { goesTo, scheduledQuery } from '../state/scheduled.ts';
import styles from './later.module.css';

/** Says that messages of the reader wait to be sent to this place. */
export function WaitsHere({ target }: { target: Target | undefined }) {
  const t = useTranslations('members.later');
  const { data = [] } = useQuery(scheduledQuery);
  if (!target) return null;
  const count = data.filter(({ message, reason }) => reason === null && goesTo(target, message)).length;
  if (count === 0) return null;
  return (
    <p className={styles.waits}>
      <CalendarClock size={14} aria-hidden />
      <Link to="/scheduled">{t('waitHere', { count })}</Link>
    </p>
  );
}
