import { useTranslations } from 'use-intl';
import { PageBody } from '../design/page.tsx';

export function Inbox() {
  const t = useTranslations('members.inbox');
  return <PageBody title={t('title')}>…</PageBody>;
}
