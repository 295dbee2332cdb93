import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { call } from '../../api/client.ts';
import type { Membership, Team } from '../../api/types.ts';
import { Avatar } from '../../design/avatar.tsx';
import { Button, IconButton } from '../../design/button.tsx';
import { useNameList } from '../../text/names.ts';
import { useMessageView } from '../state/view-context.tsx';
import styles from './people-here.module.css';

/** How many people are shown, and read: the reader may be among them. */
const SHOWN = 3;

/** Some of the others in a team, with their faces. Nothing while the reader is the only one. */
export function PeopleHere({ team }: { team: Pick<Team, 'id' | 'num_members'> }) {
  const t = useTranslations('members.team');
  const list = useNameList();
  const { me } = useMessageView();
  const { data } = useQuery({
    queryKey: ['team', team.id, 'members', 'some'],
    queryFn: async ({ signal }) =>
      (await call<Membership>(`/v1/teams/${team.id}/users`, { query: { limit: SHOWN + 1 }, signal })).data,
    enabled: team.num_members > 1,
  });
  const others = (data ?? []).map(({ user }) => user).filter(({ id }) => id !== me.id);
  const people = others.slice(0, SHOWN);
  if (people.length === 0) return null;
  const more = team.num_members - 1 - people.length;
  const names = people.map(({ first_name }) => first_name);
  return (
    <div className={styles.here}>
      <span className={styles.faces}>
        {people.map((person) => (
          <Avatar key={person.id} person={person} />
        ))}
      </span>
      <strong>
        {more > 0
          ? t('areHere', { names: list([...names, t('others', { count: more })]), count: 2 })
          : t('areHere', { names: list(names), count: names.length })}
      </strong>
    </div>
  );
}

/** Meets a new member above the field to write in. */
export function Newcomer(props: { team: Team; sayHello: () => void; onClose: () => void }) {
  const { team, sayHello, onClose } = props;
  const t = useTranslations('members.team');
  const common = useTranslations('common');
  return (
    <section className={styles.newcomer} aria-label={t('welcome', { team: team.name })}>
      <PeopleHere team={team} />
      <div className={styles.acts}>
        <HelloButton small onClick={sayHello} />
        <IconButton small label={common('close')} onClick={onClose}>
          <X size={16} aria-hidden />
        </IconButton>
      </div>
    </section>
  );
}

/** Puts a ready text into the field. @param props.small beside something else */
export function HelloButton({ small = false, onClick }: { small?: boolean; onClick: () => void }) {
  const t = useTranslations('members.team');
  return (
    <Button small={small} look="primary" onClick={onClick}>
      {t('sayHello')}
    </Button>
  );
}
