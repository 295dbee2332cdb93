import { createRoute } from '@tanstack/react-router';
import { readTexts, signedIn, view } from './frames.ts';

/*
 * For the server's administrators.
 */

const administration = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin',
  component: view(['administration'], () => import('../administration/administration.tsx'), 'Administration'),
});
const adminOverview = createRoute({
  getParentRoute: () => administration,
  path: '/',
  component: view(['administration'], () => import('../administration/overview.tsx'), 'Overview'),
});
const adminUsers = createRoute({
  getParentRoute: () => administration,
  path: '/users',
  validateSearch: readTexts('q'),
  component: view(['administration', 'teams'], () => import('../administration/users.tsx'), 'Users'),
});
const adminTeams = createRoute({
  getParentRoute: () => administration,
  path: '/teams',
  validateSearch: ({ show }: Record<string, unknown>): { show?: 'active' | 'closed' } =>
    show === 'active' || show === 'closed' ? { show } : {},
  component: view(['administration'], () => import('../administration/teams.tsx'), 'Teams'),
});
const adminApplications = createRoute({
  getParentRoute: () => administration,
  path: '/applications',
  component: view(['administration'], () => import('../administration/applications.tsx'), 'Applications'),
});
const adminMails = createRoute({
  getParentRoute: () => administration,
  path: '/mails',
  validateSearch: readTexts('mail', 'status', 'to'),
  component: view(['administration'], () => import('../administration/mails.tsx'), 'Mails'),
});
const adminAudit = createRoute({
  getParentRoute: () => administration,
  path: '/audit',
  validateSearch: readTexts('action', 'actor', 'team', 'target', 'since', 'until'),
  component: view(['administration'], () => import('../administration/audit.tsx'), 'Audit'),
});
const adminSettings = createRoute({
  getParentRoute: () => administration,
  path: '/settings',
  validateSearch: (search: Record<string, unknown>): { q?: string; changed?: true } => ({
    ...readTexts('q')(search),
    ...(search.changed === true && { changed: true }),
  }),
  component: view(['administration'], () => import('../administration/settings.tsx'), 'Settings'),
});
const adminBackup = createRoute({
  getParentRoute: () => administration,
  path: '/backup',
  component: view(['administration'], () => import('../administration/backup.tsx'), 'Backup'),
});

export const administrationViews = administration.addChildren([
  adminOverview,
  adminUsers,
  adminTeams,
  adminApplications,
  adminMails,
  adminAudit,
  adminSettings,
  adminBackup,
]);
