import { useTranslations } from 'use-intl';

/** @returns a function that says why a call to an application failed, from the server's short reason */
export function useReasonText(): (reason: string) => string {
  const t = useTranslations('teams.reasons');
  return (reason) => {
    const status = /^status_(\d+)$/.exec(reason)?.[1];
    if (status !== undefined) return t('status', { status });
    return isKnown(reason) ? t(reason) : t('other', { reason });
  };
}

const KNOWN = [
  'timeout',
  'connection',
  'dns',
  'tls',
  'refused_address',
  'protocol',
  'too_large',
  'closed',
  'busy',
  'interrupted',
] as const;

const isKnown = (reason: string): reason is (typeof KNOWN)[number] =>
  (KNOWN as readonly string[]).includes(reason);
