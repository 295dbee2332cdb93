import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import {
  Bookmark,
  CalendarClock,
  Code,
  FilePen,
  Inbox,
  type LucideIcon,
  MessageCircle,
  PenLine,
  Pin,
  Plus,
  Search,
  Send,
  ServerCog,
  Settings,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { applicationKey } from '../api/application-key.ts';
import { installationsQuery, obstacleOf } from '../api/installations.ts';
import { hasBeginnings } from '../api/matching.ts';
import { shortcutsQuery } from '../api/offered.ts';
import { connectionsBefore, connectionsQuery, membershipsQuery, meQuery } from '../api/queries.ts';
import type { Membership } from '../api/types.ts';
import { ApplicationIcon, Avatar, TeamIcon } from '../design/avatar.tsx';
import { nameOf } from '../design/person.tsx';
import { homesQuery } from '../members/homes/queries.ts';
import { ConversationFace, useNameOfConversation } from '../members/message/people.tsx';
import { chooseShortcut } from '../members/state/asking.ts';
import { conversationsQuery, keyOf } from '../members/state/direct.ts';
import { useOpenTeam } from './open-team.ts';
import { recentPaths } from './recent.ts';

export interface Destination {
  /** By which it is told from the others, where several lead to one place. */
  readonly key?: string;
  readonly href: string;
  readonly label: string;
  readonly icon: ReactNode;
  readonly detail?: string;
  /** A stream: who goes there by name is about to write. */
  readonly isWrittenTo?: boolean;
  /** What an application is asked for, beside going there. */
  readonly run?: () => void;
}

/** @returns the destinations whose names contain the text, in groups; without a text, the latest and the most common ones */
export function useFoundDestinations(text: string): { value: string; items: Destination[] }[] {
  const t = useTranslations('shell');
  const wanted = text.trim();
  const views = useViews().filter(({ label }) => hasBeginnings(label, wanted));
  const teams = useTeams(wanted === '').filter(({ label }) => hasBeginnings(label, wanted));
  const recent = useRecent(teams).filter(() => wanted === '');
  const isShown = ({ href }: Destination) => recent.some((one) => one.href === href);
  const people = usePeople(wanted);
  const written = useApplications(wanted !== '').filter(({ label }) => hasBeginnings(label, wanted));
  const offered = [...useHomes(), ...useOffered()].filter(({ label, detail }) =>
    hasBeginnings(`${label} ${detail}`, wanted),
  );
  const search: Destination[] =
    wanted === ''
      ? []
      : [
          {
            href: `/search?${new URLSearchParams({ q: wanted })}`,
            label: t('searchFor', { text: wanted }),
            icon: icon(Search),
          },
        ];
  return [
    { value: t('recent'), items: recent },
    { value: t('teams'), items: teams.filter((one) => !isShown(one)) },
    { value: t('people'), items: people },
    { value: t('applications'), items: [...written, ...offered] },
    { value: t('views'), items: views },
    { value: t('search'), items: search },
  ].filter(({ items }) => items.length > 0);
}

const icon = (Icon: LucideIcon) => <Icon size={18} aria-hidden />;

function useViews(): Destination[] {
  const t = useTranslations('shell');
  const { data: me } = useQuery(meQuery);
  const { data: memberships = [] } = useQuery(membershipsQuery);
  const open = useOpenTeam();
  const pins = memberships
    .filter(({ team }) => team.id === open)
    .map(({ team }) => ({
      href: `/teams/${team.id}/pins`,
      label: t('pins'),
      icon: icon(Pin),
      detail: team.name,
    }));
  return [
    { href: '/compose', label: t('newMessage'), icon: icon(PenLine) },
    { href: '/inbox', label: t('inbox'), icon: icon(Inbox) },
    { href: '/direct', label: t('direct'), icon: icon(MessageCircle) },
    { href: '/saved', label: t('saved'), icon: icon(Bookmark) },
    ...pins,
    { href: '/drafts', label: t('drafts'), icon: icon(FilePen) },
    { href: '/scheduled', label: t('scheduled'), icon: icon(CalendarClock) },
    { href: '/sent', label: t('sent'), icon: icon(Send) },
    { href: '/search', label: t('search'), icon: icon(Search) },
    { href: '/teams/new', label: t('newTeam'), icon: icon(Plus) },
    { href: '/settings', label: t('settings'), icon: icon(Settings) },
    { href: '/developers', label: t('developers'), icon: icon(Code) },
    ...(me?.superuser ? [{ href: '/admin', label: t('administration'), icon: icon(ServerCog) }] : []),
  ];
}

/** @param unreadFirst puts the teams with unread messages before the others */
function useTeams(unreadFirst: boolean): Destination[] {
  const { data: memberships = [] } = useQuery(membershipsQuery);
  const { data: me } = useQuery(meQuery);
  const hasNews = ({ team, is_muted }: Membership) =>
    is_muted === 0 && (me?.unread_counts.teams[team.id] ?? 0) > 0;
  const sorted = unreadFirst
    ? [...memberships].sort((one, other) => Number(hasNews(other)) - Number(hasNews(one)))
    : memberships;
  return sorted.map(({ team }) => ({
    href: `/teams/${team.id}`,
    isWrittenTo: true,
    label: team.name,
    icon: <TeamIcon team={team} />,
  }));
}

/** The homes of the applications of the open team. */
function useHomes(): Destination[] {
  const t = useTranslations('shell');
  const team = useOpenTeam();
  const { data = [] } = useQuery({ ...homesQuery(team ?? ''), enabled: team !== undefined });
  const { data: memberships = [] } = useQuery(membershipsQuery);
  const of = memberships.find((one) => one.team.id === team)?.team.name ?? '';
  return data.map(({ application }) => ({
    href: `/teams/${team}/applications/${application.id}/home`,
    label: t('homeOf', { name: application.name }),
    icon: <ApplicationIcon application={application} size="place" />,
    detail: of,
  }));
}

/** Applications that can be written to: of the open team, and those that there is a conversation with. */
function useApplications(isAsked: boolean): Destination[] {
  const open = useOpenTeam();
  const { data: memberships = [] } = useQuery(membershipsQuery);
  const { data: installed = [] } = useQuery({
    ...installationsQuery(open ?? ''),
    enabled: isAsked && open !== undefined,
  });
  const { data } = useInfiniteQuery({ ...conversationsQuery, enabled: isAsked });
  if (!isAsked) return [];
  const known = (data?.pages.flatMap((page) => page.data) ?? []).flatMap(
    ({ application }) => application ?? [],
  );
  const here = installed
    .filter((one) => obstacleOf(one) === undefined)
    .map(({ application, team }) => ({ ...application, team }));
  const byKey = new Map(
    [...known, ...here].map((one) => [applicationKey({ team: one.team, application: one.id }), one]),
  );
  return [...byKey].map(([key, application]) => ({
    href: `/direct/${key}`,
    isWrittenTo: true,
    label: application.name,
    icon: <ApplicationIcon application={application} size="place" />,
    detail: memberships.find(({ team }) => team.id === application.team)?.team.name ?? '',
  }));
}

/** What the applications of the open team offer there. */
function useOffered(): Destination[] {
  const team = useOpenTeam();
  const { pathname } = useLocation();
  const { data = [] } = useQuery({ ...shortcutsQuery(team ?? ''), enabled: team !== undefined });
  if (team === undefined) return [];
  return data
    .filter(({ on }) => on === 'team')
    .map((one) => ({
      key: `${one.application.id} ${one.action_id}`,
      // How it goes is seen in the conversation with an application, too.
      href: pathname.startsWith('/direct/') ? pathname : `/teams/${team}`,
      label: one.name,
      icon: <ApplicationIcon application={one.application} size="place" />,
      detail: one.application.name,
      run: () => chooseShortcut(team, one),
    }));
}

/** As many of the places where the person was last stand in the palette. */
const RECENT = 5;

/** Where the person was last, but for where they are; of those that are there for them still. */
function useRecent(teams: readonly Destination[]): Destination[] {
  const { data: me } = useQuery(meQuery);
  const { data } = useInfiniteQuery(conversationsQuery);
  const namesOf = useNameOfConversation(me?.id ?? '');
  if (!me) return [];
  const conversations = data?.pages.flatMap((page) => page.data) ?? [];
  const direct = conversations.map((one) => ({
    href: `/direct/${keyOf(one, me.id)}`,
    isWrittenTo: true,
    label: namesOf(one),
    icon: <ConversationFace conversation={one} size="place" />,
  }));
  const known = new Map([...teams, ...direct].map((one) => [one.href, one]));
  return recentPaths(me.id)
    .filter((href) => href !== location.pathname)
    .flatMap((href) => known.get(href) ?? [])
    .slice(0, RECENT);
}

function usePeople(text: string): Destination[] {
  const { data = [] } = useQuery({
    ...connectionsQuery(text),
    enabled: text !== '',
    placeholderData: connectionsBefore(text),
  });
  if (text === '') return [];
  return data.map((person) => ({
    href: `/direct/${person.id}`,
    isWrittenTo: true,
    label: nameOf(person),
    icon: <Avatar person={person} size="small" presence />,
    detail: [`@${person.username}`, person.title].filter(Boolean).join(' · '),
  }));
}
