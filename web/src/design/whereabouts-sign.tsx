import { Moon } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { useWhereabouts, type Whereabouts } from '../api/whereabouts.ts';
import styles from './person.module.css';
import { shortStyle } from './time.tsx';

/**
 * How a person is, beside their name: their emoji, and a moon while they are not to be disturbed.
 * @param props.told shows the words of the status as well
 */
export function WhereaboutsSign(props: { person: { readonly id: string } & Whereabouts; told?: boolean }) {
  const { person, told = false } = props;
  const t = useTranslations('common.whereabouts');
  const format = useFormatter();
  const { status, do_not_disturb_until: quiet } = useWhereabouts(person);
  if (!status && quiet === undefined) return null;
  const time = (until: number) => {
    const date = new Date(until * 1000);
    return format.dateTime(date, shortStyle(date));
  };
  const said =
    status &&
    (status.until === null
      ? t('status', { text: status.text })
      : t('statusUntil', { text: status.text, time: time(status.until) }));
  return (
    <span className={`${styles.whereabouts} ${told ? styles.told : ''}`}>
      {status && (
        <span role="img" aria-label={said} title={said}>
          {status.emoji ?? '💬'}
        </span>
      )}
      {status && told && (
        <span className={styles.status} dir="auto" aria-hidden>
          {status.text}
        </span>
      )}
      {quiet !== undefined && (
        <span
          role="img"
          aria-label={t('quiet', { time: time(quiet) })}
          title={t('quiet', { time: time(quiet) })}
        >
          <Moon size={14} aria-hidden />
        </span>
      )}
    </span>
  );
}
