import { readFileSync } from 'node:fs';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

interface Reference {
  readonly $ref: string;
}

export interface Media {
  // biome-ignore lint/suspicious/noExplicitAny: schemas have every shape
  readonly schema: any;
  // biome-ignore lint/suspicious/noExplicitAny: so have examples
  readonly example?: any;
}

interface DocumentedAnswer {
  readonly content?: Readonly<Record<string, Media>>;
}

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: schemas have every shape
  readonly schema?: any;
}

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: DocumentedAnswer;
  readonly responses: Readonly<Record<string, DocumentedAnswer | Reference>>;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** An operation without references to parameters and answers. */
export interface DocumentedOperation extends Omit<Operation, 'parameters' | 'responses'> {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, DocumentedAnswer>>;
}

export const document = JSON.parse(
  readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
) as Document;
const ajv = new Ajv2020.default({ strict: false, allErrors: true, logger: false });
addFormats.default(ajv);
ajv.addSchema(document, 'openapi');

/** Every operation of a document, the committed one unless another is given. */
export function documentedOperations(of: Document = document): DocumentedOperation[] {
  const resolved = <T extends object>(part: T | Reference): T =>
    '$ref' in part ? resolve<T>(of, part.$ref) : part;
  return Object.entries(of.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      parameters: (operation.parameters ?? []).map(resolved),
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, answer]) => [status, resolved(answer)]),
      ),
    })),
  );
}

/** @throws when nothing is there */
export function resolve<T>(of: object, reference: string): T {
  const names = reference.split('/').slice(1);
  const found = names.reduce<unknown>((part, name) => (part as Record<string, unknown>)?.[name], of);
  if (found === undefined) throw new Error(`${reference} leads nowhere`);
  return found as T;
}

/** The documented paths as patterns, those without parameters first, as a router takes them. */
const patterns = Object.keys(document.paths)
  .sort((one, other) => one.split('{').length - other.split('{').length)
  .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`) }));

const validators = new Map<string, ValidateFunction>();

/** Throws when an answer is not one that openapi.json describes for this route. */
export function expectDocumented(method: string, path: string, response: Response, body: unknown): void {
  const bare =
    path
      .split('?')[0]
      ?.replaceAll(/\/{2,}/g, '/')
      .replace(/(.)\/$/, '$1') ?? path;
  const found = patterns.find(({ pattern }) => pattern.test(bare));
  const operation = found && document.paths[found.path]?.[method.toLowerCase()];
  if (!found || !operation || response.status === 405) return;
  const described = operation.responses[String(response.status)];
  const where = `${method} ${found.path} ${response.status}`;
  if (!described) throw new Error(`${where} is not in openapi.json: ${JSON.stringify(body)}`);
  if (body === undefined) return;
  const answer = '$ref' in described ? described.$ref : pointerOf(found.path, method, response.status);
  const validate = validatorOf(`${answer}/content/application~1json/schema`);
  if (!validate(body))
    throw new Error(`${where} differs from openapi.json: ${ajv.errorsText(validate.errors)}`);
}

function pointerOf(path: string, method: string, status: number | string): string {
  const escaped = encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'));
  return `#/paths/${escaped}/${method.toLowerCase()}/responses/${status}`;
}

/** @param pointer to a schema within the document */
function validatorOf(pointer: string): ValidateFunction {
  let validate = validators.get(pointer);
  if (!validate) {
    validate = ajv.compile({ $ref: `openapi${pointer}` });
    validators.set(pointer, validate);
  }
  return validate;
}

/** Describes where a value breaks a schema of the document; undefined when it fits. */
export function problemOf(schema: object, value: unknown): string | undefined {
  const local = JSON.parse(
    JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components'),
  ) as object;
  const validate = ajv.compile(local);
  return validate(value) ? undefined : ajv.errorsText(validate.errors);
}

/** @returns a document whose objects have no fields but those that are named */
export function closed<T extends object>(of: T): T {
  const close = (_: string, part: unknown) => {
    const { type, properties } = (part ?? {}) as { type?: unknown; properties?: unknown };
    return type === 'object' && properties ? { additionalProperties: false, ...(part as object) } : part;
  };
  return JSON.parse(JSON.stringify(of), close) as T;
}

/** Describes where a value breaks a schema of another document; undefined when it fits. */
export function problemIn(name: string, of: object, pointer: string, value: unknown): string | undefined {
  if (!ajv.getSchema(name)) ajv.addSchema(of, name);
  const place = `${name}${pointer}`;
  const validate = validators.get(place) ?? ajv.compile({ $ref: place });
  validators.set(place, validate);
  return validate(value) ? undefined : ajv.errorsText(validate.errors);
}

/** A list somewhere in a body. */
export interface ListOfBody {
  /** Its path; a list around it has one item. */
  readonly at: readonly string[];
  readonly maxItems: number | undefined;
  /** @returns a body that holds nothing but this list */
  build(list: readonly unknown[]): unknown;
}

/** Every list that a schema of the document allows, those within lists too. */
// biome-ignore lint/suspicious/noExplicitAny: schemas have every shape
export function listsOf(schema: any, at: readonly string[] = []): ListOfBody[] {
  if (schema.$ref) return listsOf(resolve(document, schema.$ref), at);
  const forms = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].flatMap((form) => listsOf(form, at));
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, part]) =>
    listsOf(part, [...at, name]),
  );
  if (![schema.type].flat().includes('array')) return [...forms, ...inner];
  const build = (list: readonly unknown[]) =>
    at.reduceRight<unknown>((value, name) => (name === '0' ? [value] : { [name]: value }), list);
  return [{ at, maxItems: schema.maxItems, build }, ...listsOf(schema.items ?? {}, [...at, '0'])];
}

/** Where a part of blocks stands in them, which every route reads by the same code; undefined for anything else. */
export function inBlocks(at: readonly (string | number)[]): readonly (string | number)[] | undefined {
  const begins = at.indexOf('blocks');
  return begins === -1 || begins === at.length - 1 ? undefined : at.slice(begins);
}
