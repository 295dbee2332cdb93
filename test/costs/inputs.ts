import { type DocumentedOperation, document, inBlocks, resolve } from '../support/openapi.ts';

/*
 * The worst that a route accepts, by its schema: one text, list or open value at a time is as long as it may be, or a share of
 * that, and all else is ordinary.
 */

/** A request that grows with its share. */
export interface Input {
  readonly what: string;
  ask(share: number): Asked;
}

export interface Asked {
  readonly path: string;
  readonly type?: string;
  readonly body?: string | FormData;
  readonly headers?: Readonly<Record<string, string>>;
}

type Names = Readonly<Record<string, string>>;
type Place = readonly (string | number)[];
// biome-ignore lint/suspicious/noExplicitAny: schemas have every shape
type Schema = any;

/** What begins, ends or continues something for whoever reads texts; and letters that take several bytes or are one together. */
const SIGNS = [
  ...['\n', ' ', 'a ', '* ', '- a\n', '**', '`', '```\n', ' (', ')', '[', '](', '<', '<@a|', '|', '> '],
  ...[
    '@',
    '@a ',
    '{0}',
    '&',
    '"',
    '\\',
    '/',
    '.',
    '-',
    '1',
    'http://a ',
    'a@',
    'a\u0301',
    '\u0301',
    '\ufdfa',
  ],
  ...['😀', '👩\u200d', '\u202e', 'ﬁ', 'İ', '\ud800'],
];
/** What is not read as a message. */
const PLAIN_SIGNS = ['a', '\n', '/', '"a ', '\u0301', '😀', '\u202e'];

/** What is shorter grows into nothing. */
const SHORT_TEXT = 64;
const SHORT_LIST = 16;
/** Bytes of the largest body, and of the longest address, with some room. */
export const BODY_BYTES = 250_000;
const ADDRESS_BYTES = 15_000;
/** Characters of a message. */
const TEXT_LENGTH = 16_000;

const seen = (schema: Schema): Schema =>
  schema?.$ref ? seen(resolve(document, schema.$ref)) : (schema ?? {});
const typesOf = (schema: Schema): string[] => [schema.type ?? []].flat();
const formsOf = (schema: Schema): Schema[] => (schema.oneOf ?? schema.anyOf ?? []).map(seen);

/** An ordinary value; items of a list are different ones. */
export function exampleOf(given: Schema, name: string, known: Names, index = 0): unknown {
  const schema = seen(given);
  const [form] = formsOf(schema);
  if (form) return exampleOf(form, name, known, index);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[index % schema.enum.length];
  const types = typesOf(schema);
  if (types.includes('null')) return null;
  if (types.includes('object'))
    return Object.fromEntries(
      (schema.required ?? []).map((field: string) => [
        field,
        exampleOf(schema.properties[field], field, known, index),
      ]),
    );
  if (types.includes('array')) return [exampleOf(schema.items, name, known, index)];
  if (types.includes('integer') || types.includes('number')) return schema.minimum ?? 1;
  if (types.includes('boolean')) return true;
  return exampleText(schema, name, known, index);
}

function exampleText(schema: Schema, name: string, known: Names, index: number): string {
  const text = known[name];
  if (name === 'email' || name === 'emails' || schema.format === 'email') return `some${index}@example.org`;
  if (text !== undefined)
    return index > 0 && /^.{8}-.{4}-.{4}-/.test(text)
      ? text.slice(0, 24) + String(index).padStart(12, '0')
      : text;
  if (schema.format === 'color') return '#336699';
  if (schema.format === 'uuid') return `0190cafe-0000-7000-8000-${String(index).padStart(12, '0')}`;
  return isAddress(name)
    ? `${known.base}/${name}${index}`
    : `${name}${index}`.padEnd(schema.minLength ?? 0, 'x');
}

const isAddress = (name: string) => /(?:^|_)(?:url|uris?|icon|endpoint|prefixes)$/.test(name);

/** Puts a value into a copy of another one, at a place in it. */
function placed(at: Place, value: unknown, around: unknown): unknown {
  const [name, ...rest] = at;
  if (name === undefined) return value;
  if (typeof name === 'number') return [placed(rest, value, Array.isArray(around) ? around[0] : undefined)];
  const fields = isObject(around) ? around : {};
  return { ...fields, [name]: placed(rest, value, fields[name]) };
}

