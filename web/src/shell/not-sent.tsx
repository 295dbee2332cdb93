import type { LinkProps } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { applicationKey } from '../api/application-key.ts';
import { UnmarkedLink } from '../design/unmarked-link.tsx';
import { type Target, useRefused } from '../members/state/outbox.ts';
import styles from './navigation.module.css';

/** Links to the oldest refused message, until the author has decided about all of them. */
export function NotSent() {
  const t = useTranslations('shell');
  const refused = useRefused();
  const [first] = refused;
  if (!first) return null;
  return (
    <UnmarkedLink {...wayTo(first.target)} className={`${styles.item} ${styles.notSent}`}>
      <TriangleAlert size={18} aria-hidden />
      <span className={styles.name}>{t('notSent', { count: refused.length })}</span>
    </UnmarkedLink>
  );
}

function wayTo(target: Target): Pick<LinkProps, 'to' | 'params'> {
  switch (target.kind) {
    case 'team':
      return { to: '/teams/$team', params: { team: target.id } };
    case 'people':
      return { to: '/compose' };
    case 'application':
      return { to: '/direct/$people', params: { people: applicationKey(target) } };
    case 'replies':
      return { to: '/messages/$message', params: { message: target.id } };
    case 'sidebar':
      return { to: '/messages/$message', params: { message: target.message } };
  }
}
