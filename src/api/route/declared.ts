import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { findUnbounded } from './bounds.ts';
import { BY_HAND, isScalar, type Part, typesOf } from './part.ts';

const PARTS = ['body', 'querystring', 'params'] as const;

/**
 * Keeps undeclared input away from handlers. Ajv removes undeclared fields (`removeAdditional` in validation.ts),
 * which works for closed schemas only, so an open schema keeps the server from starting. A part of the request
 * without a schema is emptied here. A list without a bound keeps the server from starting, too: see bounds.ts.
 */
export function acceptDeclared(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const schema = (route.schema ?? {}) as Partial<Record<(typeof PARTS)[number], Part>>;
    for (const part of PARTS) {
      const problem = schema[part] && problemOf(schema[part], part);
      if (problem) throw new Error(`${route.method} ${route.url} ${problem}.`);
    }
    route.preHandler = [emptyParts(schema), ...[route.preHandler ?? []].flat()] as NonNullable<
      RouteOptions['preHandler']
    >;
  });
}

function emptyParts(schema: Partial<Record<(typeof PARTS)[number], Part>>) {
  const { body, querystring, params } = schema;
  return (request: FastifyRequest, _reply: unknown, done: () => void): void => {
    if (!body) request.body = undefined;
    if (!querystring) request.query = {};
    if (!params) request.params = {};
    done();
  };
}

function problemOf(schema: Part, path: string): string | undefined {
  const open = findOpen(schema, path);
  return open === undefined ? findUnbounded(schema, path) : `does not declare what ${open} holds`;
}

/** @returns the path of the first part that accepts undeclared fields */
function findOpen(part: Part, path: string): string | undefined {
  if (part[BY_HAND] || part.enum !== undefined || part.const !== undefined) return undefined;
  if (isScalar(part)) return undefined;
  const types = typesOf(part);
  if (types.includes('array')) return part.items ? findOpen(part.items, `${path}[]`) : path;
  const isClosed = part.properties && !part.patternProperties && !part.additionalProperties;
  if (!types.includes('object') || !isClosed) return path;
  for (const [name, inner] of Object.entries(part.properties ?? {})) {
    const open = findOpen(inner, `${path}.${name}`);
    if (open) return open;
  }
  return undefined;
}
