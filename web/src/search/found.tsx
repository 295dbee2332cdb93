import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { Paperclip } from 'lucide-react';
import { Fragment } from 'react';
import { useTranslations } from 'use-intl';
import { membershipsQuery, meQuery } from '../api/queries.ts';
import type { Message } from '../api/types.ts';
import { Avatar } from '../design/avatar.tsx';
import { ApplicationMark } from '../design/person.tsx';
import { Time } from '../design/time.tsx';
import { peopleKey } from '../members/state/people-key.ts';
import { excerpt } from './excerpt.ts';
import type { Snippet } from './queries.ts';
import styles from './search.module.css';

/** Direct messages between more people are no conversation. */
const MOST_PEOPLE = 50;

/** A message leads to its place in the stream, a reply besides to its conversation. */
function wayTo(message: Message, me: string): LinkProps {
  const { id, reply_to, sidebar, addressed_teams, addressed_users, author } = message;
  const [team] = addressed_teams;
  const search = reply_to === undefined ? { at: id } : { at: reply_to, open: reply_to, reply: id };
  if (team !== undefined) return { to: '/teams/$team', params: { team }, search };
  // Who began a direct conversation is not told of its replies.
  if (sidebar !== undefined || reply_to !== undefined || addressed_users.length > MOST_PEOPLE)
    return { to: '/messages/$message', params: { message: id } };
  return {
    to: '/direct/$people',
    params: { people: peopleKey([author.id, ...addressed_users], me) },
    search,
  };
}

/** One message that was found, with the place of its text where the words are. */
export function Found({ message, snippet }: { message: Message; snippet: Snippet | undefined }) {
  const { author, attachments } = message;
  const { data: me } = useQuery(meQuery);
  const files = attachments.filter(isNamed);
  return (
    <Link {...wayTo(message, me?.id ?? '')} className={styles.result as string}>
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
        {files.map(({ id, name }) => (
          <p key={id} className={styles.file}>
            <Paperclip size={14} aria-hidden />
            <bdi>{name}</bdi>
          </p>
        ))}
      </div>
    </Link>
  );
}

const isNamed = (item: unknown): item is { id: string; name: string } =>
  (item as { type?: unknown } | null)?.type === 'file';

function Where({ message }: { message: Message }) {
  const t = useTranslations('search');
  const { data: memberships = [] } = useQuery(membershipsQuery);
  const [teamId] = message.addressed_teams;
  const team = memberships.find((membership) => membership.team.id === teamId)?.team;
  const place = message.subject === null ? team?.name : `${team?.name} › ${message.subject}`;
  if (message.sidebar !== undefined) return <span>{t('inSidebar')}</span>;
  if (team && message.reply_to !== undefined) return <span>{t('replyIn', { team: place ?? '' })}</span>;
  if (team) return <span>{t('inTeam', { team: place ?? '' })}</span>;
  return <span>{t('direct')}</span>;
}
