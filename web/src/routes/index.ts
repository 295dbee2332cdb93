import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { parseSearch, stringifySearch } from '../api/exact-search.ts';
import { queryClient, serverQuery } from '../api/queries.ts';
import { BrokenView, NotFoundPage } from '../design/not-found.tsx';
import { accountViews } from './account.ts';
import { administrationViews } from './administration.ts';
import { developerViews } from './developers.ts';
import { entryViews } from './entry.ts';
import { nowhere, root, signedIn } from './frames.ts';
import { messageViews } from './messages.ts';
import { teamViews } from './teams.ts';

/*
 * The map: every address of the application and the view that shows it. Views are loaded when they are opened.
 */

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async () => {
    if ((await queryClient.ensureQueryData(serverQuery)).needs_setup) throw redirect({ to: '/set-up' });
    throw redirect({ to: '/inbox', replace: true });
  },
});

const unknown = createRoute({ getParentRoute: () => nowhere, path: '$', component: NotFoundPage });

const tree = root.addChildren([
  home,
  nowhere.addChildren([unknown]),
  entryViews,
  signedIn.addChildren([...messageViews, ...teamViews, ...accountViews, developerViews, administrationViews]),
]);

export const router = createRouter({
  routeTree: tree,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultNotFoundComponent: NotFoundPage,
  defaultErrorComponent: BrokenView,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
