import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { meQuery } from '../../api/queries.ts';
import { nameOf } from '../../design/person.tsx';
import { mentionedQuery } from '../state/mentioned.ts';
import styles from './text.module.css';

/** A mention in a text. It links to the profile of the reader, or of a person in one of their teams. */
export function Mention({ username }: { username: string }) {
  const t = useTranslations('members.message');
  const { data: me } = useQuery(meQuery);
  const own = username.toLowerCase() === me?.username.toLowerCase();
  const { data: other } = useQuery({ ...mentionedQuery(username), enabled: me !== undefined && !own });
  const person = own ? me : other;
  if (!person) return `@${username}`;
  const name = nameOf(person);
  return (
    <Link
      to="/people/$user"
      params={{ user: person.id }}
      className={`${styles.mention} ${own ? styles.own : ''}`}
      data-hint={own ? t('mentionsYou', { name }) : name}
      aria-label={t(own ? 'mentionOfYou' : 'mention', { username, name })}
    >
      @{username}
    </Link>
  );
}
