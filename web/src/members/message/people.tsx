import { useTranslations } from 'use-intl';
import type { DirectConversation, UserSummary } from '../../api/types.ts';
import { ApplicationIcon, Avatar } from '../../design/avatar.tsx';
import { nameOf } from '../../design/person.tsx';
import { WhereaboutsSign } from '../../design/whereabouts-sign.tsx';
import { useNameList } from '../../text/names.ts';
import { useOnline } from '../state/presence.ts';
import styles from './people.module.css';

type Shown = Pick<UserSummary, 'id' | 'first_name' | 'last_name' | 'online'> & Partial<UserSummary>;

/** How many pictures stand behind each other. */
const PICTURES = 2;

/** The pictures of the people of a conversation; a single one with presence. */
export function Faces({ people, size = 'normal' }: { people: readonly Shown[]; size?: 'place' | 'normal' }) {
  const [first] = people;
  if (first && people.length === 1) return <Face person={first} size={size} />;
  return (
    <span className={`${styles.faces} ${size === 'place' ? styles.small : ''}`}>
      {people.slice(0, PICTURES).map((person) => (
        <Avatar key={person.id} person={person} size={size === 'place' ? 'tiny' : 'small'} />
      ))}
    </span>
  );
}

function Face({ person, size }: { person: Shown; size: 'place' | 'normal' }) {
  const online = useOnline(person);
  return <Avatar person={{ ...person, online }} size={size} presence />;
}

/** How the one other person of a conversation is; nothing for several. */
export function OneWhereabouts({ users }: { users: readonly Shown[] }) {
  const [first] = users;
  return first && users.length === 1 ? <WhereaboutsSign person={first} /> : null;
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

/** The pictures of a conversation: those of its people, or the icon of its application. */
export function ConversationFace(props: {
  conversation: Pick<DirectConversation, 'users' | 'application'>;
  size?: 'place' | 'normal';
}) {
  const { conversation, size = 'normal' } = props;
  if (conversation.application) return <ApplicationIcon application={conversation.application} size={size} />;
  return <Faces people={conversation.users} size={size} />;
}

/** @returns what gives the name of a conversation, with people or with an application */
export function useNameOfConversation(
  me: string,
): (conversation: Pick<DirectConversation, 'users' | 'application'>) => string {
  const nameOfAll = useNameOf(me);
  return ({ users, application }) => application?.name ?? nameOfAll(users);
}
