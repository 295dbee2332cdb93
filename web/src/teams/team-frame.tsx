import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { onLive } from '../api/live.ts';
import { membershipsQuery } from '../api/queries.ts';
import { ADMIN, type Membership, type Team } from '../api/types.ts';
import { TeamIcon } from '../design/avatar.tsx';
import { ButtonLink } from '../design/button.tsx';
import { Tabs, useTitle } from '../design/page.tsx';
import { Empty, Loaded } from '../design/states.tsx';
import { View, ViewHead } from '../design/view.tsx';
import { refreshInstallations, refreshMembers, refreshMemberships, showPresence } from './queries.ts';

export const administers = (membership: Membership) => membership.membership_type === ADMIN;

/** Keeps the cached data of a team current. */
export function useLiveTeam(team: string): void {
  useEffect(() => {
    const mine = (id: string, refresh: (id: string) => unknown) => id === team && void refresh(team);
    const ends = [
      onLive('team.updated', (event) => mine(event.team, refreshMemberships)),
      onLive('team.members', (event) => {
        mine(event.team, refreshMembers);
        mine(event.team, refreshMemberships);
      }),
      onLive('presence', ({ user, online }) => showPresence(team, user, online)),
      onLive('installation.updated', ({ installation }) => mine(installation.team, refreshInstallations)),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [team]);
}

/** The head and the tabs, at the same place in the stream and in the other parts of a team. */
export function TeamHead(props: { team: Team; children?: ReactNode }) {
  const { team, children } = props;
  const t = useTranslations('common.team');
  return (
    <>
      <ViewHead
        title={team.name}
        icon={<TeamIcon team={team} size="normal" />}
        about={t('memberCount', { count: team.num_members })}
      >
        {children}
      </ViewHead>
      <TeamTabs team={team.id} />
    </>
  );
}

/** The links between the parts of a team. */
function TeamTabs({ team }: { team: string }) {
  const t = useTranslations('common.team.tabs');
  const to = { params: { team } };
  return (
    <Tabs label={t('label')}>
      <Link to="/teams/$team" {...to} activeOptions={{ exact: true, includeSearch: false }}>
        {t('stream')}
      </Link>
      <Link to="/teams/$team/files" {...to}>
        {t('files')}
      </Link>
      <Link to="/teams/$team/pins" {...to}>
        {t('pins')}
      </Link>
      <Link to="/teams/$team/members" {...to}>
        {t('members')}
      </Link>
      <Link to="/teams/$team/applications" {...to}>
        {t('applications')}
      </Link>
      <Link to="/teams/$team/settings" {...to}>
        {t('settings')}
      </Link>
    </Tabs>
  );
}

/** One of the pages of a team, for its members. @param props.part names the page in the browser's tab */
export function TeamFrame(props: {
  team: string;
  part: 'files' | 'members' | 'applications' | 'settings';
  actions?: (membership: Membership) => ReactNode;
  children: (membership: Membership) => ReactNode;
}) {
  const { team: id, part, actions, children } = props;
  const t = useTranslations('common.team');
  const query = useQuery(membershipsQuery);
  useLiveTeam(id);
  return (
    <Loaded query={query}>
      {(memberships) => {
        const membership = memberships.find((one) => one.team.id === id);
        if (!membership) return <NotOwnTeam />;
        return (
          <Part team={membership.team} part={t(`tabs.${part}`)} actions={actions?.(membership)}>
            {children(membership)}
          </Part>
        );
      }}
    </Loaded>
  );
}

/** In the place of a team of which the reader is no member: whether there is such a team is not told. */
export function NotOwnTeam() {
  const t = useTranslations('common.team.notOwn');
  useTitle(t('title'));
  return (
    <Empty whole title={t('title')}>
      <p>{t('text')}</p>
      <ButtonLink to="/teams">{t('teams')}</ButtonLink>
    </Empty>
  );
}

function Part(props: { team: Team; part: string; actions: ReactNode; children: ReactNode }) {
  const { team, part, actions, children } = props;
  useTitle(`${part} · ${team.name}`);
  return <View head={<TeamHead team={team}>{actions}</TeamHead>}>{children}</View>;
}
