import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { ownInvitationsQuery } from '../api/queries.ts';
import styles from './joining.module.css';

/** How many invitations wait for an answer. */
export function InvitationCount() {
  const t = useTranslations('shell.joining');
  const { data: invitations = [] } = useQuery(ownInvitationsQuery);
  if (invitations.length === 0) return null;
  return (
    <span className={styles.count}>
      <span aria-hidden="true">{invitations.length}</span>
      <span className="visually-hidden">{t('count', { count: invitations.length })}</span>
    </span>
  );
}
