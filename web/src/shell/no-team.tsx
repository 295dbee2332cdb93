import { useQuery } from '@tanstack/react-query';
import { MailCheck, Users } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { meQuery, serverQuery } from '../api/queries.ts';
import { ButtonLink } from '../design/button.tsx';
import { Empty } from '../design/states.tsx';
import styles from './joining.module.css';

/**
 * For somebody who is in no team: what they can do. Where the server knows people by their confirmed addresses, that
 * comes first: teams may wait for it. @param props.browse whether to lead to the open teams
 */
export function NoTeam({ browse }: { browse: boolean }) {
  const t = useTranslations('shell');
  const { data: me } = useQuery(meQuery);
  const { data: server } = useQuery(serverQuery);
  if (me && server?.mail && !me.primary_email.verified)
    return (
      <Empty icon={MailCheck} title={t('joining.unconfirmed')}>
        <p>{t('joining.unconfirmedText', { email: me.primary_email.address })}</p>
        <div className={styles.actions}>
          <ButtonLink to="/settings/security" look="primary">
            {t('joining.noMail')}
          </ButtonLink>
        </div>
      </Empty>
    );
  return (
    <Empty icon={Users} title={t('joining.noTeam')}>
      <p>{t('joining.noTeamText')}</p>
      <div className={styles.actions}>
        {browse && (
          <ButtonLink to="/teams" look="primary">
            {t('joining.browse')}
          </ButtonLink>
        )}
        <ButtonLink to="/teams/new" look={browse ? 'secondary' : 'primary'}>
          {t('newTeam')}
        </ButtonLink>
      </div>
    </Empty>
  );
}
