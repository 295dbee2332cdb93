import { Link } from '@tanstack/react-router';
import {
  Bell,
  Code,
  Keyboard,
  LogOut,
  Palette,
  ServerCog,
  Settings,
  SmilePlus,
  UserRound,
} from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { SessionUser } from '../api/types.ts';
import { ownOf } from '../api/whereabouts.ts';
import { Avatar } from '../design/avatar.tsx';
import { Menu, MenuItem, MenuSeparator } from '../design/menu.tsx';
import { PauseSign } from '../design/pause-sign.tsx';
import { WhereaboutsSign } from '../design/whereabouts-sign.tsx';
import styles from './navigation.module.css';
import { useSignOut } from './sign-out.tsx';
import { showShortcuts } from './windows.ts';

/** The user's name, and the menu of the account. */
export function AccountMenu({ me }: { me: SessionUser }) {
  const t = useTranslations('shell');
  const { leave, question } = useSignOut(me.id);
  return (
    <>
      {question}
      <Menu
        trigger={
          <button type="button" className={`${styles.item} ${styles.me}`}>
            <Avatar person={me} size="place" presence />
            <span className={styles.name}>
              {me.first_name} {me.last_name}
            </span>
            <WhereaboutsSign person={ownOf(me)} />
            <PauseSign />
          </button>
        }
      >
        <MenuItem
          icon={<UserRound size={16} aria-hidden />}
          link={<Link to="/people/$user" params={{ user: me.id }} />}
        >
          {t('profile')}
        </MenuItem>
        <MenuItem icon={<SmilePlus size={16} aria-hidden />} link={<Link to="/settings/profile" />}>
          {t('status')}
        </MenuItem>
        <MenuItem icon={<Settings size={16} aria-hidden />} link={<Link to="/settings/profile" />}>
          {t('settings')}
        </MenuItem>
        <MenuItem icon={<Bell size={16} aria-hidden />} link={<Link to="/settings/notifications" />}>
          {t('notifications')}
        </MenuItem>
        <MenuItem icon={<Palette size={16} aria-hidden />} link={<Link to="/settings/appearance" />}>
          {t('appearance')}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Code size={16} aria-hidden />} link={<Link to="/developers" />}>
          {t('developers')}
        </MenuItem>
        {me.superuser && (
          <MenuItem icon={<ServerCog size={16} aria-hidden />} link={<Link to="/admin" />}>
            {t('administration')}
          </MenuItem>
        )}
        <MenuItem icon={<Keyboard size={16} aria-hidden />} shortcut="?" onSelect={showShortcuts}>
          {t('shortcuts')}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<LogOut size={16} aria-hidden />} onSelect={leave}>
          {t('signOut')}
        </MenuItem>
      </Menu>
    </>
  );
}
