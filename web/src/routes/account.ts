import { createRoute, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';
import { signedIn } from './frames.ts';

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
  component: lazyRouteComponent(() => import('../account/person.tsx'), 'Person'),
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
  component: lazyRouteComponent(() => import('../account/profile.tsx'), 'ProfileSettings'),
});
const mailSettings = createRoute({
  getParentRoute: () => settings,
  path: '/notifications',
  component: lazyRouteComponent(() => import('../account/notifications.tsx'), 'NotificationSettings'),
});
const appearanceSettings = createRoute({
  getParentRoute: () => settings,
  path: '/appearance',
  component: lazyRouteComponent(() => import('../account/appearance.tsx'), 'AppearanceSettings'),
});
const securitySettings = createRoute({
  getParentRoute: () => settings,
  path: '/security',
  component: lazyRouteComponent(() => import('../account/security.tsx'), 'SecuritySettings'),
});
const applicationSettings = createRoute({
  getParentRoute: () => settings,
  path: '/applications',
  component: lazyRouteComponent(() => import('../account/applications.tsx'), 'ApplicationSettings'),
});
const dataSettings = createRoute({
  getParentRoute: () => settings,
  path: '/data',
  component: lazyRouteComponent(() => import('../account/data.tsx'), 'DataSettings'),
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
    dataSettings,
  ]),
] as const;
