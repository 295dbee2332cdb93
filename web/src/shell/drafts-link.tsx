import { Link } from '@tanstack/react-router';
import { FilePen } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useWritten } from '../members/state/drafts.ts';
import { QuietCount } from './count.tsx';
import styles from './navigation.module.css';

/** Leads to what the user began to write. It stands there also without drafts: nothing moves as one begins to write. */
export function DraftsLink({ user }: { user: string }) {
  const t = useTranslations('shell');
  const { length } = useWritten(user);
  return (
    <li>
      <Link to="/drafts" className={styles.item}>
        <FilePen size={18} aria-hidden />
        <span className={styles.name}>{t('drafts')}</span>
        <QuietCount count={length} words={t('draftCount', { count: length })} />
      </Link>
    </li>
  );
}
