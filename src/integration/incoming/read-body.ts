import { parse as parsePairs } from 'node:querystring';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Busboy } from '@fastify/busboy';
import { UnreadableBody } from '#api';
import { decode } from './content.ts';
import { notJson, readJson, tryJson } from './lenient-json.ts';
import { fieldsOf } from './payload.ts';
import { readXml } from './read-xml.ts';

/** The payload of a call, and what tells it from another one. */
export interface Received {
  readonly payload: unknown;
  readonly text: string;
}

/**
 * Reads the body of a call by what it is, more than by what its sender calls it: JSON is sent as a form, as text and
 * without a type, text as JSON.
 * @throws UnreadableBody @throws UnsupportedMediaType
 */
export async function readBody(contentType: string, bytes: Buffer): Promise<Received> {
  const type = /^[^;\s]*/.exec(contentType.trim().toLowerCase())?.[0] ?? '';
  if (type.startsWith('multipart/')) {
    const parts = await readParts(contentType, bytes);
    // The boundary is another one each time.
    return { payload: readFields(parts), text: JSON.stringify([...parts]) };
  }
  const text = decode(contentType, bytes);
  const payload = await readText(withoutMarks(text), type);
  // To read it takes as long again: others go first.
  if (bytes.length > LARGE) await nextTurn();
  return { payload, text };
}

/** A body that takes a noticeable time, in bytes. */
const LARGE = 100_000;

/** Without byte order marks and blanks at its beginning; programs that join files write several. */
const withoutMarks = (text: string) => text.replace(/^[\s\ufeff]+/, '');

async function readText(text: string, type: string): Promise<unknown> {
  const isForm = type === 'application/x-www-form-urlencoded';
  const hasBracket = /^[{[]/.test(text);
  const found = hasBracket ? tryJson(text) : undefined;
  if (found) return found.value;
  if (hasBracket && isMeantAsJson(text, type)) {
    // To find the place takes as long again.
    await nextTurn();
    throw notJson(text, 'The payload');
  }
  // Else a text may begin with a tag, as `<b>` does.
  const markup = text.startsWith('<?xml') || /[/+]xml$/.test(type) ? readXml(text) : undefined;
  if (markup) return markup;
  if (text.startsWith('payload=') || (isForm && isPairs(text))) return readFields(pairsOf(text));
  const scalar = hasBracket || type.startsWith('text/') || isForm ? undefined : tryJson(text);
  return scalar ? scalar.value : text;
}

/** A text may begin with a bracket, as `[host] is down`. */
const isMeantAsJson = (text: string, type: string) =>
  type !== 'text/plain' && /^(?:\{|\[\s*(?:[{["\d]|$))/.test(text);

/** curl calls all that it sends a form, unless it is told otherwise. */
const isPairs = (text: string) => /^[^\s=&]+=/.test(text);

type Pairs = ReadonlyMap<string, readonly string[]>;

const pairsOf = (text: string): Pairs =>
  new Map(Object.entries(parsePairs(text)).map(([name, value = '']) => [name, [value].flat()]));

/** Old senders put the JSON into a field of a form. */
function readFields(pairs: Pairs): unknown {
  for (const name of ['payload', 'data', 'text'])
    if ((pairs.get(name)?.length ?? 0) > 1)
      throw new UnreadableBody(undefined, `The form has the field ${name} more than once`);
  const payload = pairs.get('payload')?.[0];
  if (payload !== undefined) return readJson(withoutMarks(payload), 'The field payload');
  const data = fieldsOf(fieldValue(pairs.get('data')?.[0] ?? ''));
  if (Object.keys(data).length > 0) return data;
  const fields: Tree = Object.create(null);
  for (const [name, values] of pairs) {
    const read = values.map(fieldValue);
    put(fields, wayOf(name), read.length === 1 ? read[0] : read);
  }
  return fields;
}

interface Tree {
  [name: string]: unknown;
}

const DEEPEST_WAY = 8;

/** `data[merges][EMAIL]` lies in `merges` of `data`, as PHP and Rails write it. */
function wayOf(name: string): string[] {
  const [, first = '', inner = ''] = /^([^[\]]+)((?:\[[^[\]]+\])+)$/.exec(name) ?? [];
  const way = [first, ...inner.slice(1, -1).split('][')];
  return first === '' || way.length > DEEPEST_WAY ? [name] : way;
}

/** Puts a value where its name says; where there is another value, it keeps the whole name. */
function put(fields: Tree, way: readonly string[], value: unknown): void {
  let tree = fields;
  for (const name of way.slice(0, -1)) {
    tree[name] ??= Object.create(null);
    const inner = tree[name];
    if (typeof inner !== 'object' || Array.isArray(inner)) {
      fields[way.join('.')] = value;
      return;
    }
    tree = inner as Tree;
  }
  tree[way.at(-1) as string] = value;
}

/** A list or an object within a field of a form, as Slack’s own methods take them. */
function fieldValue(text: string): unknown {
  const inner = withoutMarks(text);
  return /^[{[]/.test(inner) ? (tryJson(inner)?.value ?? text) : text;
}

/** Of a multipart body. A file counts as the text in it, or as its name. */
const LIMITS = { fieldSize: Number.POSITIVE_INFINITY, fields: 1000, files: 20, parts: 1000 };

async function readParts(contentType: string, bytes: Buffer): Promise<Pairs> {
  const pairs = new Map<string, string[]>();
  const add = (name: string, value: string) => pairs.set(name, [...(pairs.get(name) ?? []), value]);
  await new Promise<void>((resolve, reject) => {
    const parser = Busboy({ headers: { 'content-type': contentType }, limits: LIMITS });
    parser.on('field', (name, value) => void add(name, value));
    parser.on('file', (name, file, filename) => {
      const chunks: Buffer[] = [];
      file.on('data', (chunk) => chunks.push(chunk));
      file.on('error', reject);
      file.on('end', () => void add(name, textOfFile(Buffer.concat(chunks)) ?? filename));
    });
    parser.on('error', reject);
    parser.on('finish', resolve);
    parser.end(bytes);
  }).catch((error: unknown) => {
    throw new UnreadableBody(undefined, 'The body is not valid multipart/form-data', error);
  });
  return pairs;
}

function textOfFile(bytes: Buffer): string | undefined {
  try {
    return decode('', bytes);
  } catch {
    return undefined;
  }
}
