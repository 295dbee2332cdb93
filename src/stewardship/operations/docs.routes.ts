import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
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

/** The content security policy of the guides: text and one style sheet. */
const GUIDES_POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.py': 'text/x-python; charset=utf-8',
  '.tgz': 'application/gzip',
};

export interface DocsDeps {
  /** Their description as AsyncAPI. */
  readonly events: object;
  /** The folder of guides and clients. */
  readonly guides: string;
}

/**
 * `/openapi.json`, and the same to browse at `/docs`; beside it the events, the guides, and the clients to install.
 * Nothing in it is fetched from elsewhere.
 */
export async function docsRoutes(app: FastifyInstance, { events, guides }: DocsDeps): Promise<void> {
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
  if (existsSync(guides))
    for (const name of readdirSync(guides)) if (extname(name) in TYPES) handOut(app, guides, name);
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: DOCS_POLICY,
    indexPrefix: '',
    theme: { title: 'Parley: the interface' },
    uiConfig: { layout: 'BaseLayout', persistAuthorization: false, validatorUrl: null, filter: true },
  });
}

/** Pages and their style are at `/docs/guides`, clients beside it. */
function handOut(app: FastifyInstance, folder: string, name: string): void {
  const content = readFileSync(join(folder, name));
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
  const headers = {
    'Content-Type': TYPES[extname(name)],
    'Content-Security-Policy': GUIDES_POLICY,
    'Cache-Control': 'no-cache',
    ETag: etag,
  };
  const schema = { hide: true, summary: 'A guide, or a client to install' } as object;
  app.get(addressOf(name), { schema }, (request, reply) => {
    reply.headers(headers);
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
    return reply.send(content);
  });
}

function addressOf(name: string): string {
  if (name === 'index.html') return '/docs/guides';
  if (name.endsWith('.html')) return `/docs/guides/${name.slice(0, -'.html'.length)}`;
  return name.endsWith('.css') ? `/docs/guides/${name}` : `/docs/${name}`;
}
