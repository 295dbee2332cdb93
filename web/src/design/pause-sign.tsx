import { useQuery } from '@tanstack/react-query';
import { BellOff } from 'lucide-react';
import { useFormatter, useNow, useTranslations } from 'use-intl';
import { pushSettingsQuery } from '../api/push-settings.ts';
import styles from './person.module.css';
import { shortStyle } from './time.tsx';

const MINUTE_MS = 60_000;

/** @returns until when the reader's notifications are paused, in words; undefined while they are not */
export function usePauseText(): string | undefined {
  const t = useTranslations('common.whereabouts');
  const format = useFormatter();
  const now = useNow({ updateInterval: MINUTE_MS });
  const { data: settings } = useQuery({ ...pushSettingsQuery, staleTime: MINUTE_MS });
  if (!settings?.paused) return undefined;
  const { paused_until: until } = settings;
  if (until === null) return t('paused');
  const end = new Date(until * 1000);
  return end > now ? t('pausedUntil', { time: format.dateTime(end, shortStyle(end)) }) : undefined;
}

/** Beside the reader's own name, for nobody else: that their notifications are paused. */
export function PauseSign() {
  const text = usePauseText();
  if (text === undefined) return null;
  return (
    <span className={styles.whereabouts} role="img" aria-label={text} title={text}>
      <BellOff size={14} aria-hidden />
    </span>
  );
}
