import { useTranslations } from 'use-intl';
import type { Mail } from '../api/types.ts';
import { Badge } from '../design/page.tsx';

const KINDS = {
  pending: 'warning',
  sent: 'success',
  failed: 'danger',
  kept: 'neutral',
  dropped: 'neutral',
} as const;

export function MailStatus({ status }: { status: string }) {
  const t = useTranslations('administration.mails.statuses');
  const known = status as keyof typeof KINDS;
  return <Badge kind={KINDS[known]}>{t(known)}</Badge>;
}

/** The text that a reason stands in: that of a dropped mail is this server's own. */
export const reasonKey = ({ status }: Mail) => (status === 'dropped' ? 'notSent' : 'reason');
