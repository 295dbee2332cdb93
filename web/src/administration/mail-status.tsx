import { useTranslations } from 'use-intl';
import { Badge } from '../design/page.tsx';

const KINDS = { pending: 'warning', sent: 'success', failed: 'danger', kept: 'neutral' } as const;

export function MailStatus({ status }: { status: string }) {
  const t = useTranslations('administration.mails.statuses');
  const known = status as keyof typeof KINDS;
  return <Badge kind={KINDS[known]}>{t(known)}</Badge>;
}
