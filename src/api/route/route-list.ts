import type { FastifyInstance, RouteOptions } from 'fastify';
import type { Access } from '../guard/principal.ts';

/** A route as the list of all routes has it. */
export interface ListedRoute {
  readonly method: string;
  readonly path: string;
  readonly access: Access;
  readonly summary: string;
}

/** Collects the routes that are added from now on, without those that only refuse a method. */
export function collectRoutes(app: FastifyInstance): () => ListedRoute[] {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    if (typeof route.method === 'string' && route.method !== 'HEAD') routes.push(route);
  });
  // Read when they are asked for: hooks of plugins complete a route after this one.
  return () => routes.map(listed);
}

function listed({ method, url, config, schema }: RouteOptions): ListedRoute {
  const { summary = '' } = (schema ?? {}) as { summary?: string };
  return { method: method as string, path: url, access: config?.access ?? 'anyone', summary };
}
