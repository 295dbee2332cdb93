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

/** `/openapi.json`, and the same to browse at `/docs`. Nothing in it is fetched from elsewhere. */
export async function docsRoutes(app: FastifyInstance): Promise<void> {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, access: 'anyone', enveloped: false };
  });
  app.get(
    '/openapi.json',
    { schema: { hide: true, summary: 'The interface as OpenAPI' } as object },
    async () => app.swagger(),
  );
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: DOCS_POLICY,
    indexPrefix: '',
    theme: { title: 'Parley: the interface' },
    uiConfig: { layout: 'BaseLayout', persistAuthorization: false, validatorUrl: null },
  });
}