/** Two objects as one; what the second one has counts. */
function joined(one: unknown, other: unknown): unknown {
  if (!isObject(one) || !isObject(other)) return other;
  const inner = Object.entries(other).map(([name, value]) => [name, joined(one[name], value)]);
  return { ...one, ...Object.fromEntries(inner) };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Leaf {
  readonly what: string;
  readonly at: Place;
  /** What else stands beside it, where that depends on the form. */
  readonly around: unknown;
  value(share: number): unknown;
}

/** Every part of a schema that can be long. */
function* leavesOf(given: Schema, at: Place, known: Names): Generator<Leaf> {
  const schema = seen(given);
  const around = placed(at, exampleOf(schema, nameOf(at), known), undefined);
  const leaf = (what: string, value: (share: number) => unknown): Leaf => ({
    what: `${at.join('.')}: ${what}`,
    at,
    around,
    value,
  });
  for (const form of formsOf(schema)) yield* leavesOf(form, at, known);
  if (formsOf(schema).length > 0 || schema.enum || schema.const !== undefined) return;
  const types = typesOf(schema);
  for (const [name, part] of Object.entries(schema.properties ?? {}))
    for (const inner of leavesOf(part, [...at, name], known))
      yield { ...inner, around: joined(around, inner.around) };
  if (types.includes('array')) {
    yield* listLeaves(schema, nameOf(at), known, leaf);
    for (const inner of leavesOf(schema.items, [...at, 0], known)) yield inner;
  }
  if (types.includes('string') && !schema.format && !schema.pattern?.includes('0-9'))
    yield* textLeaves(schema, at, known, leaf);
  if (types.length === 0 || schema.additionalProperties === true) yield* openLeaves(leaf);
}

const nameOf = (at: Place) => String(at.findLast((part) => typeof part === 'string') ?? '');

type MakeLeaf = (what: string, value: (share: number) => unknown) => Leaf;

function* textLeaves(schema: Schema, at: Place, known: Names, leaf: MakeLeaf): Generator<Leaf> {
  const name = nameOf(at);
  const isRead = at.at(-1) === 'text';
  const lengths: number[] = schema.maxLength === undefined ? [TEXT_LENGTH, BODY_BYTES] : [schema.maxLength];
  for (const length of lengths) {
    if (length < SHORT_TEXT) continue;
    for (const sign of isRead ? SIGNS : PLAIN_SIGNS)
      yield leaf(`${length} characters of ${JSON.stringify(sign)}`, (share) =>
        longText(sign, Math.floor(length * share), startOf(name, known)),
      );
  }
}

const startOf = (name: string, known: Names) => {
  if (/^emails?$/.test(name)) return 'a';
  return isAddress(name) ? `${known.base}/` : 'https://tracker.example/1 a';
};

/** Between two letters, so that no end of it is cut off; of bytes, where a sign takes several. */
function longText(sign: string, length: number, start: string): string {
  const room = Math.min(length - start.length - 1, Math.floor(BODY_BYTES / JSON.stringify(sign).length));
  return `${start}${sign.repeat(Math.max(0, Math.floor(room / sign.length)))}b`;
}

function* listLeaves(schema: Schema, name: string, known: Names, leaf: MakeLeaf): Generator<Leaf> {
  const { maxItems = 0, items } = schema;
  const list = (length: number, item: (index: number) => unknown) =>
    Array.from({ length: Math.floor(length) }, (_, index) => item(index));
  if (maxItems >= SHORT_LIST)
    yield leaf(`${maxItems} items`, (share) =>
      list(maxItems * share, (index) => exampleOf(items, name, known, index)),
    );
  for (const [kind, item] of Object.entries(WRONG_ITEMS))
    yield leaf(`as many ${kind} as fit`, (share) =>
      list((BODY_BYTES / (JSON.stringify(item(99_999)).length + 1)) * share, item),
    );
}

/** Items of the largest bodies, whatever a list takes. */
const WRONG_ITEMS: Readonly<Record<string, (index: number) => unknown>> = {
  numbers: (index) => index,
  texts: (index) => String(index),
  objects: (index) => ({ a: index }),
  lists: (index) => [[index]],
};

/** Values whose shape is left open. */
function* openLeaves(leaf: MakeLeaf): Generator<Leaf> {
  const repeat = (item: (index: number) => unknown, share: number) => {
    const length = Math.floor((BODY_BYTES / (JSON.stringify(item(99_999)).length + 1)) * share);
    return Array.from({ length }, (_, index) => item(index));
  };
  const chain = (depth: number): unknown => (depth === 0 ? 1 : { a: [chain(depth - 2)] });
  yield leaf('many fields', (share) =>
    Object.fromEntries(repeat((index) => [`field${index}`, index], share) as [string, number][]),
  );
  yield leaf('many deep values', (share) => ({ many: repeat(() => chain(40), share) }));
  yield leaf('many objects', (share) => ({
    many: repeat((index) => ({ url: `http://a/${index}` }), Math.min(share, 1)),
  }));
  for (const sign of PLAIN_SIGNS)
    yield leaf(`a text of ${JSON.stringify(sign)}`, (share) => ({
      text: longText(sign, Math.floor(BODY_BYTES * share), 'a'),
    }));
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** What an ordinary request of a route has. */
export interface Ordinary {
  readonly known: Names;
  readonly query: Names;
  /** Given the field that will be replaced: some exclude others. */
  readonly body?: (field?: string | number) => object;
  /** Bodies that its schema does not describe. */
  readonly more?: Readonly<Record<string, (share: number) => object>>;
  /** Whether its longest page is compared with a quarter of it. */
  readonly hasPages: boolean;
}

type Operation = Pick<DocumentedOperation, 'path' | 'parameters' | 'requestBody'>;

/** The ordinary request of a route. */
export function ordinary(operation: Operation, { known, query, body }: Ordinary): Asked {
  const path = addressOf(operation, known, { ...neededQuery(operation, known), ...query });
  const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  if (type !== JSON_TYPE && type !== FORM_TYPE) return { path };
  return { path, type, body: encoded(type, body?.() ?? exampleOf(media?.schema, '', known)) };
}

const neededQuery = ({ parameters }: Operation, known: Names): Names =>
  Object.fromEntries(
    parameters
      .filter(({ in: where, required }) => where === 'query' && required)
      .map(({ name, schema }) => [name, String(exampleOf(schema, name, known))]),
  );

function addressOf({ path }: Pick<Operation, 'path'>, known: Names, query: Names | string): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(known[name] ?? 'nothing'),
  );
  const text = typeof query === 'string' ? query : String(new URLSearchParams(query));
  return text === '' ? filled : `${filled}?${text}`;
}

