import { useFormatter, useTranslations } from 'use-intl';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** @returns a function that formats a size */
export function useBytes(): (bytes: number) => string {
  const format = useFormatter();
  return (bytes) => {
    const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
    const unit = UNITS[step] as (typeof UNITS)[number];
    return format.number(bytes / 1000 ** step, { style: 'unit', unit, maximumFractionDigits: 1 });
  };
}

/** @returns a function that formats a duration in its largest unit */
export function useAge(): (seconds: number) => string {
  const t = useTranslations('administration.overview');
  return (seconds) => {
    if (seconds < 60) return t('seconds', { count: Math.round(seconds) });
    if (seconds < 3600) return t('minutes', { count: Math.round(seconds / 60) });
    if (seconds < 86_400) return t('hours', { count: Math.round(seconds / 3600) });
    return t('days', { count: Math.round(seconds / 86_400) });
  };
}
