import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { Menu as MenuIcon } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { startLive, useLiveStatus } from '../api/live.ts';
import { IconButton } from '../design/button.tsx';
import mark from '../design/mark.svg';
import { Navigation } from './navigation.tsx';
import { NotSent } from './not-sent.tsx';
import styles from './shell.module.css';
import { listenForShortcuts, useShortcuts } from './shortcuts.ts';

// Large and rarely opened, so they are loaded on demand.
const Jump = lazy(async () => ({ default: (await import('./jump.tsx')).Jump }));
const Drawer = lazy(async () => ({ default: (await import('./drawer.tsx')).Drawer }));
const ShortcutList = lazy(async () => ({ default: (await import('./shortcut-list.tsx')).ShortcutList }));

/** The frame around every view of a signed-in user. */
export function Shell() {
  const t = useTranslations('shell');
  const [window, setWindow] = useState<'jump' | 'shortcuts'>();
  useEffect(startLive, []);
  useEffect(listenForShortcuts, []);
  useGlobalShortcuts(setWindow);
  const onJump = () => setWindow('jump');
  const onClose = () => setWindow(undefined);
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        {t('skip')}
      </a>
      <ConnectionBanner />
      <TopBar onJump={onJump} />
      <div className={styles.side}>
        <Navigation onJump={onJump} />
      </div>
      <main className={styles.main} id="content" tabIndex={-1}>
        <Outlet />
      </main>
      <Suspense>
        {window === 'jump' && <Jump open onClose={onClose} />}
        {window === 'shortcuts' && <ShortcutList open onClose={onClose} />}
      </Suspense>
    </div>
  );
}

/** The shortcuts of all views. Each is a single key: the second key of a sequence would often be lost. */
function useGlobalShortcuts(show: (window: 'jump' | 'shortcuts') => void): void {
  const t = useTranslations('shell');
  const navigate = useNavigate();
  useShortcuts(t('everywhere'), {
    'Mod+k': { label: t('jump'), run: () => show('jump') },
    '?': { label: t('shortcuts'), run: () => show('shortcuts') },
    c: { label: t('newMessage'), run: () => void navigate({ to: '/compose' }) },
    i: { label: t('inbox'), run: () => void navigate({ to: '/inbox' }) },
    '/': { label: t('search'), run: () => void navigate({ to: '/search' }) },
  });
}

/** On a narrow screen the navigation opens on request, and closes when a view is chosen. */
function TopBar({ onJump }: { onJump: () => void }) {
  const t = useTranslations('shell');
  const [open, setOpen] = useState(false);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new address closes it
  useEffect(() => setOpen(false), [pathname]);
  return (
    <header className={styles.top}>
      <IconButton label={t('menu')} aria-expanded={open} onClick={() => setOpen(true)}>
        <MenuIcon size={20} aria-hidden />
      </IconButton>
      <Suspense>{open && <Drawer onClose={() => setOpen(false)} onJump={onJump} />}</Suspense>
      <img src={mark} alt="" width="24" height="24" />
      {t('navigation')}
      <div className={styles.sign}>
        <NotSent />
      </div>
    </header>
  );
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
