import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';

/** `/openapi.json`, and the same to browse at `/docs`. Nothing in it is fetched from elsewhere. */
export async function docsRoutes(app: FastifyInstance): Promise<void> {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, access: 'anyone', enveloped: false };
  });
  app.get('/openapi.json', { schema: { hide: true } as object }, async () => app.swagger());
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    indexPrefix: '',
    theme: { title: 'Parley: the interface' },
    uiConfig: { layout: 'BaseLayout', persistAuthorization: false, validatorUrl: null },
  });
}
