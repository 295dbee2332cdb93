import { useQuery } from '@tanstack/react-query';
import { Plus, Search } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { membershipsQuery } from '../api/queries.ts';
import type { Membership } from '../api/types.ts';
import { ButtonLink, IconButton } from '../design/button.tsx';
import { useTitle } from '../design/page.tsx';
import { Loaded } from '../design/states.tsx';
import { ViewHead } from '../design/view.tsx';
import frame from '../members/views/frame.module.css';
import { TeamLink } from './navigation.tsx';
import { NoTeam } from './no-team.tsx';
import { OpenTeams } from './open-teams.tsx';
import { OwnInvitations } from './own-invitations.tsx';
import styles from './place-list.module.css';
import { openJump } from './windows.ts';

/** The reader's teams, as a view of their own, with those that they can join: on a narrow screen the navigation lists none. */
export function TeamsPage() {
  const t = useTranslations('shell');
  useTitle(t('teams'));
  const query = useQuery(membershipsQuery);
  return (
    <div className={frame.frame}>
      <div className={frame.list}>
        <ViewHead title={t('teams')}>
          <IconButton label={t('jump')} onClick={openJump}>
            <Search size={18} aria-hidden />
          </IconButton>
          <ButtonLink to="/teams/new" small>
            <Plus size={16} aria-hidden />
            {t('newTeam')}
          </ButtonLink>
        </ViewHead>
        <div className={frame.scroll}>
          <OwnInvitations />
          <Loaded query={query}>
            {(memberships: Membership[]) =>
              memberships.length === 0 ? (
                <NoTeam browse={false} />
              ) : (
                <ul className={styles.places}>
                  {memberships.map((membership) => (
                    <TeamLink key={membership.team.id} membership={membership} />
                  ))}
                </ul>
              )
            }
          </Loaded>
          <OpenTeams />
        </div>
      </div>
    </div>
  );
}
