import { errorClasses } from '../errors.ts';
import {
  type Document,
  mapOperations,
  type Operation,
  type Parameter,
  type Reference,
  type Response,
  type Schema,
} from './types.ts';

type Kind = 'responses' | 'parameters';

/** Shared parts of operations, by the names under which operations refer to them. */
class Shelf<T extends object> {
  readonly components: Record<string, T> = {};
  readonly #kind: Kind;
  readonly #nameOf: (part: T) => string | undefined;
  readonly #uses = new Map<string, number>();

  constructor(kind: Kind, nameOf: (part: T) => string | undefined, all: readonly T[]) {
    this.#kind = kind;
    this.#nameOf = nameOf;
    for (const part of all) {
      const text = JSON.stringify(part);
      this.#uses.set(text, (this.#uses.get(text) ?? 0) + 1);
    }
  }

  /** @returns a reference to what is used more than once; the part itself otherwise, or where its name is taken */
  share(part: T): T | Reference {
    const text = JSON.stringify(part);
    const name = this.#nameOf(part);
    if (name === undefined || (this.#uses.get(text) ?? 0) < 2) return part;
    this.components[name] ??= part;
    const isSame = JSON.stringify(this.components[name]) === text;
    return isSame ? { $ref: `#/components/${this.#kind}/${name}` } : part;
  }
}

/** Moves the responses and parameters that several operations have into `components`: most of the document is errors. */
export function shareComponents(document: Document): Document {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const responses = new Shelf<Response>(
    'responses',
    nameOfResponse,
    operations.flatMap((operation) => Object.values(operation.responses) as Response[]),
  );
  const parameters = new Shelf<Parameter>(
    'parameters',
    nameOfParameter,
    operations.flatMap((operation) => (operation.parameters ?? []) as Parameter[]),
  );
  const shared = mapOperations(document, (operation) => ({
    ...operation,
    ...(operation.parameters && {
      parameters: operation.parameters.map((one) => parameters.share(one as Parameter)),
    }),
    responses: shareResponses(operation, responses),
  }));
  const components = {
    ...document.components,
    responses: responses.components,
    parameters: parameters.components,
  };
  return { ...shared, components };
}

function shareResponses({ responses }: Operation, shelf: Shelf<Response>): Operation['responses'] {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [status, shelf.share(response as Response)]),
  );
}

const pascal = (name: string) =>
  name
    .split(/\W|_/)
    .map((word) => word[0]?.toUpperCase() + word.slice(1))
    .join('');

/** As `PathTeam` or `QueryLimit`. */
function nameOfParameter({ in: place, name }: Parameter): string {
  return pascal(`${place}_${name}`);
}

/** As `NotFound`, `UnreadableBodyOrInvalidFields`, `Message` or `MessagePage`. */
function nameOfResponse({ content }: Response): string | undefined {
  const schema = content?.['application/json']?.schema;
  const { errors, error, data, meta } = schema?.properties ?? {};
  if (errors) return nameOfErrors(errors.items?.properties?.code?.enum ?? []);
  if (error) return `OAuth${pascal(String(error.enum?.[0]))}`;
  if (!data) return undefined;
  const item = nameOfItem(data);
  return item && (meta?.properties?.next_cursor ? `${item}Page` : item);
}

function nameOfErrors(codes: readonly unknown[]): string {
  const classes = errorClasses.filter(({ code }) => codes.includes(code));
  return classes.map(({ name }) => name).join('Or');
}

function nameOfItem({ items, maxItems }: Schema): string | undefined {
  return maxItems === 0 ? 'Nothing' : items?.$ref?.split('/').at(-1);
}
