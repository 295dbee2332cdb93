import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';

/** Marks a value that its schema leaves open: see `ByHand`. */
export const BY_HAND = 'x-by-hand';

/** The parts of JSON Schema that matter here. */
interface Part {
  readonly [BY_HAND]?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly properties?: Record<string, Part>;
  readonly patternProperties?: unknown;
  readonly additionalProperties?: unknown;
  readonly items?: Part;
  readonly enum?: unknown;
  readonly const?: unknown;
}

const SCALARS = new Set(['string', 'number', 'integer', 'boolean', 'null']);
const PARTS = ['body', 'querystring', 'params'] as const;

/**
 * Keeps undeclared input away from handlers. Ajv removes undeclared fields (`removeAdditional` in validation.ts),
 * which works for closed schemas only, so an open schema keeps the server from starting. A part of the request
 * without a schema is emptied here.
 */
export function acceptDeclared(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const schema = (route.schema ?? {}) as Partial<Record<(typeof PARTS)[number], Part>>;
    for (const part of PARTS) {
      const open = schema[part] && findOpen(schema[part], part);
      if (open) throw new Error(`${route.method} ${route.url} does not declare what ${open} holds.`);
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

/** @returns the path of the first part that accepts undeclared fields */
function findOpen(part: Part, path: string): string | undefined {
  if (part[BY_HAND] || part.enum !== undefined || part.const !== undefined) return undefined;
  const types = [part.type ?? []].flat();
  if (types.length > 0 && types.every((type) => SCALARS.has(type))) return undefined;
  if (types.includes('array')) return part.items ? findOpen(part.items, `${path}[]`) : path;
  const isClosed = part.properties && !part.patternProperties && !part.additionalProperties;
  if (!types.includes('object') || !isClosed) return path;
  for (const [name, inner] of Object.entries(part.properties ?? {})) {
    const open = findOpen(inner, `${path}.${name}`);
    if (open) return open;
  }
  return undefined;
}
