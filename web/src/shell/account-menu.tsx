import { LogOut } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { call } from '../api/client.ts';
import type { SessionUser } from '../api/types.ts';
import { Avatar } from '../design/avatar.tsx';
import { Menu, MenuItem } from '../design/menu.tsx';
import styles from './navigation.module.css';

/** One's own name, and what belongs to one's account. */
export function AccountMenu({ me }: { me: SessionUser }) {
  const t = useTranslations('shell');
  const signOut = async () => {
    await call('/v1/sessions/current', { method: 'DELETE' });
    // Nothing that was read stays in this window.
    location.assign('/sign-in');
  };
  return (
    <Menu
      trigger={
        <button type="button" className={`${styles.item} ${styles.me}`}>
          <Avatar person={me} size="small" />
          <span className={styles.name}>
            {me.first_name} {me.last_name}
          </span>
        </button>
      }
    >
      <MenuItem icon={<LogOut size={16} aria-hidden />} onSelect={() => void signOut()}>
        {t('signOut')}
      </MenuItem>
    </Menu>
  );
}
