import { Users } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { ButtonLink } from '../design/button.tsx';
import { Empty } from '../design/states.tsx';
import styles from './joining.module.css';

/** For somebody who is in no team: what they can do. @param props.browse whether to lead to the open teams */
export function NoTeam({ browse }: { browse: boolean }) {
  const t = useTranslations('shell');
  return (
    <Empty icon={Users} title={t('joining.noTeam')}>
      <p>{t('joining.noTeamText')}</p>
      <div className={styles.actions}>
        {browse && (
          <ButtonLink to="/teams" look="primary">
            {t('joining.browse')}
          </ButtonLink>
        )}
        <ButtonLink to="/teams/new">{t('newTeam')}</ButtonLink>
      </div>
    </Empty>
  );
}
