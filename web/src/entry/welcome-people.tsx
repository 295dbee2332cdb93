import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ButtonLink } from '../design/button.tsx';
import { Loaded } from '../design/states.tsx';
import styles from './entry.module.css';
import { EntryCard } from './entry-frame.tsx';
import { InviteForm } from './invite-form.tsx';
import { JoinLinkMaker } from './join-link-maker.tsx';
import { welcomeTeamQuery } from './queries.ts';
import { Step } from './welcome-step.tsx';

/** The last step. It leads into the team, where a first message is ready to be sent. */
export function WelcomePeople() {
  const t = useTranslations('entry.welcome');
  const { team: id } = useParams({ from: '/entry/member/welcome/$team/people' });
  const query = useQuery(welcomeTeamQuery(id));
  // The one filled button is what comes next: making links, and going on once there are some.
  const [isMaking, setMaking] = useState(true);
  const endMaking = () => setMaking(false);
  return (
    <Loaded query={query}>
      {(team) => (
        <EntryCard
          wide
          title={t('people.title', { team: team.name })}
          icon={<Step step={2} />}
          lead={t('people.lead')}
        >
          <JoinLinkMaker team={team.id} onMade={endMaking} />
          <InviteForm team={team.id} isOpen={isMaking} onOpen={() => setMaking(true)} onMade={endMaking} />
          <div className={styles.next}>
            <ButtonLink look="quiet" to="/welcome">
              {t('back')}
            </ButtonLink>
            <ButtonLink
              look={isMaking ? 'secondary' : 'primary'}
              to="/teams/$team"
              params={{ team: team.id }}
              search={{ hello: 'ready' }}
            >
              {t('sayHello', { team: team.name })}
            </ButtonLink>
          </div>
        </EntryCard>
      )}
    </Loaded>
  );
}
