import { useTranslations } from 'use-intl';
import { Badge } from './page.tsx';

/** Stands beside an address that nobody has proved to be theirs. */
export function NotProved() {
  return <Badge kind="warning">{useTranslations('common')('notProved')}</Badge>;
}
