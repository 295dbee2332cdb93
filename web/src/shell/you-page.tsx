import { useQuery } from '@tanstack/react-query';
import {
  Bookmark,
  Code,
  LogOut,
  Palette,
  Send,
  ServerCog,
  Settings,
  SmilePlus,
  UserRound,
} from 'lucide-react';
import { useTranslations } from 'use-intl';
import { meQuery } from '../api/queries.ts';
import { Avatar } from '../design/avatar.tsx';
import { useTitle } from '../design/page.tsx';
import { PauseSign } from '../design/pause-sign.tsx';
import { nameOf } from '../design/person.tsx';
import { ViewHead } from '../design/view.tsx';
import frame from '../members/views/frame.module.css';
import { DraftsLink } from './drafts-link.tsx';
import navigation from './navigation.module.css';
import { NavigationLink } from './navigation.tsx';
import styles from './place-list.module.css';
import { ScheduledLink } from './scheduled-link.tsx';
import { useSignOut } from './sign-out.tsx';

/** The reader's own places: on a narrow screen the navigation and the menu of the account do not show them. */
export function YouPage() {
  const t = useTranslations('shell');
  useTitle(t('you'));
  const { data: me } = useQuery(meQuery);
  const { leave, question } = useSignOut(me?.id);
  if (!me) return null;
  return (
    <div className={frame.frame}>
      {question}
      <div className={frame.list}>
        <ViewHead
          title={nameOf(me)}
          icon={<Avatar person={me} />}
          about={
            <>
              <bdi>@{me.username}</bdi> <PauseSign />
            </>
          }
        />
        <div className={frame.scroll}>
          <ul className={styles.places}>
            <NavigationLink
              to="/people/$user"
              params={{ user: me.id }}
              icon={UserRound}
              label={t('profile')}
            />
            <NavigationLink to="/settings/profile" icon={SmilePlus} label={t('status')} />
            <NavigationLink to="/saved" icon={Bookmark} label={t('saved')} />
            <DraftsLink user={me.id} />
            <ScheduledLink />
            <NavigationLink to="/sent" icon={Send} label={t('sent')} />
            <NavigationLink to="/settings/profile" icon={Settings} label={t('settings')} />
            <NavigationLink to="/settings/appearance" icon={Palette} label={t('appearance')} />
            <NavigationLink to="/developers" icon={Code} label={t('developers')} />
            {me.superuser && <NavigationLink to="/admin" icon={ServerCog} label={t('administration')} />}
            <li>
              <button type="button" className={navigation.item} onClick={leave}>
                <LogOut size={18} aria-hidden />
                <span className={navigation.name}>{t('signOut')}</span>
              </button>
            </li>
          </ul>
        </div>
      </div>
    </div>
  );
}
