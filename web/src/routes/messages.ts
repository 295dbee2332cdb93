import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readSearch } from '../search/queries.ts';
import { readTexts, signedIn } from './frames.ts';

/*
 * Reading, writing and searching.
 */

const inbox = createRoute({
  getParentRoute: () => signedIn,
  path: '/inbox',
  validateSearch: readTexts('open'),
  component: lazyRouteComponent(() => import('../members/views/inbox.tsx'), 'Inbox'),
});
const direct = createRoute({
  getParentRoute: () => signedIn,
  path: '/direct',
  validateSearch: readTexts('open'),
  component: lazyRouteComponent(() => import('../members/views/inbox.tsx'), 'Direct'),
});
const sent = createRoute({
  getParentRoute: () => signedIn,
  path: '/sent',
  validateSearch: readTexts('open'),
  component: lazyRouteComponent(() => import('../members/views/inbox.tsx'), 'Sent'),
});
const unread = createRoute({
  getParentRoute: () => signedIn,
  path: '/unread',
  validateSearch: readTexts('open'),
  component: lazyRouteComponent(() => import('../members/views/inbox.tsx'), 'Unread'),
});
const team = createRoute({
  getParentRoute: () => signedIn,
  path: '/teams/$team',
  // `open`: the conversation beside the list; `at`: the message at which it is opened.
  validateSearch: readTexts('open', 'at'),
  component: lazyRouteComponent(() => import('../members/views/team-stream.tsx'), 'TeamStream'),
});
const permalink = createRoute({
  getParentRoute: () => signedIn,
  path: '/messages/$message',
  component: lazyRouteComponent(() => import('../members/views/permalink.tsx'), 'Permalink'),
});
/** `to`: a person, `team`: a team to whom it goes. */
const compose = createRoute({
  getParentRoute: () => signedIn,
  path: '/compose',
  validateSearch: readTexts('to', 'team'),
  component: lazyRouteComponent(() => import('../members/views/compose.tsx'), 'Compose'),
});

const search = createRoute({
  getParentRoute: () => signedIn,
  path: '/search',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('../search/search-page.tsx'), 'SearchPage'),
});

export const messageViews = [inbox, direct, sent, unread, team, permalink, compose, search] as const;
