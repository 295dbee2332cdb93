import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { membershipsQuery } from '../../api/queries.ts';
import type { Message } from '../../api/types.ts';
import styles from './message.module.css';
import { Names } from './person-names.tsx';

/** Where a message was written: in which team, or to whom. */
export function Where({ message }: { message: Message }) {
  const t = useTranslations('members.message');
  const { data: memberships } = useQuery(membershipsQuery);
  const [teamId] = message.addressed_teams;
  const team = memberships?.find((membership) => membership.team.id === teamId)?.team;
  if (teamId !== undefined) {
    if (!team) return null;
    return (
      <span className={styles.where}>
        {t.rich('inTeam', {
          team: () => (
            <Link
              to="/teams/$team"
              params={{ team: team.id }}
              search={{ at: message.reply_to ?? message.id }}
            >
              <bdi>{team.name}</bdi>
            </Link>
          ),
        })}
        {message.subject_id !== undefined && (
          <>
            {' › '}
            <Link to="/teams/$team" params={{ team: team.id }} search={{ subject: message.subject_id }}>
              <bdi>{message.subject}</bdi>
            </Link>
          </>
        )}
      </span>
    );
  }
  return (
    <span className={styles.where}>
      {t.rich('toPeople', { people: () => <Names ids={message.addressed_users} /> })}
    </span>
  );
}
