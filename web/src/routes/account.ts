import { createRoute, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';
import { signedIn, view } from './frames.ts';

/*
 * One's own account, and the pages of others.
 */

const you = createRoute({
  getParentRoute: () => signedIn,
  path: '/you',
  component: lazyRouteComponent(() => import('../shell/you-page.tsx'), 'YouPage'),
});
const person = createRoute({
  getParentRoute: () => signedIn,
  path: '/people/$user',
  component: view(['account', 'entry'], () => import('../account/person.tsx'), 'Person'),
});
const settings = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings',
  component: Outlet,
});
const settingsStart = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/settings/profile', replace: true });
  },
});
const profileSettings = createRoute({
  getParentRoute: () => settings,
  path: '/profile',
  component: view(['account', 'entry'], () => import('../account/profile.tsx'), 'ProfileSettings'),
});
const mailSettings = createRoute({
  getParentRoute: () => settings,
  path: '/notifications',
  component: view(['account', 'entry'], () => import('../account/notifications.tsx'), 'NotificationSettings'),
});
const appearanceSettings = createRoute({
  getParentRoute: () => settings,
  path: '/appearance',
  component: view(['account', 'entry'], () => import('../account/appearance.tsx'), 'AppearanceSettings'),
});
const securitySettings = createRoute({
  getParentRoute: () => settings,
  path: '/security',
  component: view(['account', 'entry'], () => import('../account/security.tsx'), 'SecuritySettings'),
});
const applicationSettings = createRoute({
  getParentRoute: () => settings,
  path: '/applications',
  component: view(['account', 'entry'], () => import('../account/applications.tsx'), 'ApplicationSettings'),
});
const emojiSettings = createRoute({
  getParentRoute: () => settings,
  path: '/emoji',
  component: view(['account', 'entry'], () => import('../account/emoji.tsx'), 'EmojiSettings'),
});
const dataSettings = createRoute({
  getParentRoute: () => settings,
  path: '/data',
  component: view(['account', 'entry'], () => import('../account/data.tsx'), 'DataSettings'),
});

export const accountViews = [
  you,
  person,
  settings.addChildren([
    settingsStart,
    profileSettings,
    mailSettings,
    appearanceSettings,
    securitySettings,
    applicationSettings,
    emojiSettings,
    dataSettings,
  ]),
] as const;
