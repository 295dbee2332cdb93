import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { ButtonLink } from '../design/button.tsx';
import { Loaded } from '../design/states.tsx';
import styles from './entry.module.css';
import { EntryCard } from './entry-frame.tsx';
import { InviteForm } from './invite-form.tsx';
import { JoinLinkMaker } from './join-link-maker.tsx';
import { welcomeTeamQuery } from './queries.ts';
import { Step } from './welcome-step.tsx';

export function WelcomePeople() {
  const t = useTranslations('entry.welcome');
  const { team: id } = useParams({ from: '/entry/member/welcome/$team/people' });
  const query = useQuery(welcomeTeamQuery(id));
  return (
    <Loaded query={query}>
      {(team) => (
        <EntryCard
          wide
          title={t('people.title', { team: team.name })}
          icon={<Step step={2} />}
          lead={t('people.lead')}
        >
          <JoinLinkMaker team={team.id} />
          <InviteForm team={team.id} />
          <div className={styles.next}>
            <ButtonLink look="quiet" to="/welcome">
              {t('back')}
            </ButtonLink>
            <ButtonLink to="/welcome/$team/application" params={{ team: team.id }}>
              {t('next')}
            </ButtonLink>
          </div>
        </EntryCard>
      )}
    </Loaded>
  );
}
