import { useQuery } from '@tanstack/react-query';
import { Users } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { TEAM } from '#platform/text/mentions.ts';
import { connectionsBefore, connectionsQuery, membershipsQuery } from '../../api/queries.ts';
import type { UserSummary } from '../../api/types.ts';
import { Avatar } from '../../design/avatar.tsx';
import { nameOf } from '../../design/person.tsx';
import { groupsQuery } from '../../teams/called.ts';
import styles from './composer.module.css';
import type { Suggestion } from './suggestion.ts';

/**
 * People by name: those of the team, its groups, the whole team, and then those who are not in it.
 * @param typed the beginning of a name behind an @; a blank at its end may be the end of the name, and suggests nothing
 * @param team in whose conversation it is typed
 * @returns the suggestions, and whether nobody is called so
 */
export function usePersonSuggestions(typed: string | undefined, team: string | undefined) {
  const t = useTranslations('members.composer');
  const name = typed?.trimEnd() ?? '';
  const options = { enabled: typed !== undefined, placeholderData: connectionsBefore(name) };
  const everybody = useQuery({ ...connectionsQuery(name), ...options });
  const inTeam = useQuery({
    ...connectionsQuery(name, team ?? ''),
    ...options,
    enabled: options.enabled && team !== undefined,
  });
  const many = useMany(name, options.enabled ? team : undefined);
  const others = everybody.data ?? [];
  const isKnown = everybody.isSuccess && (team === undefined || inTeam.isSuccess);
  const members = team === undefined ? others : (inTeam.data ?? []);
  const strangers = team === undefined || !inTeam.isSuccess ? [] : without(others, members);
  const all = [
    ...members.map((person) => suggestionOf(person)),
    ...many,
    ...strangers.map((person) => suggestionOf(person, t('notInTeam'))),
  ];
  const isCurrent = !everybody.isPlaceholderData && !inTeam.isPlaceholderData;
  const isNobody = typed !== undefined && isKnown && isCurrent && all.length === 0;
  return { people: typed === undefined || typed !== name ? [] : all, isNobody };
}

const without = (people: readonly UserSummary[], others: readonly UserSummary[]) =>
  people.filter(({ id }) => !others.some((other) => other.id === id));

/** What calls many in a team, and begins as typed. */
function useMany(typed: string, team: string | undefined): Suggestion[] {
  const t = useTranslations('members.composer');
  const { data: groups = [] } = useQuery({ ...groupsQuery(team ?? ''), enabled: team !== undefined });
  const { data: memberships = [] } = useQuery(membershipsQuery);
  const own = memberships.find((one) => one.team.id === team);
  if (!own) return [];
  const begins = (name: string) => name.toLowerCase().startsWith(typed.toLowerCase());
  return [
    ...groups
      .filter(({ name }) => begins(name))
      .map(({ name, users }) => manyOf(name, t('group', { count: users.length }))),
    ...(begins(TEAM) ? [manyOf(TEAM, t('everybody', { team: own.team.name }))] : []),
  ];
}

const manyOf = (name: string, who: string): Suggestion => ({
  key: `@${name}`,
  text: `@${name} `,
  shown: (
    <>
      <Users size={18} aria-hidden className={styles.many} />
      <bdi>@{name}</bdi>
      <span className={styles.detail}>{who}</span>
    </>
  ),
});

const suggestionOf = (person: UserSummary, note = ''): Suggestion => ({
  key: person.id,
  text: `@${person.username} `,
  shown: (
    <>
      <Avatar person={person} size="small" presence />
      <bdi>{nameOf(person)}</bdi>
      <bdi className={styles.detail}>@{person.username}</bdi>
      {(note || person.title) && <span className={styles.personTitle}>{note || person.title}</span>}
    </>
  ),
});
