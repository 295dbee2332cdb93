import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { membershipsQuery } from '../api/queries.ts';
import { ADMIN, type Application, type Membership } from '../api/types.ts';
import { ButtonAnchor } from '../design/button.tsx';
import styles from './developers.module.css';
import { installationsQuery } from './queries.ts';

/** Links to install it on the user's teams that do not have it yet. */
export function InstallLinks({ application }: { application: Application }) {
  const t = useTranslations('developers.install');
  const { data: memberships } = useQuery(membershipsQuery);
  const { data: installations } = useQuery(installationsQuery(application.id));
  if (!memberships || !installations) return null;
  const has = new Set(installations.filter(({ status }) => status === 'active').map(({ team }) => team.id));
  const administered = memberships.filter(administers);
  const open = administered.filter(({ team }) => !has.has(team.id));
  if (administered.length === 0) return <p className={styles.soft}>{t('noTeam')}</p>;
  return (
    <div className={styles.row}>
      {open.map(({ team }) => (
        <ButtonAnchor
          key={team.id}
          small
          href={`/teams/${team.id}/applications?install=${encodeURIComponent(application.id)}`}
        >
          <Plus size={16} aria-hidden />
          {t('on', { team: team.name })}
        </ButtonAnchor>
      ))}
    </div>
  );
}

export const administers = ({ membership_type }: Membership) => membership_type === ADMIN;
