import { useQuery } from '@tanstack/react-query';
import { Outlet, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { startLive, useLiveStatus } from '../api/live.ts';
import { meQuery } from '../api/queries.ts';
import { watchHands } from '../design/hands.ts';
import { loadAhead, onDemand } from '../design/on-demand.tsx';
import { Bar } from './bar.tsx';
import { Navigation } from './navigation.tsx';
import { useNewVersion } from './new-version.ts';
import { NotSent } from './not-sent.tsx';
import { useRecentPaths } from './recent.ts';
import styles from './shell.module.css';
import { listenForShortcuts, useShortcuts } from './shortcuts.ts';
import { useTimeZone } from './time-zone.ts';
import { openJump, shellWindow, showShortcuts } from './windows.ts';
import { watchWriting } from './writing.ts';

const Jump = onDemand(async () => (await import('./jump.tsx')).Jump);
const ShortcutList = onDemand(async () => (await import('./shortcut-list.tsx')).ShortcutList);

/** The frame around every view of a signed-in user. */
export function Shell() {
  const t = useTranslations('shell');
  const open = shellWindow.useValue();
  useEffect(startLive, []);
  useEffect(listenForShortcuts, []);
  useEffect(watchWriting, []);
  useEffect(watchHands, []);
  useEffect(loadAhead, []);
  useNewVersion();
  useTimeZone();
  useGlobalShortcuts();
  const { data: me } = useQuery(meQuery);
  useRecentPaths(me?.id);
  const onClose = () => shellWindow.set(undefined);
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        {t('skip')}
      </a>
      <ConnectionBanner />
      <header className={styles.top}>
        <NotSent />
      </header>
      <div className={styles.side}>
        <Navigation />
      </div>
      <main className={styles.main} id="content" tabIndex={-1} data-scrolls>
        <Outlet />
      </main>
      <Bar />
      {open === 'jump' && <Jump open onClose={onClose} />}
      {open === 'shortcuts' && <ShortcutList open onClose={onClose} />}
    </div>
  );
}

/** The shortcuts of all views. Each is a single key: the second key of a sequence would often be lost. */
function useGlobalShortcuts(): void {
  const t = useTranslations('shell');
  const navigate = useNavigate();
  useShortcuts(t('everywhere'), {
    'Mod+k': { label: t('jump'), run: openJump },
    'Mod+/': { label: t('shortcuts'), run: showShortcuts },
    '?': { label: t('shortcuts'), run: showShortcuts },
    c: { label: t('newMessage'), run: () => void navigate({ to: '/compose' }) },
    i: { label: t('inbox'), run: () => void navigate({ to: '/inbox' }) },
    '/': { label: t('search'), run: () => void navigate({ to: '/search' }) },
  });
}

/** Tells when live events are not received. It is delayed: a stream that recovers at once needs no notice. */
function ConnectionBanner() {
  const t = useTranslations('shell');
  const status = useLiveStatus();
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (status !== 'lost') return setShown(false);
    const timer = setTimeout(() => setShown(true), navigator.onLine ? 1500 : 0);
    return () => clearTimeout(timer);
  }, [status]);
  return (
    <div role="status" className={shown ? styles.banner : 'visually-hidden'}>
      {shown && t('offline')}
    </div>
  );
}
