import { useTranslations } from 'use-intl';
import styles from './entry.module.css';

/** The progress of the set-up. */
export function Step({ step }: { step: number }) {
  const t = useTranslations('entry.welcome');
  return <p className={styles.step}>{t('step', { step })}</p>;
}
