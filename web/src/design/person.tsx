import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import type { UserSummary } from '../api/types.ts';
import { Avatar } from './avatar.tsx';
import { Badge } from './page.tsx';
import styles from './person.module.css';

type Person = Pick<UserSummary, 'id' | 'first_name' | 'last_name'> & Partial<UserSummary>;

/** A person's full name. */
export const nameOf = ({ first_name, last_name }: Pick<Person, 'first_name' | 'last_name'>) =>
  `${first_name} ${last_name}`.trim();

/** Marks the author of what an application, or an incoming webhook, wrote as itself. */
export function ApplicationMark({ author }: { author: Pick<UserSummary, 'is_application'> }) {
  const t = useTranslations('common');
  return author.is_application ? <Badge kind="neutral">{t('application')}</Badge> : null;
}

/** A person's name, linked to their profile. */
export function PersonLink({ person }: { person: Person }) {
  return (
    <Link to="/people/$user" params={{ user: person.id }}>
      <bdi>{nameOf(person)}</bdi>
    </Link>
  );
}

/** The same with the picture, for a row of people. */
export function PersonChip({ person }: { person: Person }) {
  return (
    <span className={styles.person}>
      <Avatar person={person} size="small" presence />
      <PersonLink person={person} />
    </span>
  );
}
