import { docstring, PythonTypes, pascal, pythonName, type Schema } from './python-types.ts';

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content & { readonly $ref?: string }>>;
}

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Content>>;
  };
}

/** The template has these by hand: forms of OAuth, a file, and the reading of events. */
const BY_HAND = new Set([
  'postOauth2Token',
  'postOauth2Revoke',
  'postOauth2Introspect',
  'postAttachments',
  'getApplicationSubscriptionEvents',
  'getApplicationSubscriptionStream',
]);
const OWN_PATH = '/v1/applications/{application}';
const LONGEST_LINE = 116;
/** Of the lines of a method. */
const INDENT = '        ';
const HEADER = '# Made from the schemas of the routes by `npm run documents`: do not edit by hand.\n';

/** The client of Python: the template, with the types and the methods of the routes for applications. */
export function pythonClient(template: string, document: object, events: object): string {
  const { paths, components } = document as Described;
  const heard = (events as Described).components.schemas;
  const types = new PythonTypes({ ...components.schemas, ...heard });
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const methodsOf = (way: 'token' | 'basic') =>
    operations
      .filter(({ operation }) => operation.security?.some((one) => way in one))
      .filter(({ operation }) => !BY_HAND.has(operation.operationId))
      .map(({ path, method, operation }) => methodOf({ path, method, operation, types, components }))
      .join('\n\n');
  const introspection = paths['/v1/oauth2/introspect']?.post?.responses['200'];
  const [token, application] = [methodsOf('token'), methodsOf('basic')];
  types.component('Attachment');
  types.of(introspection?.content?.['application/json']?.schema ?? {}, 'Introspection');
  const event = types.component('HeardEvent').split(' | ');
  const union = `Event = Union[\n${event.map((one) => `    ${one},\n`).join('')}]`;
  const parts: Record<string, string> = { types: `${types.print()}\n\n\n${union}`, token, application };
  return HEADER + template.replaceAll(/^ *# \{(\w+)\}$/gm, (_, name: string) => parts[name] ?? '');
}

interface Asked {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
  readonly types: PythonTypes;
  readonly components: Described['components'];
}

/** A method of a class, for one operation. */
function methodOf({ path, method, operation, types, components }: Asked): string {
  const { operationId, summary, requestBody, parameters = [] } = operation;
  const name = nameOf(operationId, path);
  const all = parameters.map(
    (one) => (one.$ref ? components.parameters[lastOf(one.$ref)] : one) as Parameter,
  );
  const query = all.filter((one) => one.in === 'query' && one.name !== 'cursor');
  const isKeyed = all.some((one) => one.name === 'Idempotency-Key');
  const body = requestBody?.content?.['application/json']?.schema;
  const inPath = all.filter((one) => one.in === 'path' && one.name !== 'application');
  const given = [
    'self',
    // In the order of the address, which the document does not keep.
    ...inPath
      .toSorted((one, other) => path.indexOf(`{${one.name}}`) - path.indexOf(`{${other.name}}`))
      .map((one) => `${one.name}: str`),
    ...(body ? [`body: ${types.of(body, `${pascal(name)}Body`)}`] : []),
  ];
  const named = [
    ...query.map((one) => `${pythonName(one.name)}: ${types.of(one.schema, '')} | None = None`),
    ...(isKeyed ? ['key: str | None = None'] : []),
  ];
  const answer = answerOf({ path, method, operation, types, components }, name);
  const address = addressOf(path);
  const fields = query.map((one) => `"${one.name}": ${pythonName(one.name)}`).join(', ');
  const asked = [
    ...(answer.how === 'items' ? [address, 'asked'] : [`"${method.toUpperCase()}"`, address]),
    ...(answer.how !== 'items' && query.length > 0 ? ['query=asked'] : []),
    ...(body ? ['body=body'] : []),
    ...(isKeyed ? ['key=_key(key)'] : []),
  ];
  const call = answer.how === 'file' ? `self._file(${address})` : `self._${answer.how}(${asked.join(', ')})`;
  const last = answer.type === 'None' ? call : `return cast("${answer.type}", ${call})`;
  return [
    ...signature(name, [...given, ...(named.length > 0 ? ['*', ...named] : [])], answer.type),
    ...docstring(summary, INDENT),
    ...(fields === '' ? [] : statement(`asked = {${fields}}`)),
    ...statement(last),
  ].join('\n');
}

/** A line of a method, or several where it is too long: an argument on each. */
function statement(line: string, indent = INDENT): string[] {
  const open = line.search(/[({]/);
  if (indent.length + line.length <= LONGEST_LINE || open === -1) return [indent + line];
  const parts = argumentsOf(line.slice(open + 1, -1)).flatMap((part) => {
    const lines = statement(part, `${indent}    `);
    return [...lines.slice(0, -1), `${lines.at(-1)},`];
  });
  return [indent + line.slice(0, open + 1), ...parts, indent + line.slice(-1)];
}

/** The parts of a text between commas. A comma in brackets ends no part. */
function argumentsOf(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const letter of text) {
    if ('([{'.includes(letter)) depth += 1;
    if (')]}'.includes(letter)) depth -= 1;
    if (letter === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim());
}

const lastOf = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1);

/** The application's own path, and the words that only tell parameters apart, are left out. */
function nameOf(operationId: string, path: string): string {
  const short = path.startsWith(OWN_PATH) ? operationId.replace('Application', '') : operationId;
  return short.replace('ByName', '').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function addressOf(path: string): string {
  const text = path
    .replace(OWN_PATH, '{self._path}')
    .replaceAll(/\{([a-z]+)\}/g, (_, name: string) => `{_segment(${name})}`);
  return text.includes('{') ? `f"${text}"` : `"${text}"`;
}

function signature(name: string, parameters: readonly string[], type: string): string[] {
  const one = `    def ${name}(${parameters.join(', ')}) -> ${type}:`;
  if (one.length <= LONGEST_LINE) return [one];
  return [`    def ${name}(`, ...parameters.map((each) => `        ${each},`), `    ) -> ${type}:`];
}

interface AnswerOf {
  /** The function of the template that asks. */
  readonly how: 'all' | 'one' | 'first' | 'items' | 'file';
  readonly type: string;
}

function answerOf({ path, method, operation, types, components }: Asked, name: string): AnswerOf {
  const success = operation.responses['200'];
  const reference = success?.$ref && lastOf(success.$ref);
  if (reference === 'Nothing') return { how: 'all', type: 'None' };
  const content = (reference === undefined ? success : components.responses[reference])?.content;
  const envelope = content?.['application/json']?.schema;
  if (!envelope) return { how: 'file', type: 'bytes' };
  const item = types.of(envelope.properties?.data?.items ?? {}, `${pascal(name)}Item`);
  if (
    operation.parameters?.some(({ $ref = '', name: one }) => one === 'cursor' || $ref.endsWith('QueryCursor'))
  )
    return { how: 'items', type: `Iterator[${item}]` };
  const isOne = /(?:\}|\/me)$/.test(path);
  if (method === 'get' && !isOne) return { how: 'all', type: `list[${item}]` };
  // A token that may write and not read gets no message back.
  if (method !== 'get' && method !== 'post' && !path.startsWith(OWN_PATH))
    return { how: 'first', type: `${item} | None` };
  return { how: 'one', type: item };
}
