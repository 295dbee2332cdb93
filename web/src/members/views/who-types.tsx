import { useQueries } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { personQuery } from '../../api/queries.ts';
import { nameOf } from '../../design/person.tsx';
import { useTypingIn } from '../state/typing.ts';
import { useMessageView } from '../state/view-context.tsx';
import styles from './frame.module.css';

/** So many are named. */
const NAMED = 2;

/**
 * Says who types in a place, above the field. It keeps its room, so that nothing moves, and is not read aloud: it
 * would interrupt at every word of others.
 * @param props.place undefined for one where nobody is told
 */
export function WhoTypes({ place }: { place: string | undefined }) {
  const { me } = useMessageView();
  if (place === undefined || !me.prefs.show_typing) return null;
  return (
    <p className={styles.typing} data-typing>
      <Typing place={place} />
    </p>
  );
}

function Typing({ place }: { place: string }) {
  const t = useTranslations('members.typing');
  const { me } = useMessageView();
  const others = useTypingIn(place).filter((id) => id !== me.id);
  const people = useQueries({ queries: others.slice(0, NAMED).map((id) => personQuery(id)) });
  if (others.length > NAMED) return t('several');
  const [first, second] = people.flatMap(({ data }) => (data ? [nameOf(data)] : []));
  if (first === undefined) return null;
  return second === undefined ? t('one', { name: first }) : t('two', { first, second });
}
