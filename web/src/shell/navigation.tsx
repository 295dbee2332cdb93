import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { Inbox, type LucideIcon, Plus, ServerCog } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { membershipsQuery, meQuery } from '../api/queries.ts';

import { AccountMenu } from './account-menu.tsx';
import styles from './shell.module.css';

/** Where one can go: one's lists, one's teams, and the places of developers and administrators. */
export function Navigation() {
  const t = useTranslations('shell');
  const { data: me } = useQuery(meQuery);
  const { data: memberships = [] } = useQuery(membershipsQuery);
  if (!me) return null;
  const { tags } = me.unread_counts;
  return (
    <>
      <nav className={styles.navigation} aria-label={t('navigation')}>
        <ul className={styles.list}>
          <Place to="/inbox" icon={Inbox} label={t('inbox')} unread={tags._inbox} />
        </ul>
        <div>
          <div className={styles.heading}>
            <h2 className={styles.headingText}>{t('teams')}</h2>
            <Link to="/teams/new" className={styles.add ?? ''} aria-label={t('newTeam')} title={t('newTeam')}>
              <Plus size={16} aria-hidden />
            </Link>
          </div>
          <ul className={styles.list}>
            {memberships.map((membership) => (
              <li key={membership.team.id}>{membership.team.name}</li>
            ))}
          </ul>
        </div>
        {me.superuser && (
          <ul className={styles.list}>
            <Place to="/admin" icon={ServerCog} label={t('administration')} />
          </ul>
        )}
      </nav>
      <div className={styles.foot}>
        <AccountMenu me={me} />
      </div>
    </>
  );
}

interface PlaceProps {
  readonly to: LinkProps['to'];
  readonly icon: LucideIcon;
  readonly label: string;
  readonly unread?: number;
}

function Place({ to, icon: Icon, label, unread = 0 }: PlaceProps) {
  return (
    <li>
      <Link to={to} className={`${styles.item} ${unread > 0 ? styles.unread : ''}`}>
        <Icon size={18} aria-hidden />
        <span className={styles.name}>{label}</span>
        <Count unread={unread} />
      </Link>
    </li>
  );
}

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
