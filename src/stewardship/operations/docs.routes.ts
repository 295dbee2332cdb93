import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';

/** Content Security Policy of the page at `/docs`. Its own program sets styles in elements. */
const DOCS_POLICY = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'font-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'form-action': ["'self'"],
  'base-uri': ["'none'"],
  'frame-ancestors': ["'none'"],
};

/**
 * `/openapi.json`, and the same to browse at `/docs`; beside it the events. Nothing in it is fetched from elsewhere.
 * @param deps.events their description as AsyncAPI
 */
export async function docsRoutes(app: FastifyInstance, { events }: { events: object }): Promise<void> {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, access: 'anyone', enveloped: false };
  });
  app.get(
    '/openapi.json',
    { schema: { hide: true, summary: 'The interface as OpenAPI' } as object },
    async () => app.swagger(),
  );
  app.get(
    '/asyncapi.json',
    { schema: { hide: true, summary: 'The events for applications as AsyncAPI' } as object },
    async () => events,
  );
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: DOCS_POLICY,
    indexPrefix: '',
    theme: { title: 'Parley: the interface' },
    uiConfig: { layout: 'BaseLayout', persistAuthorization: false, validatorUrl: null, filter: true },
  });
}
