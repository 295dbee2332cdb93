import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { NotFound } from '#api';
import { waitAtMost } from '#platform/pause.ts';
import { readFirst } from './first.ts';
import { pageHeaders, workerHeaders } from './page-headers.ts';

/** A look at a session takes a millisecond. A page that waits longer for it is sent without the files of members. */
const MEMBER_MS = 250;

/** The page shown when the web application has not been built, as under a developer's own Node.js. */
const NOT_BUILT = `<!doctype html><html lang="en"><title>Parley</title><h1>The web application is not built</h1>
<p>Start the server with <code>npm start</code>, which builds it, or run <code>npm run build</code>.</p></html>`;

/** The answer to a program, such as curl, at the root. */
const FOR_PROGRAMS =
  'Parley. Open this address in a browser; programs find the interface at /docs and /openapi.json.\n';

/** Addresses that are not the web application's, though a browser may ask for them. */
const ELSEWHERE = /^\/(v1|docs|assets|icons|\.well-known)(\/|$)|^\/(openapi\.json|healthz|readyz|metrics)$/;

export interface WebDeps {
  /** The folder that the build made. */
  readonly folder: string;
  /** The address under which the server is reached, once it listens. */
  readonly baseUrl: () => string;
  /** Whose session a request comes in, if any. */
  readonly authenticate: (request: FastifyRequest) => Promise<object | undefined>;
}

/**
 * The web application: files under `/assets/`, whose names change with their content, and one page for every other
 * address that a browser opens.
 */
export async function webRoutes(
  app: FastifyInstance,
  { folder, baseUrl, authenticate }: WebDeps,
): Promise<void> {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, access: 'anyone', enveloped: false };
    route.schema = { ...route.schema, hide: true } as object;
  });
  const assets = join(folder, 'assets');
  if (existsSync(assets)) {
    await app.register(fastifyStatic, {
      root: assets,
      prefix: '/assets/',
      preCompressed: true,
      index: false,
      immutable: true,
      maxAge: '365d',
      setHeaders: (reply) => void reply.header('X-Content-Type-Options', 'nosniff'),
    });
  }
  if (existsSync(join(folder, 'icons'))) {
    await app.register(fastifyStatic, {
      root: join(folder, 'icons'),
      prefix: '/icons/',
      decorateReply: false,
      index: false,
      maxAge: '1d',
    });
  }
  ownFile(app, join(folder, 'worker.js'), '/worker.js', 'text/javascript; charset=utf-8');
  ownFile(app, join(folder, 'manifest.webmanifest'), '/manifest.webmanifest', 'application/manifest+json');
  const page = readPage(join(folder, 'index.html'));
  // The page is sent without a database, too, and soon: it says what is wrong.
  const isMember = async (request: FastifyRequest) =>
    Boolean(await waitAtMost(MEMBER_MS, authenticate(request)).catch(() => undefined));
  const linkOf = readFirst(join(folder, 'first.json'));
  app.get(
    '/*',
    { schema: { hide: true, summary: 'The page of the web application' } as object },
    async (request, reply) => {
      if (!wantsPage(request)) {
        if (request.url !== '/') throw new NotFound();
        return reply.type('text/plain; charset=utf-8').send(FOR_PROGRAMS);
      }
      reply
        .headers({ ...pageHeaders(new URL(baseUrl()).origin), ETag: page.etag })
        .type('text/html; charset=utf-8');
      const link = linkOf(request, await isMember(request));
      if (link !== undefined) reply.header('Link', link);
      // RFC 9110 §13.1.2: one of a list, also where a proxy that compressed it has made it weak.
      if (request.headers['if-none-match']?.includes(page.etag)) return reply.code(304).send();
      return reply.send(page.html);
    },
  );
}

/** A file at an address of its own, where the build made it. */
function ownFile(app: FastifyInstance, file: string, path: string, type: string): void {
  if (!existsSync(file)) return;
  const content = readFileSync(file, 'utf8');
  app.get(path, { schema: { hide: true, summary: 'A file of the web application' } as object }, (_, reply) =>
    reply.headers(workerHeaders).type(type).send(content),
  );
}

function readPage(file: string): { html: string; etag: string } {
  const html = existsSync(file) ? readFileSync(file, 'utf8') : NOT_BUILT;
  return { html, etag: `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"` };
}

/** A program that asks for an unknown address gets the error that every unknown address gets. */
function wantsPage({ url, headers }: FastifyRequest): boolean {
  const [path = ''] = url.split('?');
  return !ELSEWHERE.test(path) && (headers.accept ?? '').includes('text/html');
}
