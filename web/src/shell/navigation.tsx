import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { BellOff, Code, Inbox, type LucideIcon, PenLine, Plus, Search, ServerCog } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { inboxCountsQuery, membershipsQuery, meQuery } from '../api/queries.ts';
import type { Membership } from '../api/types.ts';
import { TeamIcon } from '../design/avatar.tsx';
import { ButtonLink, IconButton } from '../design/button.tsx';
import { AccountMenu } from './account-menu.tsx';
import { Count } from './count.tsx';
import { DirectPlaces } from './direct-places.tsx';
import { DraftsPlace } from './drafts-place.tsx';
import { InvitationCount } from './invitation-count.tsx';
import styles from './navigation.module.css';
import { News } from './news.tsx';
import { NotSent } from './not-sent.tsx';
import { Places } from './places.tsx';
import { keyName } from './shortcuts.ts';
import { openJump } from './windows.ts';

/** The navigation: the user's lists and teams, and the pages for developers and administrators. */
export function Navigation() {
  const t = useTranslations('shell');
  const { data: me } = useQuery(meQuery);
  if (!me) return null;
  return (
    <nav className={styles.navigation} aria-label={t('navigation')}>
      <div className={styles.head}>
        <ButtonLink to="/compose" className={styles.compose}>
          <PenLine size={16} aria-hidden />
          {t('newMessage')}
        </ButtonLink>
        <IconButton label={`${t('jump')} (${keyName('Mod+k')})`} look="secondary" onClick={openJump}>
          <Search size={18} aria-hidden />
        </IconButton>
      </div>
      <Places>
        <NotSent />
        <ul className={styles.list}>
          <NavigationLink to="/inbox" icon={Inbox} label={t('inbox')} news={<News />} />
          <DraftsPlace user={me.id} />
          <NavigationLink to="/search" icon={Search} label={t('search')} />
        </ul>
        <Teams />
        <DirectPlaces me={me} />
      </Places>
      <div className={styles.foot}>
        <ul className={styles.list}>
          <NavigationLink to="/developers" icon={Code} label={t('developers')} />
          {me.superuser && <NavigationLink to="/admin" icon={ServerCog} label={t('administration')} />}
        </ul>
        <AccountMenu me={me} />
      </div>
    </nav>
  );
}

function Teams() {
  const t = useTranslations('shell');
  const { data: memberships = [] } = useQuery(membershipsQuery);
  return (
    <div>
      <div className={styles.heading}>
        <h2>
          <Link to="/teams" className={styles.more} activeOptions={{ exact: true }}>
            {t('teams')}
          </Link>
          <InvitationCount />
        </h2>
        <Link to="/teams/new" className={styles.add} aria-label={t('newTeam')} title={t('newTeam')}>
          <Plus size={16} aria-hidden />
        </Link>
      </div>
      <ul className={styles.list}>
        {memberships.map((membership) => (
          <TeamPlace key={membership.team.id} membership={membership} />
        ))}
      </ul>
    </div>
  );
}

export function TeamPlace({ membership }: { membership: Membership }) {
  const t = useTranslations('shell');
  const { data: me } = useQuery(meQuery);
  const { team } = membership;
  const { data: counts } = useQuery(inboxCountsQuery);
  const unread = me?.unread_counts.teams[team.id] ?? 0;
  const forMe = counts?.in_teams[team.id] ?? 0;
  const muted = membership.is_muted === 1;
  const news = forMe > 0 || (unread > 0 && !muted);
  return (
    <li>
      <Link
        to="/teams/$team"
        params={{ team: team.id }}
        className={classes(news && styles.unread)}
        data-news={news || undefined}
      >
        <TeamIcon team={team} />
        <span className={styles.name} dir="auto">
          {team.name}
        </span>
        {muted && <BellOff size={14} aria-label={t('muted')} />}
        <Count unread={unread} forMe={forMe} />
      </Link>
    </li>
  );
}

interface NavigationLinkProps {
  readonly to: LinkProps['to'];
  readonly params?: LinkProps['params'];
  readonly icon: LucideIcon;
  readonly label: string;
  readonly news?: ReactNode;
}

export function NavigationLink({ to, params, icon: Icon, label, news }: NavigationLinkProps) {
  return (
    <li>
      <Link {...({ to, params } as LinkProps)} className={styles.item}>
        <Icon size={18} aria-hidden />
        <span className={styles.name}>{label}</span>
        {news}
      </Link>
    </li>
  );
}

const classes = (...more: (string | false | undefined)[]) => [styles.item, ...more].filter(Boolean).join(' ');
