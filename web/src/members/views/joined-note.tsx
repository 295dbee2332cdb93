import { useTranslations } from 'use-intl';
import { nameOf } from '../../design/person.tsx';
import type { JoinedPeople } from '../state/joined.ts';
import styles from './frame.module.css';

/** Says between two messages who joined the team: one name, two, or one and how many others. */
export function JoinedNote({ group: { people, count } }: { group: JoinedPeople }) {
  const t = useTranslations('members.stream');
  const [first, second] = people;
  if (!first) return null;
  const name = nameOf(first);
  return (
    <p className={styles.joined}>
      {count === 1
        ? t('joinedOne', { name })
        : count === 2 && second
          ? t('joinedTwo', { name, other: nameOf(second) })
          : t('joinedMany', { name, count: count - 1 })}
    </p>
  );
}
