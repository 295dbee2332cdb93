import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { TEAM } from '#platform/text/mentions.ts';
import { meQuery, personQuery } from '../../api/queries.ts';
import { nameOf } from '../../design/person.tsx';
import { groupsQuery } from '../../teams/called.ts';
import { mentionedQuery } from '../state/mentioned.ts';
import styles from './text.module.css';

/** Applications name people by their ids. */
const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * A mention in a text. It links to the profile of the reader, or of a person in one of their teams; what calls many in a
 * team stands out.
 * @param props.team of the message
 */
export function Mention({ username, team }: { username: string; team?: string | undefined }) {
  const t = useTranslations('members.message');
  const { data: me } = useQuery(meQuery);
  const isId = ID.test(username);
  const own = me && username.toLowerCase() === (isId ? me.id : me.username.toLowerCase());
  const enabled = me !== undefined && !own;
  const { data: named } = useQuery({ ...mentionedQuery(username), enabled: enabled && !isId });
  const { data: known } = useQuery({ ...personQuery(username), enabled: enabled && isId });
  const person = own ? me : isId ? known : named;
  if (!person && isId) return '@…';
  if (!person) return team === undefined ? `@${username}` : <CallOfMany name={username} team={team} />;
  const name = nameOf(person);
  return (
    <Link
      to="/people/$user"
      params={{ user: person.id }}
      className={`${styles.mention} ${own ? styles.own : ''}`}
      data-hint={`@${person.username}`}
      data-mention
      {...(own && { 'data-own-mention': true, 'aria-label': t('mentionOfYou', { name }) })}
    >
      @{name}
    </Link>
  );
}

/** `@team`, or a group: its people are named on pointing at it. Any other name is plain text. */
function CallOfMany({ name, team }: { name: string; team: string }) {
  const t = useTranslations('members.message');
  const { data: me } = useQuery(meQuery);
  const { data: groups = [] } = useQuery(groupsQuery(team));
  const group = groups.find((one) => one.name.toLowerCase() === name.toLowerCase());
  const isTeam = name.toLowerCase() === TEAM;
  if (!isTeam && !group) return `@${name}`;
  const isOwn = isTeam || (!!me && group?.users.includes(me.id) === true);
  return (
    <span
      className={`${styles.mention} ${isOwn ? styles.own : ''}`}
      {...(isOwn && { 'data-own-mention': true })}
      data-hint={isTeam ? t('everybody') : t('group', { count: group?.users.length ?? 0 })}
      data-mention
    >
      @{name}
    </span>
  );
}
