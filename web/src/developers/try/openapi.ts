import { queryOptions } from '@tanstack/react-query';
import type { Reference, Schema } from '../../../../src/api/openapi/types.ts';

export type { Schema };

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Answer {
  readonly description?: string;
}

interface Operation {
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
  readonly responses?: Readonly<Record<string, Answer | Reference>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly responses?: Readonly<Record<string, Answer>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
  };
}

export type Way = 'session' | 'token' | 'client';

/** One route, ready to be tried. */
export interface Route {
  /** As `POST /v1/messages`; it names the route in addresses. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly kind: 'json' | 'form' | 'file'; readonly schema: Schema } | undefined;
  /** The accepted kinds of credentials; empty when none are needed. */
  readonly ways: readonly Way[];
  /** When each of its errors comes, by its code. */
  readonly errors: Readonly<Record<string, string>>;
}

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** The description of the whole interface, from the server itself. */
export const routesQuery = queryOptions({
  queryKey: ['openapi'],
  queryFn: async ({ signal }): Promise<Route[]> => {
    const response = await fetch('/openapi.json', { signal });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return routesOf((await response.json()) as Document);
  },
  staleTime: Number.POSITIVE_INFINITY,
});

export function routesOf(document: Document): Route[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => METHODS.has(method))
      .map(([method, operation]) => routeOf(document, method.toUpperCase(), path, operation)),
  );
}

function routeOf(document: Document, method: string, path: string, operation: Operation): Route {
  const { parameters: shared = {}, responses = {} } = document.components ?? {};
  // The key has a field of its own.
  const parameters = (operation.parameters ?? [])
    .map((one) => referred(shared, one))
    .filter(({ name }) => name !== 'Idempotency-Key');
  return {
    id: `${method} ${path}`,
    method,
    path,
    tag: operation.tags?.[0] ?? '',
    summary: operation.summary ?? '',
    description: operation.description ?? '',
    parameters: parameters.sort((one, other) => rank(one) - rank(other)),
    body: bodyOf(document, operation, method),
    ways: waysOf(operation),
    errors: errorsOf(Object.values(operation.responses ?? {}).map((one) => referred(responses, one))),
  };
}

/** Parts that several operations share are among the components. */
function referred<T extends object>(shared: Readonly<Record<string, T>>, part: T | Reference): T {
  if (!('$ref' in part)) return part;
  const found = shared[part.$ref.split('/').at(-1) ?? ''];
  if (!found) throw new Error(`${part.$ref} leads nowhere`);
  return found;
}

const rank = ({ in: place, required }: Parameter) => (place === 'path' ? 0 : required ? 1 : 2);

function bodyOf(document: Document, operation: Operation, method: string): Route['body'] {
  const content = operation.requestBody?.content ?? {};
  const json = content['application/json'];
  if (json) return { kind: 'json', schema: resolve(document, json.schema) };
  const form = content['application/x-www-form-urlencoded'];
  if (form) return { kind: 'form', schema: resolve(document, form.schema) };
  // The document has no body for uploads, so their description is used.
  const words = `${operation.summary ?? ''} ${operation.description ?? ''}`;
  const uploads = 'multipart/form-data' in content || (method !== 'GET' && /multipart/i.test(words));
  return uploads ? { kind: 'file', schema: {} } : undefined;
}

function waysOf({ security = [] }: Operation): Way[] {
  const names = new Set(security.flatMap((one) => Object.keys(one)));
  const known = { session: 'session', token: 'token', basic: 'client' } as const;
  return (['session', 'token', 'basic'] as const)
    .filter((name) => names.has(name))
    .map((name) => known[name]);
}

/** The descriptions of error answers are paragraphs as `4002: A field is missing or wrong`. */
function errorsOf(answers: readonly Answer[]): Record<string, string> {
  const paragraphs = answers.flatMap(({ description = '' }) => description.split('\n\n'));
  const coded = paragraphs.map((paragraph) => /^(\d{4}): ([\s\S]+)$/.exec(paragraph));
  return Object.fromEntries(coded.filter((one) => one !== null).map(([, code, text]) => [code, text]));
}

const DEPTH = 6;

/** Puts the schemas in the place of references to them, as deep as a form shows. */
function resolve(document: Document, schema: Schema, depth = 0): Schema {
  if (depth > DEPTH) return {};
  const name = schema.$ref?.replace('#/components/schemas/', '');
  if (name !== undefined) return resolve(document, document.components?.schemas?.[name] ?? {}, depth + 1);
  const { properties, items, anyOf, oneOf } = schema;
  const all = (schemas: readonly Schema[]) => schemas.map((one) => resolve(document, one, depth + 1));
  return {
    ...schema,
    ...(items && { items: resolve(document, items, depth + 1) }),
    ...(anyOf && { anyOf: all(anyOf) }),
    ...(oneOf && { oneOf: all(oneOf) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, value]) => [key, resolve(document, value, depth + 1)]),
      ),
    }),
  };
}
