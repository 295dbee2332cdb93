import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { applicationKey } from '../../api/application-key.ts';
import { membershipsQuery } from '../../api/queries.ts';
import type { Message } from '../../api/types.ts';
import { conversationQuery } from '../state/direct.ts';
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
  if (message.author_type === 'user' && message.addressed_application !== undefined)
    return <ToApplication message={message} application={message.addressed_application} />;
  return (
    <span className={styles.where}>
      {t.rich('toPeople', { people: () => <Names ids={message.addressed_users} /> })}
    </span>
  );
}

function ToApplication({ message, application }: { message: Message; application: string }) {
  const t = useTranslations('members.message');
  const people = applicationKey({ team: message.team ?? '', application });
  const { data: conversation } = useQuery(conversationQuery(people));
  return (
    <span className={styles.where}>
      {t.rich('toPeople', {
        people: () => (
          <Link to="/direct/$people" params={{ people }} search={{ at: message.reply_to ?? message.id }}>
            <bdi>{conversation?.application?.name ?? '…'}</bdi>
          </Link>
        ),
      })}
    </span>
  );
}
