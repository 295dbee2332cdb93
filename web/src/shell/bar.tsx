import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, type LinkProps, useLocation } from '@tanstack/react-router';
import { CircleUserRound, Inbox, type LucideIcon, MessageCircle, Search, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { inboxCountsQuery, ownInvitationsQuery } from '../api/queries.ts';
import { conversationsQuery, hasNews } from '../members/state/direct.ts';
import styles from './bar.module.css';
import { Count } from './count.tsx';
import { InvitationCount } from './invitation-count.tsx';
import navigation from './navigation.module.css';
import { News } from './news.tsx';

/** The places to which the page "You" leads, besides itself. */
const YOURS = /^\/(you|saved|drafts|scheduled|sent|settings|developers|admin)(\/|$)/;

/** The main places, at the bottom of a narrow screen. */
export function Bar() {
  const t = useTranslations('shell');
  const { pathname } = useLocation();
  return (
    <nav className={styles.bar} aria-label={t('navigation')}>
      <ul>
        <Place to="/inbox" icon={Inbox} label={t('inbox')} news={<News />} />
        <Place to="/teams" icon={Users} label={t('teams')} news={<TeamNews />} />
        <Place to="/direct" icon={MessageCircle} label={t('directShort')} news={<DirectNews />} />
        <Place to="/search" icon={Search} label={t('search')} />
        <Place to="/you" icon={CircleUserRound} label={t('you')} current={YOURS.test(pathname)} />
      </ul>
    </nav>
  );
}

function Place(props: {
  to: LinkProps['to'];
  icon: LucideIcon;
  label: string;
  news?: ReactNode;
  /** Whether the open view belongs to it; undefined where the addresses tell. */
  current?: boolean;
}) {
  const { to, icon: Icon, label, news, current } = props;
  return (
    <li>
      <Link to={to} className={styles.place as string} {...(current && { 'aria-current': 'page' })}>
        <span className={styles.icon}>
          <Icon size={22} aria-hidden />
          {news}
        </span>
        <span className={styles.label}>{label}</span>
      </Link>
    </li>
  );
}

/** The number of invitations; else a dot while a team has unread messages. */
function TeamNews() {
  const t = useTranslations('shell');
  const { data: counts } = useQuery(inboxCountsQuery);
  const { data: invitations = [] } = useQuery(ownInvitationsQuery);
  if (invitations.length > 0) return <InvitationCount />;
  if (!counts?.teams) return null;
  return (
    <span className={navigation.dot}>
      <span className="visually-hidden">{t('teamsUnread', { count: counts.teams })}</span>
    </span>
  );
}

/** How many direct conversations have something new. */
function DirectNews() {
  const { data } = useInfiniteQuery(conversationsQuery);
  const news = data?.pages.flatMap((page) => page.data).filter(hasNews) ?? [];
  return <Count forMe={news.length} />;
}
