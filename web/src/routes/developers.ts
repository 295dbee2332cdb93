import { createRoute } from '@tanstack/react-router';
import { readTexts, signedIn, view } from './frames.ts';

/*
 * For application developers.
 */

const developers = createRoute({ getParentRoute: () => signedIn, path: '/developers' });
const applications = createRoute({
  getParentRoute: () => developers,
  path: '/',
  component: view(['developers'], () => import('../developers/applications.tsx'), 'Applications'),
});
const newApplication = createRoute({
  getParentRoute: () => developers,
  path: '/new',
  validateSearch: (search: Record<string, unknown>): { example?: boolean } =>
    search.example === true ? { example: true } : {},
  component: view(['developers'], () => import('../developers/register.tsx'), 'Register'),
});
const tryIt = createRoute({
  getParentRoute: () => developers,
  path: '/try',
  validateSearch: readTexts('route', 'q', 'application'),
  component: view(['developers'], () => import('../developers/try/try.tsx'), 'TryIt'),
});
const builder = createRoute({
  getParentRoute: () => developers,
  path: '/blocks',
  component: view(['developers', 'blocks'], () => import('../developers/builder/builder.tsx'), 'Builder'),
});
const application = createRoute({
  getParentRoute: () => developers,
  path: '/$application',
  component: view(['developers'], () => import('../developers/application.tsx'), 'ApplicationFrame'),
});
const applicationOverview = createRoute({
  getParentRoute: () => application,
  path: '/',
  component: view(['developers'], () => import('../developers/overview.tsx'), 'Overview'),
});
const subscriptions = createRoute({
  getParentRoute: () => application,
  path: '/subscriptions',
  component: view(['developers'], () => import('../developers/subscriptions.tsx'), 'Subscriptions'),
});
const newSubscription = createRoute({
  getParentRoute: () => application,
  path: '/subscriptions/new',
  component: view(['developers'], () => import('../developers/subscribe.tsx'), 'Subscribe'),
});
const subscription = createRoute({
  getParentRoute: () => application,
  path: '/subscriptions/$subscription',
  component: view(['developers'], () => import('../developers/subscription.tsx'), 'SubscriptionView'),
});
const deliveries = createRoute({
  getParentRoute: () => application,
  path: '/deliveries',
  validateSearch: readTexts('status', 'kind', 'team'),
  component: view(['developers'], () => import('../developers/deliveries.tsx'), 'Deliveries'),
});
const delivery = createRoute({
  getParentRoute: () => application,
  path: '/deliveries/$delivery',
  component: view(['developers'], () => import('../developers/delivery.tsx'), 'DeliveryView'),
});
const failures = createRoute({
  getParentRoute: () => application,
  path: '/failures',
  component: view(['developers'], () => import('../developers/failures.tsx'), 'Failures'),
});
const applicationSecret = createRoute({
  getParentRoute: () => application,
  path: '/secret',
  component: view(['developers'], () => import('../developers/secret.tsx'), 'SecretView'),
});
const applicationSettings = createRoute({
  getParentRoute: () => application,
  path: '/settings',
  component: view(['developers'], () => import('../developers/settings.tsx'), 'ApplicationSettings'),
});
export const developerViews = developers.addChildren([
  applications,
  newApplication,
  tryIt,
  builder,
  application.addChildren([
    applicationOverview,
    subscriptions,
    newSubscription,
    subscription,
    deliveries,
    delivery,
    failures,
    applicationSecret,
    applicationSettings,
  ]),
]);
