import { useTranslations } from 'use-intl';
import type { UserSummary } from '../../api/types.ts';
import { Avatar } from '../../design/avatar.tsx';
import { nameOf } from '../../design/person.tsx';
import { useNameList } from '../../text/names.ts';
import { useOnline } from '../state/presence.ts';
import styles from './people.module.css';

type Shown = Pick<UserSummary, 'id' | 'first_name' | 'last_name' | 'online'> & Partial<UserSummary>;

/** How many pictures stand behind each other. */
const PICTURES = 2;

/** The pictures of the people of a conversation; a single one with presence. */
export function Faces({ people, size = 'normal' }: { people: readonly Shown[]; size?: 'small' | 'normal' }) {
  const [first] = people;
  if (first && people.length === 1) return <Face person={first} size={size} />;
  return (
    <span className={`${styles.faces} ${size === 'small' ? styles.small : ''}`}>
      {people.slice(0, PICTURES).map((person) => (
        <Avatar key={person.id} person={person} size={size === 'small' ? 'tiny' : 'small'} />
      ))}
    </span>
  );
}

function Face({ person, size }: { person: Shown; size: 'small' | 'normal' }) {
  const online = useOnline(person);
  return <Avatar person={{ ...person, online }} size={size} presence />;
}

/** @returns what gives the name of a conversation: the people in it, or that it is one's own */
export function useNameOf(me: string): (people: readonly Shown[]) => string {
  const t = useTranslations('members.direct');
  const list = useNameList();
  return (people) => {
    if (people.length === 1 && people[0]?.id === me) return t('notes');
    return list(people.map(nameOf));
  };
}
