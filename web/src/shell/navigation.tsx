import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import {
  BellOff,
  Code,
  Inbox,
  type LucideIcon,
  MessageCircle,
  PenLine,
  Plus,
  Search,
  Send,
  ServerCog,
} from 'lucide-react';
import { useTranslations } from 'use-intl';
import { membershipsQuery, meQuery } from '../api/queries.ts';
import type { Membership } from '../api/types.ts';
import { TeamIcon } from '../design/avatar.tsx';
import { ButtonLink, IconButton } from '../design/button.tsx';
import { AccountMenu } from './account-menu.tsx';
import styles from './navigation.module.css';
import { NotSent } from './not-sent.tsx';
import { keyName } from './shortcuts.ts';

/** The navigation: the user's lists and teams, and the pages for developers and administrators. */
export function Navigation({ onJump }: { onJump: () => void }) {
  const t = useTranslations('shell');
  const { data: me } = useQuery(meQuery);
  if (!me) return null;
  const { tags } = me.unread_counts;
  return (
    <nav className={styles.navigation} aria-label={t('navigation')}>
      <div className={styles.head}>
        <ButtonLink to="/compose" look="primary" className={styles.compose}>
          <PenLine size={16} aria-hidden />
          {t('newMessage')}
        </ButtonLink>
        <IconButton label={`${t('jump')} (${keyName('Mod+k')})`} look="secondary" onClick={onJump}>
          <Search size={18} aria-hidden />
        </IconButton>
      </div>
      <div className={styles.links}>
        <NotSent />
        <ul className={styles.list}>
          <NavigationLink to="/inbox" icon={Inbox} label={t('inbox')} unread={tags._inbox} />
          <NavigationLink
            to="/direct"
            icon={MessageCircle}
            label={t('direct')}
            unread={me.unread_counts.user.direct}
          />
          <NavigationLink to="/sent" icon={Send} label={t('sent')} />
          <NavigationLink to="/search" icon={Search} label={t('search')} />
        </ul>
        <Teams />
      </div>
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
        <h2>{t('teams')}</h2>
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

function TeamPlace({ membership }: { membership: Membership }) {
  const t = useTranslations('shell');
  const { data: me } = useQuery(meQuery);
  const { team } = membership;
  const unread = me?.unread_counts.teams[team.id] ?? 0;
  const muted = membership.is_muted === 1;
  return (
    <li>
      <Link
        to="/teams/$team"
        params={{ team: team.id }}
        className={classes(unread > 0 && !muted && styles.unread, muted && styles.muted)}
      >
        <TeamIcon team={team} />
        <span className={styles.name}>{team.name}</span>
        {muted && <BellOff size={14} aria-label={t('muted')} />}
        <Count unread={unread} />
      </Link>
    </li>
  );
}

interface NavigationLinkProps {
  readonly to: LinkProps['to'];
  readonly icon: LucideIcon;
  readonly label: string;
  readonly unread?: number;
}

function NavigationLink({ to, icon: Icon, label, unread = 0 }: NavigationLinkProps) {
  return (
    <li>
      <Link to={to} className={classes(unread > 0 && styles.unread)}>
        <Icon size={18} aria-hidden />
        <span className={styles.name}>{label}</span>
        <Count unread={unread} />
      </Link>
    </li>
  );
}

const classes = (...more: (string | false | undefined)[]) => [styles.item, ...more].filter(Boolean).join(' ');

function Count({ unread }: { unread: number }) {
  const t = useTranslations('shell');
  if (unread === 0) return null;
  return (
    <span className={styles.count}>
      <span aria-hidden="true">{unread > 99 ? '99+' : unread}</span>
      <span className="visually-hidden">{t('unreadCount', { count: unread })}</span>
    </span>
  );
}
