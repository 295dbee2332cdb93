/** Where values stand in a JSON text, by their JSON pointers (RFC 6901). */
export interface JsonLines {
  readonly lines: ReadonlyMap<string, number>;
  /** The line where it stops being JSON; the first line is 1. */
  readonly broken?: number;
}

/** An object or a list that is not closed yet. */
interface Open {
  readonly pointer: string;
  readonly close: '}' | ']';
  /** The name, or the index, of the next value. */
  key: string | number;
}

/** What has to come next: for the first one in an object or a list, its end may come instead. */
type Wanted = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'end';

/** Blanks, or a number or a word. */
const RUN = /[\t\n\r ]+|[\w.+-]+/y;

/** @returns the token at a place; undefined where there is none of JSON */
function tokenAt(text: string, at: number): string | undefined {
  const first = text[at] ?? '';
  if ('[]{},:'.includes(first)) return first;
  if (first === '"') {
    let end = at + 1;
    while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
    const token = text.slice(at, end + 1);
    return isJson(token) ? token : undefined;
  }
  RUN.lastIndex = at;
  const run = RUN.exec(text)?.[0];
  return run !== undefined && (/^\s/.test(run) || isJson(run)) ? run : undefined;
}

/** Reads a text once. @returns the line of each value; those of what is not JSON end where it breaks */
export function jsonLines(text: string): JsonLines {
  const lines = new Map<string, number>();
  const open: Open[] = [];
  let wanted: Wanted = 'value';
  let line = 1;
  for (let at = 0; at < text.length; ) {
    const token = tokenAt(text, at);
    if (token === undefined) return { lines, broken: line };
    at += token.length;
    if (/^\s/.test(token)) {
      line += token.split('\n').length - 1;
      continue;
    }
    const next = after(token, wanted, open, (pointer) => lines.set(pointer, line));
    if (!next) return { lines, broken: line };
    wanted = next;
  }
  return wanted === 'end' && open.length === 0 ? { lines } : { lines, broken: line };
}

/** @returns what has to come after a token; undefined if it must not come here */
function after(
  token: string,
  wanted: Wanted,
  open: Open[],
  note: (pointer: string) => void,
): Wanted | undefined {
  const inner = open.at(-1);
  if (wanted === 'colon') return token === ':' ? 'value' : undefined;
  if (token === inner?.close && wanted !== 'key' && wanted !== 'value') {
    open.pop();
    return 'end';
  }
  if (wanted === 'end') {
    if (token !== ',' || !inner) return undefined;
    if (typeof inner.key === 'number') inner.key += 1;
    return inner.close === ']' ? 'value' : 'key';
  }
  if (inner && (wanted === 'key' || wanted === 'first key')) {
    if (!token.startsWith('"')) return undefined;
    inner.key = JSON.parse(token) as string;
    return 'colon';
  }
  if (/^[\]},:]/.test(token)) return undefined;
  const pointer = inner ? `${inner.pointer}/${escaped(inner.key)}` : '';
  note(pointer);
  if (token === '{') open.push({ pointer, close: '}', key: '' });
  else if (token === '[') open.push({ pointer, close: ']', key: 0 });
  else return 'end';
  return token === '{' ? 'first key' : 'first value';
}

const escaped = (key: string | number) => String(key).replaceAll('~', '~0').replaceAll('/', '~1');

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** @returns the line of a value; of one that is missing, that of what it should be in */
export function lineOf({ lines }: JsonLines, pointer: string): number {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const line = lines.get(at);
    if (line !== undefined) return line;
  }
  return lines.get('') ?? 1;
}
