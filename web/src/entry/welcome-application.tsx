import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { ButtonLink } from '../design/button.tsx';
import { Copyable } from '../design/copy.tsx';
import { Loaded } from '../design/states.tsx';
import styles from './entry.module.css';
import { EntryCard } from './entry-frame.tsx';
import { welcomeTeamQuery } from './queries.ts';
import { TryTracker } from './try-tracker.tsx';
import { Step } from './welcome-step.tsx';

/** Beside the usual one, so that both can run. */
const DEMO = 'PORT=3010 npm run demo';

/** The last step: an application to try, from the folder that the server runs from. */
export function WelcomeApplication() {
  const t = useTranslations('entry.welcome');
  const { team: id } = useParams({ from: '/entry/member/welcome/$team/application' });
  const query = useQuery(welcomeTeamQuery(id));
  return (
    <Loaded query={query}>
      {(team) => (
        <EntryCard wide title={t('application.title')} icon={<Step step={3} />} lead={t('application.lead')}>
          <TryTracker team={team} />
          <div className={styles.stack}>
            <p className={styles.soft}>{t('application.demo')}</p>
            <Copyable text={DEMO} name={t('application.demoCommand')} />
            <p>
              <Link to="/developers">{t('application.developers')}</Link>
            </p>
          </div>
          <div className={styles.next}>
            <ButtonLink look="quiet" to="/welcome/$team/people" params={{ team: id }}>
              {t('back')}
            </ButtonLink>
            <ButtonLink look="primary" to="/teams/$team" params={{ team: id }}>
              {t('finish', { team: team.name })}
            </ButtonLink>
          </div>
        </EntryCard>
      )}
    </Loaded>
  );
}
