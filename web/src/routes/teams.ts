import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readTexts, signedIn, view } from './frames.ts';

/*
 * A team beside its stream.
 */

const teams = createRoute({
  getParentRoute: () => signedIn,
  path: '/teams',
  component: lazyRouteComponent(() => import('../shell/teams-page.tsx'), 'TeamsPage'),
});
const newTeam = createRoute({
  getParentRoute: () => signedIn,
  path: '/teams/new',
  component: view(['teams'], () => import('../teams/new-team.tsx'), 'NewTeam'),
});
const teamMembers = createRoute({
  getParentRoute: () => signedIn,
  path: '/teams/$team/members',
  validateSearch: readTexts('q', 'role', 'invite'),
  component: view(['teams'], () => import('../teams/members.tsx'), 'Members'),
});
const teamApplications = createRoute({
  getParentRoute: () => signedIn,
  path: '/teams/$team/applications',
  validateSearch: readTexts('q', 'install'),
  component: view(['teams'], () => import('../teams/applications.tsx'), 'TeamApplications'),
});
const teamApplication = createRoute({
  getParentRoute: () => signedIn,
  path: '/teams/$team/applications/$application',
  validateSearch: readTexts('delivery'),
  component: view(['teams'], () => import('../teams/application.tsx'), 'TeamApplication'),
});
const applicationHome = createRoute({
  getParentRoute: () => signedIn,
  path: '/teams/$team/applications/$application/home',
  component: view(['teams', 'blocks'], () => import('../members/homes/home.tsx'), 'Home'),
});
const teamSettings = createRoute({
  getParentRoute: () => signedIn,
  path: '/teams/$team/settings',
  component: view(['teams'], () => import('../teams/settings.tsx'), 'TeamSettings'),
});

export const teamViews = [
  teams,
  newTeam,
  teamMembers,
  teamApplications,
  teamApplication,
  applicationHome,
  teamSettings,
] as const;
