import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { callOne } from '../api/client.ts';
import { membershipsQuery, meQuery, queryClient } from '../api/queries.ts';
import { ADMIN, type Membership, type Team } from '../api/types.ts';
import { TeamIcon } from '../design/avatar.tsx';
import { ButtonLink } from '../design/button.tsx';
import { Form } from '../design/form.tsx';
import styles from './entry.module.css';
import { EntryCard } from './entry-frame.tsx';
import { TeamFields } from './team-fields.tsx';
import { Step } from './welcome-step.tsx';

/** The first step after signing up, also shown to users without a team. */
export function WelcomeTeam() {
  const t = useTranslations('entry.welcome');
  const navigate = useNavigate();
  const { data: me } = useSuspenseQuery(meQuery);
  const { data: memberships } = useSuspenseQuery(membershipsQuery);
  const make = async (values: Record<string, string>) => {
    const team = await callOne<Team>('/v1/teams', { method: 'POST', body: values });
    await queryClient.invalidateQueries({ queryKey: membershipsQuery.queryKey });
    return team;
  };
  return (
    <EntryCard
      wide
      title={memberships.length > 0 ? t('team.more') : t('team.title', { name: me?.first_name ?? '' })}
      icon={<Step step={1} />}
      lead={t('team.lead')}
    >
      <OwnTeams memberships={memberships} />
      <Form
        send={make}
        onDone={({ id }) => void navigate({ to: '/welcome/$team/people', params: { team: id } })}
        submit={t('team.submit')}
        actions={
          <ButtonLink look="quiet" to="/inbox">
            {t('later')}
          </ButtonLink>
        }
      >
        {({ errorOf }) => <TeamFields errorOf={errorOf} />}
      </Form>
    </EntryCard>
  );
}

/** For returning users: the teams to continue with. */
function OwnTeams({ memberships }: { memberships: readonly Membership[] }) {
  const t = useTranslations('entry.welcome');
  const administered = memberships.filter((membership) => membership.membership_type === ADMIN);
  if (memberships.length === 0) return null;
  return (
    <div className={styles.stack}>
      <p>{t('team.another', { count: memberships.length })}</p>
      <ul className={styles.stack}>
        {(administered.length > 0 ? administered : memberships).map(({ team, membership_type }) => (
          <li key={team.id} className={styles.person}>
            <TeamIcon team={team} />
            {membership_type === ADMIN ? (
              <Link to="/welcome/$team/people" params={{ team: team.id }}>
                {t('team.goOn', { team: team.name })}
              </Link>
            ) : (
              <Link to="/teams/$team" params={{ team: team.id }}>
                {t('finish', { team: team.name })}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
