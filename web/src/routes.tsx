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
import { readSearch } from './search/queries.ts';
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

/** Of what an address says, these names as far as they are texts. */
const readTexts =
  <Name extends string>(...names: Name[]) =>
  (search: Record<string, unknown>): { [Key in Name]?: string } => {
    const texts = names.filter((name) => typeof search[name] === 'string' && search[name] !== '');
    return Object.fromEntries(texts.map((name) => [name, search[name]])) as { [Key in Name]?: string };
  };

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
  component: lazyRouteComponent(() => import('./members/signed-in.tsx'), 'SignedIn'),
});

// ——— Reading and writing ———

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
/** `open`: the conversation beside the list. */
const readOpen = (search: Record<string, unknown>): { open?: string } => {
  const open = text(search.open);
  return open === undefined ? {} : { open };
};
/** `at`: the message at which a stream is opened. */
const readPlace = (search: Record<string, unknown>): { open?: string; at?: string } => {
  const at = text(search.at);
  return at === undefined ? readOpen(search) : { ...readOpen(search), at };
};
const inbox = createRoute({
  getParentRoute: () => signedIn,
  path: '/inbox',
  validateSearch: readOpen,
  component: lazyRouteComponent(() => import('./members/inbox.tsx'), 'Inbox'),
});
const direct = createRoute({
  getParentRoute: () => signedIn,
  path: '/direct',
  validateSearch: readOpen,
  component: lazyRouteComponent(() => import('./members/inbox.tsx'), 'Direct'),
});
const sent = createRoute({
  getParentRoute: () => signedIn,
  path: '/sent',
  validateSearch: readOpen,
  component: lazyRouteComponent(() => import('./members/inbox.tsx'), 'Sent'),
});
const unread = createRoute({
  getParentRoute: () => signedIn,
  path: '/unread',
  validateSearch: readOpen,
  component: lazyRouteComponent(() => import('./members/inbox.tsx'), 'Unread'),
});
const team = createRoute({
  getParentRoute: () => signedIn,
  path: '/teams/$team',
  validateSearch: readPlace,
  component: lazyRouteComponent(() => import('./members/team-stream.tsx'), 'TeamStream'),
});
const permalink = createRoute({
  getParentRoute: () => signedIn,
  path: '/messages/$message',
  component: lazyRouteComponent(() => import('./members/permalink.tsx'), 'Permalink'),
});
/** `to`: a person, `team`: a team to whom it goes. */
const compose = createRoute({
  getParentRoute: () => signedIn,
  path: '/compose',
  validateSearch: (search: Record<string, unknown>): { to?: string; team?: string } => ({
    ...(text(search.to) !== undefined && { to: text(search.to) as string }),
    ...(text(search.team) !== undefined && { team: text(search.team) as string }),
  }),
  component: lazyRouteComponent(() => import('./members/compose.tsx'), 'Compose'),
});

const search = createRoute({
  getParentRoute: () => signedIn,
  path: '/search',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('./search/search-page.tsx'), 'SearchPage'),
});

const developers = createRoute({ getParentRoute: () => signedIn, path: '/developers' });
const applications = createRoute({
  getParentRoute: () => developers,
  path: '/',
  component: lazyRouteComponent(() => import('./developers/applications.tsx'), 'Applications'),
});
const newApplication = createRoute({
  getParentRoute: () => developers,
  path: '/new',
  validateSearch: (search: Record<string, unknown>): { example?: boolean } =>
    search.example === true ? { example: true } : {},
  component: lazyRouteComponent(() => import('./developers/register.tsx'), 'Register'),
});
const tryIt = createRoute({
  getParentRoute: () => developers,
  path: '/try',
  validateSearch: readTexts('route', 'q', 'application'),
  component: lazyRouteComponent(() => import('./developers/try/try.tsx'), 'TryIt'),
});
const application = createRoute({
  getParentRoute: () => developers,
  path: '/$application',
  component: lazyRouteComponent(() => import('./developers/application.tsx'), 'ApplicationFrame'),
});
const applicationOverview = createRoute({
  getParentRoute: () => application,
  path: '/',
  component: lazyRouteComponent(() => import('./developers/overview.tsx'), 'Overview'),
});
const deliveries = createRoute({
  getParentRoute: () => application,
  path: '/deliveries',
  validateSearch: readTexts('status', 'kind', 'team'),
  component: lazyRouteComponent(() => import('./developers/deliveries.tsx'), 'Deliveries'),
});
const delivery = createRoute({
  getParentRoute: () => application,
  path: '/deliveries/$delivery',
  component: lazyRouteComponent(() => import('./developers/delivery.tsx'), 'DeliveryView'),
});
const applicationSecret = createRoute({
  getParentRoute: () => application,
  path: '/secret',
  component: lazyRouteComponent(() => import('./developers/secret.tsx'), 'SecretView'),
});
const applicationSettings = createRoute({
  getParentRoute: () => application,
  path: '/settings',
  component: lazyRouteComponent(() => import('./developers/settings.tsx'), 'ApplicationSettings'),
});
const developerViews = developers.addChildren([
  applications,
  newApplication,
  tryIt,
  application.addChildren([
    applicationOverview,
    deliveries,
    delivery,
    applicationSecret,
    applicationSettings,
  ]),
]);

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
    direct,
    sent,
    unread,
    team,
    permalink,
    compose,
    search,
    developerViews,
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
