import { parse as parsePairs } from 'node:querystring';
import { Busboy } from '@fastify/busboy';
import { UnreadableBody } from '#api';
import { decode } from './content.ts';
import { notJson, readJson, tryJson } from './lenient-json.ts';
import { type Fields, fieldsOf } from './payload.ts';

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
  return { payload: readText(withoutMarks(text), type), text };
}

/** Without byte order marks and blanks at its beginning; programs that join files write several. */
const withoutMarks = (text: string) => text.replace(/^[\s\ufeff]+/, '');

function readText(text: string, type: string): unknown {
  const isForm = type === 'application/x-www-form-urlencoded';
  const hasBracket = /^[{[]/.test(text);
  const found = hasBracket ? tryJson(text) : undefined;
  if (found) return found.value;
  if (hasBracket && isMeantAsJson(text, type)) throw notJson(text, 'The payload');
  if (text.startsWith('payload=') || (isForm && isPairs(text))) return readFields(pairsOf(text));
  return hasBracket || type.startsWith('text/') || isForm ? text : (tryJson(text)?.value ?? text);
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
  const fields = [...pairs].map(([name, values]) => [name, values.map(fieldValue)] as const);
  return Object.fromEntries(
    fields.map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  ) as Fields;
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
