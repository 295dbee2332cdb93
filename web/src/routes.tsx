import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { membershipsQuery, meQuery, queryClient, serverQuery } from './api/queries.ts';
import { parseSearch, stringifySearch } from './exact-search.ts';
import { Crashed, NotFoundPage } from './shell/not-found.tsx';

/*
 * The map: every address of the application and the view that shows it. Views are loaded when they are opened.
 */

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: NotFoundPage,
  errorComponent: Crashed,
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async () => {
    if ((await queryClient.ensureQueryData(serverQuery)).needs_setup) throw redirect({ to: '/set-up' });
    throw redirect({ to: '/inbox', replace: true });
  },
});

/**
 * Where one goes after signing in: only ever to a view of our own. What is wrong is said to be undefined, since the
 * router keeps parameters that are left out.
 */
const readNext = ({ next }: Record<string, unknown>): { next?: string | undefined } => ({
  next: typeof next === 'string' && /^\/(?![/\\])/.test(next) ? next : undefined,
});

/** With what the page of signing in begins: an address that is known, and what was done just before. */
const readSignIn = (
  search: Record<string, unknown>,
): { next?: string | undefined; email?: string | undefined; done?: Done | undefined } => ({
  ...readNext(search),
  email: typeof search.email === 'string' ? search.email : undefined,
  done: DONE.find((done) => done === search.done),
});
const DONE = ['deleted', 'closed', 'password'] as const;
type Done = (typeof DONE)[number];

/** For views that need somebody who is signed in; they come back to where they wanted. */
async function askToSignIn({ location }: { location: { href: string } }): Promise<void> {
  const me = await queryClient.ensureQueryData(meQuery);
  if (!me) throw redirect({ to: '/sign-in', search: { next: location.href } });
}

// ——— In front of the application ———

const entry = createRoute({
  getParentRoute: () => root,
  id: 'entry',
  component: lazyRouteComponent(() => import('./entry/entry-frame.tsx'), 'EntryFrame'),
});
const setUp = createRoute({
  getParentRoute: () => entry,
  path: '/set-up',
  beforeLoad: async () => {
    if (!(await queryClient.ensureQueryData(serverQuery)).needs_setup) throw redirect({ to: '/sign-in' });
  },
  component: lazyRouteComponent(() => import('./entry/set-up.tsx'), 'SetUp'),
});
const signIn = createRoute({
  getParentRoute: () => entry,
  path: '/sign-in',
  validateSearch: readSignIn,
  beforeLoad: async ({ search }) => {
    if ((await queryClient.ensureQueryData(serverQuery)).needs_setup) throw redirect({ to: '/set-up' });
    if (await queryClient.ensureQueryData(meQuery)) throw redirect({ href: search.next ?? '/inbox' });
  },
  component: lazyRouteComponent(() => import('./entry/sign-in.tsx'), 'SignIn'),
});
const signUp = createRoute({
  getParentRoute: () => entry,
  path: '/sign-up',
  validateSearch: readNext,
  beforeLoad: async ({ search }) => {
    if (await queryClient.ensureQueryData(meQuery)) throw redirect({ href: search.next ?? '/inbox' });
  },
  component: lazyRouteComponent(() => import('./entry/sign-up.tsx'), 'SignUp'),
});
const invitation = createRoute({
  getParentRoute: () => entry,
  path: '/invitations/$token',
  component: lazyRouteComponent(() => import('./entry/invitation.tsx'), 'Invitation'),
});
const askForReset = createRoute({
  getParentRoute: () => entry,
  path: '/password_resets',
  component: lazyRouteComponent(() => import('./entry/password-reset.tsx'), 'AskForReset'),
});
const resetPassword = createRoute({
  getParentRoute: () => entry,
  path: '/password_resets/$token',
  component: lazyRouteComponent(() => import('./entry/password-reset.tsx'), 'ResetPassword'),
});
const emailVerification = createRoute({
  getParentRoute: () => entry,
  path: '/email_verifications/$token',
  component: lazyRouteComponent(() => import('./entry/email-verification.tsx'), 'EmailVerification'),
});
const consent = createRoute({
  getParentRoute: () => entry,
  path: '/oauth2/authorize',
  // All of an application's parameters stay as they are.
  validateSearch: (search: Record<string, unknown>) => search,
  beforeLoad: askToSignIn,
  component: lazyRouteComponent(() => import('./entry/consent.tsx'), 'Consent'),
});
const member = createRoute({ getParentRoute: () => entry, id: 'member', beforeLoad: askToSignIn });
const welcome = createRoute({
  getParentRoute: () => member,
  path: '/welcome',
  loader: () => queryClient.ensureQueryData(membershipsQuery),
  component: lazyRouteComponent(() => import('./entry/welcome-team.tsx'), 'WelcomeTeam'),
});
const welcomePeople = createRoute({
  getParentRoute: () => member,
  path: '/welcome/$team/people',
  component: lazyRouteComponent(() => import('./entry/welcome-people.tsx'), 'WelcomePeople'),
});
const welcomeApplication = createRoute({
  getParentRoute: () => member,
  path: '/welcome/$team/application',
  component: lazyRouteComponent(() => import('./entry/welcome-application.tsx'), 'WelcomeApplication'),
});

// ——— Inside: all of these need somebody who is signed in ———

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: askToSignIn,
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
});
const inbox = createRoute({
  getParentRoute: () => signedIn,
  path: '/inbox',
  component: lazyRouteComponent(() => import('./members/inbox.tsx'), 'Inbox'),
});

// ——— One's own account, and the pages of others ———

const person = createRoute({
  getParentRoute: () => signedIn,
  path: '/people/$user',
  component: lazyRouteComponent(() => import('./account/person.tsx'), 'Person'),
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
  component: lazyRouteComponent(() => import('./account/profile.tsx'), 'ProfileSettings'),
});
const mailSettings = createRoute({
  getParentRoute: () => settings,
  path: '/notifications',
  component: lazyRouteComponent(() => import('./account/notifications.tsx'), 'NotificationSettings'),
});
const appearanceSettings = createRoute({
  getParentRoute: () => settings,
  path: '/appearance',
  component: lazyRouteComponent(() => import('./account/appearance.tsx'), 'AppearanceSettings'),
});
const securitySettings = createRoute({
  getParentRoute: () => settings,
  path: '/security',
  component: lazyRouteComponent(() => import('./account/security.tsx'), 'SecuritySettings'),
});
const dataSettings = createRoute({
  getParentRoute: () => settings,
  path: '/data',
  component: lazyRouteComponent(() => import('./account/data.tsx'), 'DataSettings'),
});

const tree = root.addChildren([
  home,
  entry.addChildren([
    setUp,
    signIn,
    signUp,
    invitation,
    askForReset,
    resetPassword,
    emailVerification,
    consent,
    member.addChildren([welcome, welcomePeople, welcomeApplication]),
  ]),
  signedIn.addChildren([
    inbox,
    person,
    settings.addChildren([
      settingsStart,
      profileSettings,
      mailSettings,
      appearanceSettings,
      securitySettings,
      dataSettings,
    ]),
  ]),
]);

export const router = createRouter({
  routeTree: tree,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultNotFoundComponent: NotFoundPage,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
