import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps, useLocation } from '@tanstack/react-router';
import {
  BellOff,
  Bookmark,
  Code,
  Inbox,
  type LucideIcon,
  PenLine,
  Plus,
  Search,
  ServerCog,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { inboxCountsQuery, membershipsQuery, meQuery } from '../api/queries.ts';
import type { InboxCounts, Membership, SessionUser } from '../api/types.ts';
import { TeamIcon } from '../design/avatar.tsx';
import { UnmarkedLink } from '../design/unmarked-link.tsx';
import { AccountMenu } from './account-menu.tsx';
import { Count } from './count.tsx';
import { DirectLinks } from './direct-links.tsx';
import { DraftsLink } from './drafts-link.tsx';
import { InvitationCount } from './invitation-count.tsx';
import styles from './navigation.module.css';
import { NavigationScroller } from './navigation-scroller.tsx';
import { News } from './news.tsx';
import { NotSent } from './not-sent.tsx';
import { useNewsFirst } from './risen.ts';
import { ScheduledLink } from './scheduled-link.tsx';
import { Section } from './section.tsx';
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
        <button type="button" className={styles.jump} onClick={openJump}>
          <Search size={16} aria-hidden />
          <span className={styles.name}>{t('jump')}</span> <kbd>{keyName('Mod+k')}</kbd>
        </button>
        <UnmarkedLink
          to="/compose"
          className={styles.compose}
          aria-label={t('newMessage')}
          title={t('newMessage')}
        >
          <PenLine size={18} aria-hidden />
        </UnmarkedLink>
      </div>
      <NavigationScroller>
        <NotSent />
        <ul className={styles.list}>
          <NavigationLink to="/inbox" icon={Inbox} label={t('inbox')} news={<News />} />
          <NavigationLink to="/saved" icon={Bookmark} label={t('saved')} />
          <DraftsLink user={me.id} />
          <ScheduledLink />
        </ul>
        <Teams me={me} />
        <DirectLinks me={me} />
      </NavigationScroller>
      <div className={styles.foot}>
        <AccountMenu me={me} />
        <FootLink to="/developers" icon={Code} label={t('developers')} />
        {me.superuser && <FootLink to="/admin" icon={ServerCog} label={t('administration')} />}
      </div>
    </nav>
  );
}

function Teams({ me }: { me: SessionUser }) {
  const t = useTranslations('shell');
  const { data: memberships = [] } = useQuery(membershipsQuery);
  const { data: counts } = useQuery(inboxCountsQuery);
  const { pathname } = useLocation();
  const hasNews = (membership: Membership) => newsOf(membership, me, counts).isNew;
  const isCurrent = ({ team }: Membership) => pathname.startsWith(`/teams/${team.id}`);
  const places = useNewsFirst(memberships, { id: ({ team }) => team.id, hasNews, isCurrent });
  return (
    <Section
      keptAs={`folded.${me.id}.teams`}
      name={t('teams')}
      heading={
        <>
          <Link to="/teams" className={styles.more} activeOptions={{ exact: true }}>
            {t('teams')}
          </Link>
          <InvitationCount />
        </>
      }
      add={
        <Link to="/teams/new" className={styles.add} aria-label={t('newTeam')} title={t('newTeam')}>
          <Plus size={16} aria-hidden />
        </Link>
      }
      places={places}
      stays={(membership) => hasNews(membership) || isCurrent(membership)}
    >
      {(membership) => <TeamLink key={membership.team.id} membership={membership} />}
    </Section>
  );
}

/** What is new in a team: for the reader, and at all. A muted team has news only for what concerns the reader. */
function newsOf(
  { team, is_muted }: Membership,
  me: SessionUser | null | undefined,
  counts: InboxCounts | undefined,
) {
  const unread = me?.unread_counts.teams[team.id] ?? 0;
  const forMe = counts?.in_teams[team.id] ?? 0;
  return { unread, forMe, isNew: forMe > 0 || (unread > 0 && is_muted === 0) };
}

export function TeamLink({ membership }: { membership: Membership }) {
  const t = useTranslations('shell');
  const { data: me } = useQuery(meQuery);
  const { team } = membership;
  const { data: counts } = useQuery(inboxCountsQuery);
  const { unread, forMe, isNew: news } = newsOf(membership, me, counts);
  const muted = membership.is_muted === 1;
  return (
    <li>
      <Link
        to="/teams/$team"
        params={{ team: team.id }}
        className={classes(news && styles.unread)}
        data-news={news || undefined}
      >
        <TeamIcon team={team} size="place" />
        <span className={styles.name} dir="auto">
          {team.name}
        </span>
        {muted && <BellOff size={14} aria-label={t('muted')} />}
        <Count unread={unread} forMe={forMe} />
      </Link>
    </li>
  );
}

function FootLink({ to, icon: Icon, label }: { to: LinkProps['to']; icon: LucideIcon; label: string }) {
  return (
    <Link to={to} className={styles.tool as string} aria-label={label} title={label}>
      <Icon size={18} aria-hidden />
    </Link>
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
