import {
  createRootRoute,
  createRoute,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { Unreachable } from '../api/client.ts';
import { beginFirst } from '../api/first.ts';
import { meQuery, queryClient } from '../api/queries.ts';
import { Broken, NothingHere } from '../design/not-found.tsx';
import { showOnIcon } from '../design/page-title.ts';
import { isServed } from '../design/reload.ts';
import { Starting } from '../design/starting.tsx';
import { loadTextsOf, type TextPart } from '../text/index.tsx';

export const root = createRootRoute({
  component: Outlet,
  notFoundComponent: NothingHere,
  errorComponent: Broken,
});

/** A view that is loaded when it is opened, together with the texts of its parts of the application. */
export const view = <Module extends Record<string, unknown>, Name extends keyof Module>(
  parts: readonly TextPart[],
  load: () => Promise<Module>,
  name: Name,
) =>
  lazyRouteComponent(
    () =>
      Promise.all([load(), ...parts.map(loadTextsOf)]).then(
        ([module]) => module,
        async (error: unknown) => {
          // The router would reload the page for code that it takes to be missing.
          throw (await isServed()) ? error : new Unreachable('code');
        },
      ),
    name,
  );

/** For views that need a session: signing in leads back to the view. */
export async function askToSignIn({ location }: { location: { href: string } }): Promise<void> {
  const me = await queryClient.ensureQueryData(meQuery);
  if (me) return;
  // A push may have set it in a session that has ended since.
  showOnIcon(0);
  throw redirect({ to: '/sign-in', search: { next: location.href } });
}

/** All of these need a session. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async (context) => {
    await askToSignIn(context);
    beginFirst(window.location);
  },
  errorComponent: Broken,
  pendingComponent: Starting,
  pendingMs: 0,
  pendingMinMs: 0,
  component: lazyRouteComponent(() => import('./members.ts'), 'SignedIn'),
});

/** The same frame around an unknown address, for those with a session; others get the page alone. */
export const nowhere = createRoute({
  getParentRoute: () => root,
  id: 'nowhere',
  beforeLoad: async () => {
    if (!(await queryClient.ensureQueryData(meQuery))) throw notFound();
  },
  errorComponent: Broken,
  component: lazyRouteComponent(() => import('./members.ts'), 'SignedIn'),
});

/** Keeps the named parameters of a URL that are texts. */
export const readTexts =
  <Name extends string>(...names: Name[]) =>
  (search: Record<string, unknown>): { [Key in Name]?: string } => {
    const texts = names.map((name) => [name, textOf(search[name])] as const);
    return Object.fromEntries(texts.filter(([, text]) => text !== '')) as { [Key in Name]?: string };
  };

/** The router reads a number from `?q=12`. */
const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
