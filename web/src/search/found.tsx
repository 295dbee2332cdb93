import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { useTranslations } from 'use-intl';
import { membershipsQuery } from '../api/queries.ts';
import type { Message } from '../api/types.ts';
import { Avatar } from '../design/avatar.tsx';
import { ApplicationMark } from '../design/person.tsx';
import { Time } from '../design/time.tsx';
import { excerpt } from './excerpt.ts';
import type { Snippet } from './queries.ts';
import styles from './search.module.css';

/** One message that was found, with the place of its text where the words are. */
export function Found({ message, snippet }: { message: Message; snippet: Snippet | undefined }) {
  const { author } = message;
  return (
    <Link to="/messages/$message" params={{ message: message.id }} className={styles.result}>
      <Avatar person={author} />
      <div>
        <div className={styles.by}>
          <strong>
            {author.first_name} {author.last_name}
          </strong>
          <ApplicationMark author={author} />
          <Where message={message} />
          <Time at={message.created_at} />
        </div>
        <p className={styles.text} dir="auto">
          {excerpt(message, snippet).map((piece, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text do not move
            <Fragment key={place}>{piece.match ? <mark>{piece.text}</mark> : piece.text}</Fragment>
          ))}
        </p>
      </div>
    </Link>
  );
}

function Where({ message }: { message: Message }) {
  const t = useTranslations('search');
  const { data: memberships = [] } = useQuery(membershipsQuery);
  const [teamId] = message.addressed_teams;
  const team = memberships.find((membership) => membership.team.id === teamId)?.team;
  if (message.sidebar !== undefined) return <span>{t('inSidebar')}</span>;
  if (team && message.reply_to !== undefined) return <span>{t('replyIn', { team: team.name })}</span>;
  if (team) return <span>{t('inTeam', { team: team.name })}</span>;
  return <span>{t('direct')}</span>;
}
