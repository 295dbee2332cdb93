import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { narrowByWords } from '../search/asked.ts';
import { readSearch } from '../search/queries.ts';
import { readTexts, signedIn } from './frames.ts';

/*
 * Reading, writing and searching.
 */

const inbox = createRoute({
  getParentRoute: () => signedIn,
  path: '/inbox',
  validateSearch: readTexts('open', 'show'),
  component: lazyRouteComponent(() => import('./members.ts'), 'Inbox'),
});
const direct = createRoute({
  getParentRoute: () => signedIn,
  path: '/direct',
  component: lazyRouteComponent(() => import('../members/views/direct.tsx'), 'Direct'),
});
/** `people`: the ids of the others, separated by commas. */
const conversation = createRoute({
  getParentRoute: () => signedIn,
  path: '/direct/$people',
  validateSearch: readTexts('open', 'at', 'reply'),
  component: lazyRouteComponent(() => import('./members.ts'), 'DirectStream'),
});
/** `q`: of the name, `kind`, `user`: by whom. */
const filesOfConversation = createRoute({
  getParentRoute: () => signedIn,
  path: '/direct/$people/files',
  validateSearch: readTexts('q', 'kind', 'user'),
  component: lazyRouteComponent(() => import('../members/views/files-page.tsx'), 'FilesOfConversation'),
});
const filesOfTeam = createRoute({
  getParentRoute: () => signedIn,
  path: '/teams/$team/files',
  validateSearch: readTexts('q', 'kind', 'user'),
  component: lazyRouteComponent(() => import('../members/views/files-page.tsx'), 'FilesOfTeam'),
});
const saved = createRoute({
  getParentRoute: () => signedIn,
  path: '/saved',
  validateSearch: readTexts('open'),
  component: lazyRouteComponent(() => import('../members/views/saved-page.tsx'), 'Saved'),
});
const pins = createRoute({
  getParentRoute: () => signedIn,
  path: '/teams/$team/pins',
  validateSearch: readTexts('open'),
  component: lazyRouteComponent(() => import('../members/views/pins-page.tsx'), 'Pins'),
});
const sent = createRoute({
  getParentRoute: () => signedIn,
  path: '/sent',
  validateSearch: readTexts('open'),
  component: lazyRouteComponent(() => import('../members/views/inbox.tsx'), 'Sent'),
});
const team = createRoute({
  getParentRoute: () => signedIn,
  path: '/teams/$team',
  // `open`: the conversation beside the list, `reply`: the reply in it; `at`: the message at which the list is opened;
  // `subject`: what alone is shown; `hello`: how a new member is met.
  validateSearch: readTexts('open', 'at', 'reply', 'subject', 'hello'),
  component: lazyRouteComponent(() => import('./members.ts'), 'TeamStream'),
});
const permalink = createRoute({
  getParentRoute: () => signedIn,
  path: '/messages/$message',
  // The sidebar that is shown first.
  validateSearch: readTexts('sidebar'),
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
  beforeLoad: narrowByWords,
  component: lazyRouteComponent(() => import('../search/search-page.tsx'), 'SearchPage'),
});

const drafts = createRoute({
  getParentRoute: () => signedIn,
  path: '/drafts',
  component: lazyRouteComponent(() => import('../members/views/drafts.tsx'), 'Drafts'),
});

const scheduled = createRoute({
  getParentRoute: () => signedIn,
  path: '/scheduled',
  component: lazyRouteComponent(() => import('../members/views/scheduled.tsx'), 'Scheduled'),
});

export const messageViews = [
  inbox,
  direct,
  conversation,
  filesOfConversation,
  filesOfTeam,
  saved,
  pins,
  sent,
  team,
  permalink,
  compose,
  drafts,
  scheduled,
  search,
] as const;
