import { useTranslations } from 'use-intl';
import styles from './navigation.module.css';

/**
 * How much is new at a place of the navigation: a filled number for what concerns the reader; else a plain one for what is
 * unread in the place.
 */
export function Count({ forMe, unread = 0 }: { forMe: number; unread?: number }) {
  const t = useTranslations('shell');
  const shown = forMe || unread;
  if (shown === 0) return null;
  const words = [
    ...(forMe > 0 && unread > 0 ? [t('newForYou', { count: forMe })] : []),
    t('unreadCount', { count: unread || forMe }),
  ];
  return (
    <span className={forMe > 0 ? styles.count : styles.plain}>
      <span aria-hidden="true">{shown > 99 ? '99+' : shown}</span>
      <span className="visually-hidden">{words.join(', ')}</span>
    </span>
  );
}

/** How many of something of the reader's own stand at a place. @param props.words the same for a screen reader */
export function QuietCount({ count, words }: { count: number; words: string }) {
  if (count === 0) return null;
  return (
    <span className={styles.quiet}>
      <span aria-hidden="true">{count}</span>
      <span className="visually-hidden">{words}</span>
    </span>
  );
}
