import { Link } from '@tanstack/react-router';
import type { UserSummary } from '../api/types.ts';
import { Avatar } from './avatar.tsx';
import styles from './person.module.css';

type Person = Pick<UserSummary, 'id' | 'first_name' | 'last_name'> & Partial<UserSummary>;

/** A person's full name. */
export const nameOf = ({ first_name, last_name }: Pick<Person, 'first_name' | 'last_name'>) =>
  `${first_name} ${last_name}`.trim();

/** A person's name, linked to their profile. */
export function PersonLink({ person }: { person: Person }) {
  return (
    <Link to="/people/$user" params={{ user: person.id }}>
      {nameOf(person)}
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
