import { DEEPEST } from '#api';
import { type Fields, fieldsOf } from './payload.ts';

/** An element that is open. */
interface Element {
  readonly name: string;
  readonly inner: Map<string, unknown[]>;
  text: string;
}

/** What ends the name of an attribute. */
const NO_NAME = '<>/="\'';
/** Longer names are none. */
const OPENING = /<([^\s<>/!?]{1,200})/y;
const OPENED = /(\/?)>/y;
const CLOSING = /<\/([^\s<>]{1,200})\s{0,9}>/y;
const ENTITY = /&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi;
const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const UNSAFE = new Set(['__proto__', 'constructor']);

/**
 * XML as fields: attributes and inner elements by their names, several of one name as a list. Entities are those of XML
 * itself: a document that declares others is not read.
 * @returns undefined for a text that is no XML, lies too deep, or says nothing
 */
export function readXml(text: string): Fields | undefined {
  const root: Element = { name: '', inner: new Map(), text: '' };
  const open: Element[] = [root];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const skipBlanks = () => {
    while (isBlank(text.charCodeAt(at))) at++;
  };
  const takeAttribute = (): { name: string; value: string } | undefined => {
    skipBlanks();
    const begin = at;
    while (at < text.length && !isBlank(text.charCodeAt(at)) && !NO_NAME.includes(text.charAt(at))) at++;
    const name = text.slice(begin, at);
    skipBlanks();
    const isGiven = name !== '' && text[at] === '=';
    if (isGiven) at++;
    skipBlanks();
    const quote = text.charAt(at);
    const end = isGiven && /^["']$/.test(quote) ? text.indexOf(quote, at + 1) : -1;
    if (end < 0) return undefined;
    const value = text.slice(at + 1, end);
    at = end + 1;
    return { name, value };
  };
  while (at < text.length) {
    const element = open.at(-1) ?? root;
    const next = text.indexOf('<', at);
    element.text += plain(text.slice(at, next < 0 ? text.length : next));
    if (next < 0) break;
    at = next;
    const aside = ASIDE.find(([begin]) => text.startsWith(begin, at));
    if (aside) {
      const [begin, end] = aside;
      const stop = text.indexOf(end, at + begin.length);
      const within = text.slice(at + begin.length, stop);
      if (stop < 0 || (begin === DECLARATION && within.includes('['))) return undefined;
      if (begin === VERBATIM) element.text += within;
      at = stop + end.length;
      continue;
    }
    const closing = take(CLOSING);
    if (closing) {
      const parent = open.at(-2);
      if (!parent || local(closing[1]) !== element.name) return undefined;
      put(parent, element.name, contentOf(element));
      open.pop();
      continue;
    }
    const opening = take(OPENING);
    if (!opening || open.length > DEEPEST) return undefined;
    const begun: Element = { name: local(opening[1]), inner: new Map(), text: '' };
    for (let one = takeAttribute(); one; one = takeAttribute())
      if (!one.name.startsWith('xmlns')) put(begun, local(one.name), plain(one.value));
    const opened = take(OPENED);
    if (!opened) return undefined;
    if (opened[1] === '') open.push(begun);
    else put(element, begun.name, contentOf(begun));
  }
  const isWhole = open.length === 1 && root.inner.size === 1 && root.text.trim() === '';
  const fields = isWhole ? withoutEnvelope(contentOf(root) as Fields) : {};
  return Object.values(fields).some((value) => value !== '') ? fields : undefined;
}

/** SOAP says what it says in the body of an envelope. */
function withoutEnvelope(fields: Fields): Fields {
  const { Body, ...beside } = fieldsOf(fields.Envelope);
  return Object.keys(fieldsOf(Body)).length === 0 ? fields : { ...beside, ...fieldsOf(Body) };
}

const VERBATIM = '<![CDATA[';
const DECLARATION = '<!';
/** What is not an element; the first that fits counts. */
const ASIDE = [
  ['<!--', '-->'],
  [VERBATIM, ']]>'],
  ['<?', '?>'],
  [DECLARATION, '>'],
] as const;

/** Controls are no part of a name, and NaN, which stands behind the end, is not one of them. */
const isBlank = (sign: number) => sign <= 0x20;

/** A name without the prefix of its namespace. */
const local = (name = '') => name.slice(name.lastIndexOf(':') + 1);

function put({ inner }: Element, name: string, value: unknown): void {
  if (UNSAFE.has(name)) return;
  const before = inner.get(name);
  if (before) before.push(value);
  else inner.set(name, [value]);
}

/** A text, or the fields and the text of an element that has both. */
function contentOf({ inner, text }: Element): unknown {
  const said = text.trim();
  if (inner.size === 0) return said;
  const fields = [...inner].map(
    ([name, values]) => [name, values.length === 1 ? values[0] : values] as const,
  );
  return Object.fromEntries(
    said === '' ? fields : [...fields, [inner.has('value') ? 'text' : 'value', said]],
  );
}

function plain(text: string): string {
  return text.replaceAll(ENTITY, (all, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? all;
    const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return point > 0x10ffff ? all : String.fromCodePoint(point);
  });
}
