import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { meQuery, queryClient, serverQuery } from './api/queries.ts';
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

/** Where one goes after signing in: only ever to a view of our own. */
const readNext = (search: Record<string, unknown>): { next?: string } =>
  typeof search.next === 'string' && /^\/(?![/\\])/.test(search.next) ? { next: search.next } : {};

/** A text of the address' search part, where there is one. */
function text<Name extends string>(name: Name, value: unknown): { [N in Name]?: string } {
  // The router reads a number from `?q=12`.
  if (typeof value === 'number') return text(name, String(value));
  return (typeof value === 'string' && value !== '' ? { [name]: value } : {}) as { [N in Name]?: string };
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
  validateSearch: readNext,
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
  component: lazyRouteComponent(() => import('./entry/sign-up.tsx'), 'SignUp'),
});

// ——— Inside: all of these need somebody who is signed in ———

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ location }) => {
    const me = await queryClient.ensureQueryData(meQuery);
    if (!me) throw redirect({ to: '/sign-in', search: { next: location.href } });
  },
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
});
const inbox = createRoute({
  getParentRoute: () => signedIn,
  path: '/inbox',
  component: lazyRouteComponent(() => import('./members/inbox.tsx'), 'Inbox'),
});

// ——— A team beside its stream ———

const newTeam = createRoute({
  getParentRoute: () => signedIn,
  path: '/teams/new',
  component: lazyRouteComponent(() => import('./teams/new-team.tsx'), 'NewTeam'),
});
const team = createRoute({
  getParentRoute: () => signedIn,
  path: '/teams/$team',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/teams/$team/members', params, replace: true });
  },
});
const teamMembers = createRoute({
  getParentRoute: () => signedIn,
  path: '/teams/$team/members',
  validateSearch: ({ q, role }: Record<string, unknown>) => ({ ...text('q', q), ...text('role', role) }),
  component: lazyRouteComponent(() => import('./teams/members.tsx'), 'Members'),
});
const teamApplications = createRoute({
  getParentRoute: () => signedIn,
  path: '/teams/$team/applications',
  validateSearch: ({ q, install }: Record<string, unknown>) => ({
    ...text('q', q),
    ...text('install', install),
  }),
  component: lazyRouteComponent(() => import('./teams/applications.tsx'), 'TeamApplications'),
});
const teamApplication = createRoute({
  getParentRoute: () => signedIn,
  path: '/teams/$team/applications/$application',
  validateSearch: ({ delivery }: Record<string, unknown>) => text('delivery', delivery),
  component: lazyRouteComponent(() => import('./teams/application.tsx'), 'TeamApplication'),
});
const teamSettings = createRoute({
  getParentRoute: () => signedIn,
  path: '/teams/$team/settings',
  component: lazyRouteComponent(() => import('./teams/settings.tsx'), 'TeamSettings'),
});
const teams = [newTeam, team, teamMembers, teamApplications, teamApplication, teamSettings];

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
  validateSearch: ({ q }: Record<string, unknown>) => text('q', q),
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
  validateSearch: ({ mail, status, to }: Record<string, unknown>) => ({
    ...text('mail', mail),
    ...text('status', status),
    ...text('to', to),
  }),
  component: lazyRouteComponent(() => import('./administration/mails.tsx'), 'Mails'),
});
const adminAudit = createRoute({
  getParentRoute: () => administration,
  path: '/audit',
  validateSearch: (search: Record<string, unknown>) => ({
    ...text('action', search.action),
    ...text('actor', search.actor),
    ...text('team', search.team),
    ...text('target', search.target),
    ...text('since', search.since),
    ...text('until', search.until),
  }),
  component: lazyRouteComponent(() => import('./administration/audit.tsx'), 'Audit'),
});
const adminSettings = createRoute({
  getParentRoute: () => administration,
  path: '/settings',
  validateSearch: ({ q, changed }: Record<string, unknown>): { q?: string; changed?: true } => ({
    ...text('q', q),
    ...(changed === true && { changed }),
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
  entry.addChildren([setUp, signIn, signUp]),
  signedIn.addChildren([
    inbox,
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
  ]),
]);

export const router = createRouter({
  routeTree: tree,
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultNotFoundComponent: NotFoundPage,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
