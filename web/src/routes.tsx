import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { parseSearch, stringifySearch } from './api/exact-search.ts';
import { membershipsQuery, meQuery, queryClient, serverQuery } from './api/queries.ts';
import { Crashed, NotFoundPage } from './design/not-found.tsx';
import { readSearch } from './search/queries.ts';

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
    const texts = names.map((name) => [name, textOf(search[name])] as const);
    return Object.fromEntries(texts.filter(([, text]) => text !== '')) as { [Key in Name]?: string };
  };

/** The router reads a number from `?q=12`. */
const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

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
  component: lazyRouteComponent(() => import('./signed-in.tsx'), 'SignedIn'),
});

// ——— Reading and writing ———

const inbox = createRoute({
  getParentRoute: () => signedIn,
  path: '/inbox',
  validateSearch: readTexts('open'),
  component: lazyRouteComponent(() => import('./members/inbox.tsx'), 'Inbox'),
});
const direct = createRoute({
  getParentRoute: () => signedIn,
  path: '/direct',
  validateSearch: readTexts('open'),
  component: lazyRouteComponent(() => import('./members/inbox.tsx'), 'Direct'),
});
const sent = createRoute({
  getParentRoute: () => signedIn,
  path: '/sent',
  validateSearch: readTexts('open'),
  component: lazyRouteComponent(() => import('./members/inbox.tsx'), 'Sent'),
});
const unread = createRoute({
  getParentRoute: () => signedIn,
  path: '/unread',
  validateSearch: readTexts('open'),
  component: lazyRouteComponent(() => import('./members/inbox.tsx'), 'Unread'),
});
const team = createRoute({
  getParentRoute: () => signedIn,
  path: '/teams/$team',
  // `open`: the conversation beside the list; `at`: the message at which it is opened.
  validateSearch: readTexts('open', 'at'),
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
  validateSearch: readTexts('to', 'team'),
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

// ——— A team beside its stream ———

const newTeam = createRoute({
  getParentRoute: () => signedIn,
  path: '/teams/new',
  component: lazyRouteComponent(() => import('./teams/new-team.tsx'), 'NewTeam'),
});
const teamMembers = createRoute({
  getParentRoute: () => signedIn,
  path: '/teams/$team/members',
  validateSearch: readTexts('q', 'role'),
  component: lazyRouteComponent(() => import('./teams/members.tsx'), 'Members'),
});
const teamApplications = createRoute({
  getParentRoute: () => signedIn,
  path: '/teams/$team/applications',
  validateSearch: readTexts('q', 'install'),
  component: lazyRouteComponent(() => import('./teams/applications.tsx'), 'TeamApplications'),
});
const teamApplication = createRoute({
  getParentRoute: () => signedIn,
  path: '/teams/$team/applications/$application',
  validateSearch: readTexts('delivery'),
  component: lazyRouteComponent(() => import('./teams/application.tsx'), 'TeamApplication'),
});
const teamSettings = createRoute({
  getParentRoute: () => signedIn,
  path: '/teams/$team/settings',
  component: lazyRouteComponent(() => import('./teams/settings.tsx'), 'TeamSettings'),
});
const teams = [newTeam, teamMembers, teamApplications, teamApplication, teamSettings];

// ——— For who administers the server ———

const administration = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin',
  component: lazyRouteComponent(() => import('./administration/administration.tsx'), 'Administration'),
});
const adminOverview = createRoute({
  getParentRoute: () => administration,
  path: '/',
  component: lazyRouteComponent(() => import('./administration/overview.tsx'), 'Overview'),
});
const adminUsers = createRoute({
  getParentRoute: () => administration,
  path: '/users',
  validateSearch: readTexts('q'),
  component: lazyRouteComponent(() => import('./administration/users.tsx'), 'Users'),
});
const adminTeams = createRoute({
  getParentRoute: () => administration,
  path: '/teams',
  validateSearch: ({ show }: Record<string, unknown>): { show?: 'active' | 'closed' } =>
    show === 'active' || show === 'closed' ? { show } : {},
  component: lazyRouteComponent(() => import('./administration/teams.tsx'), 'Teams'),
});
const adminApplications = createRoute({
  getParentRoute: () => administration,
  path: '/applications',
  component: lazyRouteComponent(() => import('./administration/applications.tsx'), 'Applications'),
});
const adminMails = createRoute({
  getParentRoute: () => administration,
  path: '/mails',
  validateSearch: readTexts('mail', 'status', 'to'),
  component: lazyRouteComponent(() => import('./administration/mails.tsx'), 'Mails'),
});
const adminAudit = createRoute({
  getParentRoute: () => administration,
  path: '/audit',
  validateSearch: readTexts('action', 'actor', 'team', 'target', 'since', 'until'),
  component: lazyRouteComponent(() => import('./administration/audit.tsx'), 'Audit'),
});
const adminSettings = createRoute({
  getParentRoute: () => administration,
  path: '/settings',
  validateSearch: (search: Record<string, unknown>): { q?: string; changed?: true } => ({
    ...readTexts('q')(search),
    ...(search.changed === true && { changed: true }),
  }),
  component: lazyRouteComponent(() => import('./administration/settings.tsx'), 'Settings'),
});
const adminBackup = createRoute({
  getParentRoute: () => administration,
  path: '/backup',
  component: lazyRouteComponent(() => import('./administration/backup.tsx'), 'Backup'),
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
    ...teams,
    administration.addChildren([
      adminOverview,
      adminUsers,
      adminTeams,
      adminApplications,
      adminMails,
      adminAudit,
      adminSettings,
      adminBackup,
    ]),
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
