import { createRoute, redirect } from '@tanstack/react-router';
import { outsideUrl } from '../api/outside.ts';
import { membershipsQuery, meQuery, queryClient, serverQuery } from '../api/queries.ts';
import { Broken } from '../design/not-found.tsx';
import { askToSignIn, root, view } from './frames.ts';

/*
 * In front of the application: the first minute, signing in, invitations, links of mails, consent.
 */

/**
 * The view to open after signing in; other sites and our own API are refused. Invalid values are set to undefined,
 * since the router keeps parameters that are left out.
 */
const readNext = ({ next }: Record<string, unknown>): { next?: string | undefined } => ({
  next: typeof next === 'string' && isView(next) ? next : undefined,
});
const isView = (path: string) =>
  /^\/(?![/\\])/.test(path) && outsideUrl(new URL(path, location.href).href) !== undefined;

/** Prefilled values of the sign-in page: a known address, and a notice of the previous action. */
const readSignIn = (
  search: Record<string, unknown>,
): { next?: string | undefined; email?: string | undefined; done?: Done | undefined } => ({
  ...readNext(search),
  email: typeof search.email === 'string' ? search.email : undefined,
  done: DONE.find((done) => done === search.done),
});
const DONE = ['deleted', 'closed', 'password'] as const;
type Done = (typeof DONE)[number];

const entry = createRoute({
  getParentRoute: () => root,
  id: 'entry',
  errorComponent: Broken,
  component: view(['entry'], () => import('../entry/entry-frame.tsx'), 'EntryFrame'),
});
const setUp = createRoute({
  getParentRoute: () => entry,
  path: '/set-up',
  beforeLoad: async () => {
    if (!(await queryClient.ensureQueryData(serverQuery)).needs_setup) throw redirect({ to: '/sign-in' });
  },
  component: view(['entry'], () => import('../entry/set-up.tsx'), 'SetUp'),
});
const signIn = createRoute({
  getParentRoute: () => entry,
  path: '/sign-in',
  validateSearch: readSignIn,
  beforeLoad: async ({ search }) => {
    if ((await queryClient.ensureQueryData(serverQuery)).needs_setup) throw redirect({ to: '/set-up' });
    if (await queryClient.ensureQueryData(meQuery)) throw redirect({ href: search.next ?? '/inbox' });
  },
  component: view(['entry'], () => import('../entry/sign-in.tsx'), 'SignIn'),
});
const signUp = createRoute({
  getParentRoute: () => entry,
  path: '/sign-up',
  validateSearch: readNext,
  beforeLoad: async ({ search }) => {
    if ((await queryClient.ensureQueryData(serverQuery)).needs_setup) throw redirect({ to: '/set-up' });
    if (await queryClient.ensureQueryData(meQuery)) throw redirect({ href: search.next ?? '/inbox' });
  },
  component: view(['entry'], () => import('../entry/sign-up.tsx'), 'SignUp'),
});
const invitation = createRoute({
  getParentRoute: () => entry,
  path: '/invitations/$token',
  component: view(['entry'], () => import('../entry/invitation.tsx'), 'Invitation'),
});
const join = createRoute({
  getParentRoute: () => entry,
  path: '/join/$token',
  beforeLoad: () => queryClient.ensureQueryData(serverQuery),
  component: view(['entry'], () => import('../entry/join-link.tsx'), 'Join'),
});
const askForReset = createRoute({
  getParentRoute: () => entry,
  path: '/password_resets',
  component: view(['entry'], () => import('../entry/password-reset.tsx'), 'AskForReset'),
});
const resetPassword = createRoute({
  getParentRoute: () => entry,
  path: '/password_resets/$token',
  component: view(['entry'], () => import('../entry/password-reset.tsx'), 'ResetPassword'),
});
const emailVerification = createRoute({
  getParentRoute: () => entry,
  path: '/email_verifications/$token',
  component: view(['entry', 'account'], () => import('../entry/email-verification.tsx'), 'EmailVerification'),
});
const consent = createRoute({
  getParentRoute: () => entry,
  path: '/oauth2/authorize',
  // All of an application's parameters stay as they are.
  validateSearch: (search: Record<string, unknown>) => search,
  beforeLoad: askToSignIn,
  component: view(['entry'], () => import('../entry/consent.tsx'), 'Consent'),
});
const openApplication = createRoute({
  getParentRoute: () => entry,
  path: '/applications/$application/open',
  validateSearch: ({ team }: Record<string, unknown>): { team: string } => ({
    team: typeof team === 'string' ? team : '',
  }),
  beforeLoad: askToSignIn,
  component: view(['entry'], () => import('../entry/open-application.tsx'), 'OpenApplication'),
});
const member = createRoute({ getParentRoute: () => entry, id: 'member', beforeLoad: askToSignIn });
const welcome = createRoute({
  getParentRoute: () => member,
  path: '/welcome',
  loader: () => queryClient.ensureQueryData(membershipsQuery),
  component: view(['entry'], () => import('../entry/welcome-team.tsx'), 'WelcomeTeam'),
});
const welcomePeople = createRoute({
  getParentRoute: () => member,
  path: '/welcome/$team/people',
  component: view(['entry'], () => import('../entry/welcome-people.tsx'), 'WelcomePeople'),
});
export const entryViews = entry.addChildren([
  setUp,
  signIn,
  signUp,
  invitation,
  join,
  askForReset,
  resetPassword,
  emailVerification,
  consent,
  openApplication,
  member.addChildren([welcome, welcomePeople]),
]);