const encoded = (type: string, value: unknown) =>
  type === FORM_TYPE ? String(new URLSearchParams(value as Record<string, string>)) : JSON.stringify(value);

/**
 * Thousands of values are in blocks, which all routes read by the same code: this one is sent one of each name. What the
 * longest texts in them take is measured without a server (`blocks.test.ts`).
 */
const CHECKING = '/v1/blocks/check';

/** Every input of a route that can be long. */
export function* inputsOf(operation: Operation, given: Ordinary): Generator<Input> {
  const { path, type } = ordinary(operation, given);
  const schema = operation.requestBody?.content?.[type ?? '']?.schema;
  if (type !== undefined && schema) {
    const tried = new Set<string>();
    for (const { what, at, around, value } of leavesOf(schema, [], given.known)) {
      if (inBlocks(at)) {
        const kind = nameOf(at) + what.slice(at.join('.').length).replace(/\d+/, '');
        if (operation.path !== CHECKING || tried.has(kind)) continue;
        tried.add(kind);
      }
      const beside = joined(around, given.body?.(at[0]) ?? {});
      yield {
        what: `body ${what}`,
        ask: (share) => ({ path, type, body: encoded(type, placed(at, value(share), beside)) }),
      };
    }
    yield {
      what: 'body of unknown fields',
      ask: (share) => ({ path, type, body: encoded(type, unknownFields(share)) }),
    };
  }
  for (const [what, make] of Object.entries(given.more ?? {}))
    yield {
      what: `body of ${what}`,
      ask: (share) => ({ path, type: JSON_TYPE, body: JSON.stringify(make(share)) }),
    };
  yield* addressInputs(operation, given);
}

const unknownFields = (share: number) =>
  Object.fromEntries(
    Array.from({ length: Math.floor((BODY_BYTES / 20) * share) }, (_, index) => [`unknown${index}`, {}]),
  );

function* addressInputs(operation: Operation, { known, query, hasPages }: Ordinary): Generator<Input> {
  const needed = { ...neededQuery(operation, known), ...query };
  for (const { in: where, name, schema: given } of operation.parameters) {
    const schema = seen(given);
    const input = (what: string, path: (share: number) => string): Input => ({
      what: `${where} ${name}: ${what}`,
      ask: (share) => ({ path: path(share) }),
    });
    const withQuery = (text: string) => {
      const rest = String(new URLSearchParams(Object.entries(needed).filter(([other]) => other !== name)));
      return addressOf(operation, known, rest === '' ? text : `${rest}&${text}`);
    };
    const isText = !schema.enum && (schema.type === undefined || schema.type === 'string');
    if (where === 'path' && isText)
      for (const sign of PLAIN_SIGNS)
        yield input(JSON.stringify(sign), (share) =>
          addressOf(operation, { ...known, [name]: longName(sign, ADDRESS_BYTES, share) }, needed),
        );
    if (where === 'query' && isText && (schema.maxLength ?? ADDRESS_BYTES) >= SHORT_TEXT)
      for (const sign of PLAIN_SIGNS)
        yield input(JSON.stringify(sign), (share) =>
          withQuery(
            `${name}=${encodeURIComponent(longName(sign, schema.maxLength ?? ADDRESS_BYTES, share))}`,
          ),
        );
    if (where === 'query' && schema.type === 'array')
      yield input(`${schema.maxItems} items`, (share) => {
        const length = Math.floor(schema.maxItems * share);
        const items = Array.from(
          { length },
          (_, index) => `${name}=${exampleOf(schema.items, name, known, index)}`,
        );
        return withQuery(items.join('&'));
      });
    if (where === 'query' && name === 'limit' && hasPages)
      yield input('the longest page', (share) => withQuery(`limit=${Math.floor(schema.maximum * share)}`));
  }
}

/** So much of a sign as an address holds. */
function longName(sign: string, maxLength: number, share: number): string {
  const times = Math.min(maxLength / sign.length, ADDRESS_BYTES / encodeURIComponent(sign).length);
  return sign.repeat(Math.floor(times * share));
}
