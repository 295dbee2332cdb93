import { useTranslations } from 'use-intl';
import styles from './entry.module.css';

/** How far one has come in the first minute. */
export function Step({ step }: { step: number }) {
  const t = useTranslations('entry.welcome');
  return <p className={styles.step}>{t('step', { step })}</p>;
}
